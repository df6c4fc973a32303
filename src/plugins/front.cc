#include "plugins/front.h"

namespace oriel::plugins {

HResult Front::query(const Guid& id, void** object) {
  if (object == nullptr) return kInvalidArgument;
  bool is_ours = id == kIUnknownId;
  for (const coreclr::InterfaceVersion& version : coreclr::kCallbackVersions) is_ours |= version.id == id;
  *object = is_ours ? this : nullptr;
  if (!is_ours) return kNoInterface;
  add_reference();
  return kOk;
}

}  // namespace oriel::plugins
