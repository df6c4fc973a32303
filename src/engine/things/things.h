// All tables of the runtime's things. Constructed when the engine is loaded (signal handlers may ask for ids at any
// time) and never destroyed.
#pragma once

#include <vector>

#include "engine/things/entities.h"
#include "engine/things/tables.h"

namespace oriel {

// Records whose image is not known yet; described before any image is unloaded, as they may belong to it.
template <typename Record>
class WithoutImage {
 public:
  void add(Record* record) {
    const std::lock_guard guard(lock_);
    records_.push_back(record);
  }
  // Those still not described; drops the others.
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
  InternMap<oriel_method> methods_by_token;  // image id << 32 | methodDef token: methods known by more than a runtime
                                             // id
  WithoutImage<oriel_class> classes_without_image;
  WithoutImage<oriel_method> methods_without_image;
};

extern Things& all_things;
inline Things& things() { return all_things; }

// Adds a class or method with a known image to that image's list. Only on the thread that makes or describes it.
void list_in_image(oriel_class& klass);
void list_in_image(oriel_method& method);

}  // namespace oriel
