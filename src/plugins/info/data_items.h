// Data that plug-ins attach to objects: items, each with two ids.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "oriel/plugins/data.h"
#include "plugins/info/object.h"

namespace oriel::plugins {

// Costs one pointer until there is an item. Any thread.
class DataItems {
 public:
  DataItems();
  ~DataItems();
  HResult set(const Guid* component, const Guid* object, IUnknown* item);
  HResult get(const Guid* component, const Guid* object, IUnknown** item);

 private:
  struct Before {
    bool operator()(const std::pair<Guid, Guid>& a, const std::pair<Guid, Guid>& b) const;
  };
  using Map = std::map<std::pair<Guid, Guid>, ComPtr<IUnknown>, Before>;
  std::unique_ptr<Map> items_;
};

// The interface over them, for objects to have among theirs.
class DataContainer : public IDataContainer {
 public:
  HResult SetDataItem(const Guid* component, const Guid* object, IUnknown* item) override {
    return items_.set(component, object, item);
  }
  HResult GetDataItem(const Guid* component, const Guid* object, IUnknown** item) override {
    return items_.get(component, object, item);
  }

 protected:
  ~DataContainer() = default;

 private:
  DataItems items_;
};

// A counted object that is a container too.
template <typename... Interfaces>
using Container = Object<Interfaces..., DataContainer>;

}  // namespace oriel::plugins
