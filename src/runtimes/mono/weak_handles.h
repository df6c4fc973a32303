// Mono's weak handles, for objects that are followed until they die (engine/followed_objects.h).
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "engine/followed_objects.h"
#include "runtimes/mono/mono_types.h"

namespace oriel::mono {

class MonoWeakHandles final : public WeakHandles {
 public:
  uintptr_t make(uintptr_t object) override;
  bool is_empty(uintptr_t handle) override;
  void free(uintptr_t handle) override;

  // Mono takes a domain's handles back with it, and uses their numbers again. So none is made for the domain's objects
  // from now on until it is gone.
  void domain_goes(MonoDomain* domain);
  void domain_is_gone(MonoDomain* domain);
  // Whether the handle is of an object in that domain.
  bool is_in(uintptr_t handle, MonoDomain* domain);

 private:
  // Not one that its domain took with it.
  bool is_known(uintptr_t handle);

  std::mutex lock_;  // guards the rest; not held while Mono is called
  std::unordered_map<uintptr_t, MonoDomain*> domains_;
  std::unordered_set<MonoDomain*> going_;
};

// Whether the calling thread is making or freeing one of these, which is no event of the program's.
bool is_own_handle();

}  // namespace oriel::mono
