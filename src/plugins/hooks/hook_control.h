// The control object by which raw profiler hooks set the body of a method's new version.
#pragma once

#include "plugins/hooks/hooked_body.h"
#include "plugins/info/object.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::plugins {

// Lives on the callback's stack, so its references need not be counted.
class HookControl final : public coreclr::FunctionControl {
 public:
  explicit HookControl(HookedBody& body) : body_(body) {}

  HResult QueryInterface(const Guid&, void** object) override {
    if (object == nullptr) return kPointerError;
    *object = this;
    return kOk;
  }
  uint32_t AddRef() override { return 2; }
  uint32_t Release() override { return 1; }

  HResult SetCodegenFlags(uint32_t flags) override {
    flags_ |= flags;
    return kOk;
  }
  HResult SetILFunctionBody(uint32_t size, const uint8_t* body) override {
    if (body == nullptr || size == 0) return kInvalidArgument;
    body_.set({body, size});
    return kOk;
  }
  HResult SetILInstrumentedCodeMap(uint32_t count, coreclr::IlMapEntry* entries) override {
    if (entries == nullptr) return kInvalidArgument;
    body_.set_map({reinterpret_cast<const IlMapEntry*>(entries), count});
    return kOk;
  }

  uint32_t flags() const { return flags_; }

 private:
  HookedBody& body_;
  uint32_t flags_ = 0;
};

}  // namespace oriel::plugins
