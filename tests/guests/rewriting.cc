// Changes marked methods when they are first compiled: adds its number to what they return. From 64 on it also loads a
// string, which it adds to the module's metadata only then.
#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include "guest.h"

namespace {

class Rewriting final : public Guest {
 public:
  using Guest::Guest;

  clr::HRESULT start() override {
    constexpr uint32_t kModuleLoads = 0x4, kJit = 0x20;
    return info_->SetEventMask(kModuleLoads | kJit);
  }

  clr::HRESULT JITCompilationStarted(clr::Id function, clr::BOOL) override {
    auto [module, token, body, size] = find(function);
    if (size == 0) return clr::S_OK;
    std::vector<uint8_t> changed = with_added(body, size, number_);
    clr::MethodMemory* memory = nullptr;
    if (changed.empty() || !is_first(module, token)) return clr::S_OK;
    if (number_ >= kWithString) add_string(module, changed);
    if (info_->GetILFunctionBodyAllocator(module, reinterpret_cast<void**>(&memory)) < 0) return clr::S_OK;
    auto* copy = static_cast<uint8_t*>(memory->Alloc(static_cast<uint32_t>(changed.size())));
    std::ranges::copy(changed, copy);
    info_->SetILFunctionBody(module, token, copy);
    memory->Release();
    return clr::S_OK;
  }

 private:
  static constexpr Number kWithString = 64;

  // Before the body returns.
  void add_string(clr::Id module, std::vector<uint8_t>& body) {
    constexpr uint32_t kReadAndWrite = 1;
    constexpr uint8_t kLoadString = 0x72, kPop = 0x26, kTiny = 2;
    clr::MetaDataEmit* metadata = nullptr;
    auto** const slot = reinterpret_cast<clr::Unknown**>(&metadata);
    if (info_->GetModuleMetaData(module, kReadAndWrite, clr::IID_MetaDataEmit, slot) < 0) return;
    clr::Token text = 0;
    metadata->DefineUserString(u"not there before", 16, &text);
    metadata->Release();
    uint8_t added[] = {kLoadString, 0, 0, 0, 0, kPop};
    std::memcpy(added + 1, &text, sizeof text);
    body.insert(body.end() - 1, added, added + sizeof added);
    body[0] = static_cast<uint8_t>((body.size() - 1) << 2 | kTiny);
  }

  bool is_first(clr::Id module, clr::Token token) {
    const std::lock_guard guard(lock_);
    return changed_.insert({module, token}).second;
  }

  std::mutex lock_;
  std::set<std::pair<clr::Id, clr::Token>> changed_;
};

}  // namespace

Guest* make_guest(Number number) { return new Rewriting(number); }
