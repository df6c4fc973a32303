#include "runtimes/coreclr/wrapped_exceptions.h"

#include <atomic>

#include "runtimes/coreclr/loaded_modules.h"

namespace oriel::coreclr {
namespace {

// Found once, when the first exception is met.
std::atomic<ModuleID> core_library{0};
std::atomic<Token> wrapper_token{0};      // 0: there is no such class
std::atomic<uint32_t> wrapped_offset{0};  // 0: no such exception was met yet

// The module of System.Object, which all classes extend.
ModuleID core_library_by(const Held& held, ProfilerInfo& info, ClassID klass) {
  ModuleID module = 0;
  while (klass != 0) {
    Token type = 0;
    uint32_t arguments = 0;
    if (failed(info.GetClassIDInfo2(held, klass, &module, &type, &klass, 0, &arguments, nullptr))) return 0;
  }
  return module;
}

bool find_wrapper(const Held& held, ProfilerInfo& info, ClassID klass) {
  if (core_library.load(std::memory_order_acquire) != 0) return true;
  const ModuleID module = core_library_by(held, info, klass);
  const ModuleMetadata metadata = module == 0 ? ModuleMetadata() : open_metadata(held, info, module);
  if (!metadata.is_open()) return false;
  const Token token = metadata.find_type({u"System.Runtime.CompilerServices.RuntimeWrappedException"});
  wrapper_token.store(token, std::memory_order_relaxed);
  core_library.store(module, std::memory_order_release);
  return true;
}

// The class has one field of its own.
uint32_t offset_in(const Held& held, ProfilerInfo& info, ClassID wrapper) {
  FieldOffset field{};
  uint32_t count = 0, size = 0;
  return failed(info.GetClassLayout(held, wrapper, &field, 1, &count, &size)) || count != 1 ? 0 : field.offset;
}

}  // namespace

ObjectID wrapped_in(ProfilerInfo& info, ObjectID exception) {
  const Held held;
  ClassID klass = 0;
  ModuleID module = 0;
  Token token = 0;
  if (failed(info.GetClassFromObject(exception, &klass)) || !find_wrapper(held, info, klass) ||
      failed(info.GetClassIDInfo(held, klass, &module, &token)) ||
      token != wrapper_token.load(std::memory_order_relaxed) || module != core_library.load(std::memory_order_relaxed))
    return 0;
  uint32_t offset = wrapped_offset.load(std::memory_order_relaxed);
  if (offset == 0) wrapped_offset.store(offset = offset_in(held, info, klass), std::memory_order_relaxed);
  return offset == 0 ? 0 : *reinterpret_cast<const ObjectID*>(exception + offset);
}

}  // namespace oriel::coreclr
