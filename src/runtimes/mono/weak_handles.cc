#include "runtimes/mono/weak_handles.h"

#include "base/static_tls.h"
#include "runtimes/mono/functions.h"

namespace oriel::mono {
namespace {

constinit ORIEL_STATIC_TLS thread_local bool handles_own = false;

class OwnHandle {
 public:
  OwnHandle() { handles_own = true; }
  ~OwnHandle() { handles_own = false; }
  OwnHandle(const OwnHandle&) = delete;
  OwnHandle& operator=(const OwnHandle&) = delete;
};

}  // namespace

bool is_own_handle() { return handles_own; }

uintptr_t MonoWeakHandles::make(uintptr_t object) {
  auto* const id = reinterpret_cast<MonoObject*>(object);
  MonoDomain* const domain = api.mono_object_get_domain(id);
  {
    const std::lock_guard guard(lock_);
    if (going_.contains(domain)) return 0;
  }
  const OwnHandle own;
  const uint32_t handle = api.mono_gchandle_new_weakref(id, 0);
  if (handle == 0) return 0;
  const std::lock_guard guard(lock_);
  domains_[handle] = domain;
  return handle;
}

bool MonoWeakHandles::is_empty(uintptr_t handle) {
  if (!is_known(handle)) return true;
  return api.mono_gchandle_get_target(static_cast<uint32_t>(handle)) == nullptr;
}

void MonoWeakHandles::free(uintptr_t handle) {
  {
    const std::lock_guard guard(lock_);
    if (domains_.erase(handle) == 0) return;
  }
  const OwnHandle own;
  api.mono_gchandle_free(static_cast<uint32_t>(handle));
}

void MonoWeakHandles::domain_goes(MonoDomain* domain) {
  const std::lock_guard guard(lock_);
  going_.insert(domain);
}

void MonoWeakHandles::domain_is_gone(MonoDomain* domain) {
  const std::lock_guard guard(lock_);
  going_.erase(domain);
  std::erase_if(domains_, [&](const auto& it) { return it.second == domain; });
}

bool MonoWeakHandles::is_known(uintptr_t handle) {
  const std::lock_guard guard(lock_);
  return domains_.contains(handle);
}

bool MonoWeakHandles::is_in(uintptr_t handle, MonoDomain* domain) {
  const std::lock_guard guard(lock_);
  const auto found = domains_.find(handle);
  return found != domains_.end() && found->second == domain;
}

}  // namespace oriel::mono
