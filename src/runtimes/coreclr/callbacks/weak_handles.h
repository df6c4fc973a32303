// The runtime's weak handles, new in .NET 7.
#pragma once

#include "engine/followed_objects.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

class RuntimeWeakHandles final : public WeakHandles {
 public:
  explicit RuntimeWeakHandles(ProfilerInfo& info);

  // Whether the runtime has them.
  bool can_make() const { return info_.get() != nullptr; }

  uintptr_t make(ObjectID object) override;
  bool is_empty(uintptr_t handle) override;
  void free(uintptr_t handle) override;

 private:
  ComPtr<ProfilerInfo> info_;
};

}  // namespace oriel::coreclr
