// What snapshots ask about types beside their names: collections, timers, async methods, delegates, closures, boxes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "oriel/heap.h"
#include "runtimes/coreclr/names/class_text.h"

namespace oriel::coreclr {

struct KnownType {
  struct Value {
    oriel_heap_value what;
    uint32_t offset, mask;  // as in ValuePlace
  };
  oriel_heap_type_kind kind = ORIEL_HEAP_OTHER;
  std::vector<Value> values;
  uint32_t storage = 0;  // as in oriel_heap_type
  std::string made_of;
};

struct KnownTypeRow;

class KnownTypes {
 public:
  explicit KnownTypes(const Names& names) : names_(names) {}

  // Of a class, or the first of its base classes that is known. `fields` are instance_fields of it.
  KnownType of(const Held& held, ClassID klass, const std::map<uint32_t, std::string>& fields);

 private:
  const KnownTypeRow* row_of(const ModuleMetadata& metadata, ModuleID module, Token token);

  const Names& names_;
  std::map<std::pair<ModuleID, Token>, const KnownTypeRow*> rows_;  // of those seen so far; nullptr: not known
};

}  // namespace oriel::coreclr
