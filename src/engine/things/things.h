// All tables of the runtime's things, in one place that is made when the engine is loaded (signal handlers may ask for
// ids at any time) and never destroyed.
#pragma once

#include <vector>

#include "engine/things/entities.h"
#include "engine/things/tables.h"

namespace oriel {

// Records of which the engine does not know the image yet; described before any image is unloaded, as they may be its.
template <typename Record>
class Homeless {
 public:
  void add(Record* record) {
    const std::lock_guard guard(lock_);
    records_.push_back(record);
  }
  // Those still not described; forgets the rest.
  std::vector<Record*> pending() {
    const std::lock_guard guard(lock_);
    std::erase_if(records_, [](const Record* it) { return it->described.load() == Described::kKnown; });
    return records_;
  }

 private:
  std::mutex lock_;
  std::vector<Record*> records_;
};

template <typename Record>
struct ThingTable {
  IdTable<Record> ids;
  InternMap<Record> by_runtime_id;
};

struct Things {
  ThingTable<oriel_domain> domains;
  ThingTable<oriel_assembly> assemblies;
  ThingTable<oriel_image> images;
  ThingTable<oriel_class> classes;
  ThingTable<oriel_method> methods;
  ThingTable<oriel_thread> threads;
  InternMap<oriel_class> classes_by_token;   // image id << 32 | typeDef token
  InternMap<oriel_method> methods_by_token;  // image id << 32 | methodDef token: those not known by a runtime id alone
  Homeless<oriel_class> homeless_classes;
  Homeless<oriel_method> homeless_methods;
};

extern Things& all_things;
inline Things& things() { return all_things; }

// Puts a class or method whose image is known into that image's list. Only the thread that makes or describes it.
void list_in_image(oriel_class& klass);
void list_in_image(oriel_method& method);

}  // namespace oriel
