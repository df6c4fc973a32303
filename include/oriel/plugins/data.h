// Data that plug-ins attach to the program's things.
#pragma once

#include "oriel/plugins/com.h"

namespace oriel::plugins {

// Items of plug-ins, each with two ids. They are released when the thing that they are attached to goes away. Any
// thread.
struct IDataContainer : IUnknown {
  static constexpr Guid kId = {0x2a4fdf66, 0xfc5b, 0x442d, {0x8f, 0xaa, 0x41, 0x37, 0xf0, 0x23, 0xa4, 0xea}};

  // Takes a reference; null removes the item. The previous item is released.
  virtual HResult SetDataItem(const Guid* component_id, const Guid* object_guid, IUnknown* item) = 0;
  // E_FAIL if there is none.
  virtual HResult GetDataItem(const Guid* component_id, const Guid* object_guid, IUnknown** item) = 0;

 protected:
  ~IDataContainer() = default;
};

}  // namespace oriel::plugins
