// The engine's records of the runtime's things: plain structs that live as long as the process, with dense ids.
//
// An adapter finds or makes one by the runtime's own id (engine.h: intern_*), and forgets that id when the thing is
// unloaded, so that a reused runtime id gets a new record. Names are filled in once, on demand, by Runtime::describe;
// before a thing is unloaded the engine asks for those that are still missing. Plain fields are written before other
// threads first see a record, or in describe, and are read once `described` is kKnown.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/atomic_ref.h"
#include "oriel/oriel.h"

namespace oriel {

struct CodeRange;

// The state of a record's names: `kNone` → `kBusy` (one thread asks the runtime) → `kKnown`.
enum class Described : uint8_t { kNone, kBusy, kKnown };

struct Entity {
  uint32_t id = 0;           // dense from 1, never reused
  uintptr_t runtime_id = 0;  // the runtime's own id, valid while !unloaded
  std::atomic<bool> unloaded{false};
  std::atomic<Described> described{Described::kNone};
};

// A class or method of another image that is constructed from types of this one: an array, or a generic instantiation.
template <typename Record>
struct Guest {
  Record* record;
  Guest* next;
};

}  // namespace oriel

struct oriel_domain : oriel::Entity {
  std::string name;
};

struct oriel_assembly : oriel::Entity {
  std::string name;
};

struct oriel_image : oriel::Entity {
  oriel_assembly* assembly = nullptr;  // set by describe
  std::string name;
  std::string path;
  std::string pdb_path;                           // path of its portable PDB on the build machine, or of its .mdb
  std::string pdb_id;                             // 40 hexadecimal digits; 32 of an .mdb
  std::atomic<const std::string*> mvid{nullptr};  // 32 hexadecimal digits; nullptr: not asked for yet
  std::atomic<oriel_class*> classes{nullptr};     // the engine's: known classes of this image, linked by next_in_image
  std::atomic<oriel_method*> methods{nullptr};
  std::atomic<oriel::Guest<oriel_class>*> guest_classes{nullptr};  // the engine's: these are unloaded with the image
                                                                   // too
  std::atomic<oriel::Guest<oriel_method>*> guest_methods{nullptr};
};

struct oriel_class : oriel::Entity {
  oriel_image* image = nullptr;  // set by describe, or given to intern_class
  uint32_t token = 0;            // metadata typeDef token, 0 for arrays and the like
  uint32_t instance_size = 0;    // bytes on the heap, 0 if sizes vary
  std::string name;
  oriel_class* next_in_image = nullptr;  // the engine's
  bool listed = false;                   // the engine's: in its image's list
};

struct oriel_method : oriel::Entity {
  oriel_image* image = nullptr;           // set by describe, or given to intern_method
  uint32_t token = 0;                     // metadata methodDef token, 0 for dynamic methods
  bool shared = false;                    // the definition of a generic method, not an instantiation
  oriel_class* klass = nullptr;           // the class to show it under; set by describe
  std::string name;                       // Shop.Cart.AddAsync(System.String, int)
  std::string short_name;                 // AddAsync(System.String, int)
  std::string raw_name;                   // Shop.Cart+<AddAsync>d__3.MoveNext()
  oriel_method* next_in_image = nullptr;  // the engine's
  bool listed = false;                    // the engine's: in its image's list
  oriel::CodeRange* code = nullptr;       // the code map's, under its lock: the method's live ranges

  // For describe, which may run while others read them (api.cc).
  void set_image(oriel_image* value) { oriel::AtomicRef(image).store(value, std::memory_order_release); }
  void set_token(uint32_t value) { oriel::AtomicRef(token).store(value, std::memory_order_release); }
};

namespace oriel {

// Identifies a class or method defined in an image's metadata, whatever its runtime id.
inline uint64_t token_key(const oriel_image& image, uint32_t token) { return uint64_t{image.id} << 32 | token; }

}  // namespace oriel

struct oriel_thread : oriel::Entity {  // runtime_id 0: a native thread
  std::atomic<uint32_t> os_id{0};
  std::atomic<bool> managed{false};
  std::atomic<bool> tool{false};           // a profiler's own
  std::atomic<const char*> name{nullptr};  // interned; nullptr until known
};

namespace oriel {

// Calls visit(method) for each method known to be unloaded with the image: its own and its guests.
template <typename Visit>
void for_each_method(const oriel_image& image, Visit visit) {
  for (oriel_method* it = image.methods.load(std::memory_order_acquire); it; it = it->next_in_image) visit(*it);
  for (const auto* it = image.guest_methods.load(std::memory_order_acquire); it; it = it->next) visit(*it->record);
}
// Likewise for its classes.
template <typename Visit>
void for_each_class(const oriel_image& image, Visit visit) {
  for (oriel_class* it = image.classes.load(std::memory_order_acquire); it; it = it->next_in_image) visit(*it);
  for (const auto* it = image.guest_classes.load(std::memory_order_acquire); it; it = it->next) visit(*it->record);
}

}  // namespace oriel
