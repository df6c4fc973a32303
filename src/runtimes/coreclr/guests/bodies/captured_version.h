// One guest's change of a method's new version: the ICorProfilerFunctionControl that the guest receives.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

class CapturedVersion final : public FunctionControl {
 public:
  HResult QueryInterface(const Guid& id, void** object) override;
  uint32_t AddRef() override { return references_.fetch_add(1, std::memory_order_relaxed) + 1; }
  uint32_t Release() override;
  HResult SetCodegenFlags(uint32_t flags) override;
  HResult SetILFunctionBody(uint32_t size, const uint8_t* body) override;
  HResult SetILInstrumentedCodeMap(uint32_t count, IlMapEntry* entries) override;

  // What the guest has set; empty if it has set nothing. Read after close(). Later changes are refused, as the runtime
  // refuses them.
  void close() { closed_ = true; }
  const std::vector<uint8_t>& body() const { return body_; }
  const std::vector<IlMapEntry>& map() const { return map_; }
  uint32_t flags() const { return flags_; }

 private:
  ~CapturedVersion() = default;

  std::atomic<uint32_t> references_{1};
  bool closed_ = false;
  std::vector<uint8_t> body_;
  std::vector<IlMapEntry> map_;
  uint32_t flags_ = 0;
};

}  // namespace oriel::coreclr
