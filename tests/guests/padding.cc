// Adds instructions without effect to every method that it can change. With an odd number it does so when methods are
// first compiled; with an even number by versions of running methods, which it reverts and requests again until the
// program ends.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "guest.h"

namespace {

constexpr uint32_t kModuleLoads = 0x4, kJit = 0x20, kReJit = 0x40000;

constexpr uint32_t kAdded = 3;

// The body with instructions at its start that push a number and pop it. Branches are relative, so only bodies with
// clauses do not allow this. Empty for these, and for bodies that begin so already.
std::vector<uint8_t> padded(const uint8_t* body, uint32_t size, Number number) {
  constexpr uint8_t kTiny = 2, kFat = 3, kFormat = 3, kMoreSections = 8, kLoadShort = 0x1f, kPop = 0x26;
  constexpr uint32_t kFatHeader = 12, kMostTiny = 63;
  const uint8_t added[kAdded] = {kLoadShort, number, kPop};
  const bool tiny = (body[0] & kFormat) == kTiny;
  if (!tiny && ((body[0] & kFormat) != kFat || (body[0] & kMoreSections) != 0 || size < kFatHeader)) return {};
  uint32_t length = tiny ? body[0] >> 2 : 0, locals = 0;
  uint16_t stack = 8;
  if (!tiny) {
    std::memcpy(&stack, body + 2, sizeof stack);
    std::memcpy(&length, body + 4, sizeof length);
    std::memcpy(&locals, body + 8, sizeof locals);
  }
  const uint8_t* code = body + (tiny ? 1 : kFatHeader);
  if (length >= kAdded && std::memcmp(code, added, kAdded) == 0) return {};
  std::vector<uint8_t> result;
  if (tiny && length + kAdded <= kMostTiny) {
    result = {static_cast<uint8_t>((length + kAdded) << 2 | kTiny)};
  } else {
    const uint32_t longer = length + kAdded;
    if (stack == 0) stack = 1;
    result.resize(kFatHeader);
    result[0] = static_cast<uint8_t>(tiny ? kFat : body[0]);
    result[1] = 3 << 4;
    std::memcpy(&result[2], &stack, sizeof stack);
    std::memcpy(&result[4], &longer, sizeof longer);
    std::memcpy(&result[8], &locals, sizeof locals);
  }
  result.insert(result.end(), added, added + kAdded);
  result.insert(result.end(), code, code + length);
  return result;
}

class Padding final : public Guest {
 public:
  using Guest::Guest;

  clr::HRESULT start() override {
    if (!by_version()) return info_->SetEventMask(kModuleLoads | kJit);
    versions_ = std::thread([this] { make_versions(); });
    return info_->SetEventMask(kModuleLoads | kJit | kReJit);
  }

  clr::HRESULT JITCompilationStarted(clr::Id function, clr::BOOL) override {
    clr::Id klass = 0, module = 0;
    clr::Token token = 0;
    if (info_->GetFunctionInfo(function, &klass, &module, &token) < 0) return clr::S_OK;
    if (by_version()) {
      const std::lock_guard guard(lock_);
      modules_.push_back(module);
      methods_.push_back(token);
      return clr::S_OK;
    }
    const std::vector<uint8_t> changed = changed_body(module, token);
    clr::MethodMemory* memory = nullptr;
    if (changed.empty() || info_->GetILFunctionBodyAllocator(module, reinterpret_cast<void**>(&memory)) < 0)
      return clr::S_OK;
    if (void* copy = memory->Alloc(static_cast<uint32_t>(changed.size()))) {
      std::memcpy(copy, changed.data(), changed.size());
      const bool taken = info_->SetILFunctionBody(module, token, static_cast<uint8_t*>(copy)) >= 0;
      if (taken) tell_where_code_went(function, static_cast<uint32_t>(changed.size()));
    }
    memory->Release();
    return clr::S_OK;
  }

  clr::HRESULT ModuleUnloadStarted(clr::Id module) override {
    const std::lock_guard guard(lock_);
    for (size_t i = 0; i < modules_.size(); ++i)
      if (modules_[i] == module) methods_[i] = 0;
    return clr::S_OK;
  }

  clr::HRESULT GetReJITParameters(clr::Id module, clr::Token token, void* control) override {
    const std::vector<uint8_t> changed = changed_body(module, token);
    if (!changed.empty())
      static_cast<clr::FunctionControl*>(control)->SetILFunctionBody(static_cast<uint32_t>(changed.size()),
                                                                     changed.data());
    return clr::S_OK;
  }

  clr::HRESULT Shutdown() override {
    {
      const std::lock_guard guard(lock_);
      ended_ = true;
    }
    end_.notify_all();
    if (versions_.joinable()) versions_.join();
    return clr::S_OK;
  }

 private:
  // The runtime copies the map.
  void tell_where_code_went(clr::Id function, uint32_t size) {
    std::vector<clr::IlMapEntry> map(size);
    for (uint32_t i = 0; i < size; ++i) map[i] = {i, i + kAdded, 1};
    info_->SetILInstrumentedCodeMap(function, 1, size, map.data());
  }

  bool by_version() const { return number_ % 2 == 0; }

  std::vector<uint8_t> changed_body(clr::Id module, clr::Token token) {
    const uint8_t* body = nullptr;
    uint32_t size = 0;
    if (info_->GetILFunctionBody(module, token, &body, &size) < 0 || size == 0) return {};
    return padded(body, size, number_);
  }

  clr::HRESULT change(uint32_t count, clr::Id* modules, clr::Token* methods) {
    constexpr uint32_t kBlockInlining = 1;
    std::vector<clr::HRESULT> results(count);
    return taking_back_ ? info_->RequestRevert(count, modules, methods, results.data())
                        : info_->RequestReJITWithInliners(kBlockInlining, count, modules, methods);
  }

  // Requests versions of all methods compiled so far, some at a time.
  void make_versions() {
    constexpr size_t kAtOnce = 64;
    constexpr std::chrono::milliseconds kBetween{20};
    for (size_t at = 0;; at += kAtOnce) {
      std::vector<clr::Id> modules;
      std::vector<clr::Token> methods;
      {
        std::unique_lock guard(lock_);
        if (end_.wait_for(guard, kBetween, [this] { return ended_; })) return;
        for (size_t i = at; i < modules_.size() && i < at + kAtOnce; ++i) {
          if (methods_[i] == 0) continue;
          modules.push_back(modules_[i]);
          methods.push_back(methods_[i]);
        }
        if (at >= modules_.size()) {
          at = 0 - kAtOnce;
          taking_back_ = !taking_back_;
          continue;
        }
      }
      if (modules.empty()) continue;
      const auto count = static_cast<uint32_t>(modules.size());
      if (change(count, modules.data(), methods.data()) >= 0) continue;
      // One method that cannot be changed fails the whole request.
      for (uint32_t i = 0; i < count; ++i) change(1, &modules[i], &methods[i]);
    }
  }

  std::thread versions_;
  std::mutex lock_;  // guards the rest
  std::condition_variable end_;
  bool ended_ = false;
  bool taking_back_ = false;
  std::vector<clr::Id> modules_;
  std::vector<clr::Token> methods_;
};

}  // namespace

Guest* make_guest(Number number) { return new Padding(number); }
