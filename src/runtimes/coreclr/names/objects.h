// Live objects: their class, their size, and their fields by name.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "oriel/oriel.h"
#include "runtimes/coreclr/loaded_modules.h"

namespace oriel::coreclr {

// The object's class and its size in bytes on the heap, read from the object itself. Valid only while it cannot move.
struct ObjectFacts {
  uintptr_t class_id;  // the runtime's ClassID
  size_t size;
};
// The runtime's layout of objects, which tests compare with the runtime's own answers. An object's first word is its
// class (MethodTable, equal to the ClassID) and two bits that the collector uses. The class begins with two 32-bit
// words: flags, whose low half is the element size of an array or string, and the size of an instance without elements.
// In an array or string the length follows the first word.
inline ObjectFacts object_facts(uintptr_t object) {
  struct ClassHead {
    uint32_t flags;
    uint32_t base_size;
  };
  constexpr uint32_t kHasElements = 0x80000000, kElementSize = 0xffff;
  constexpr uintptr_t kCollectorBits = 7;
  const uintptr_t class_id = *reinterpret_cast<const uintptr_t*>(object) & ~kCollectorBits;
  const auto table = *reinterpret_cast<const ClassHead*>(class_id);
  size_t size = table.base_size;
  if (table.flags & kHasElements) {
    size += size_t{table.flags & kElementSize} * *reinterpret_cast<const uint32_t*>(object + sizeof(void*));
  }
  return {class_id, size};
}

// Fields of live objects, found by name.
class ObjectFields {
 public:
  ObjectFields(ProfilerInfo& info, LoadedModules& modules);

  // The object must not move meanwhile. Any thread.
  bool field_of(oriel_object* object, const char* name, oriel_value* value);
  // The object that a field refers to, in the outermost base class except System.Object: for an exception, in
  // System.Exception. That class must be the same in all calls. nullptr if the field is null.
  oriel_object* reference_of_base(oriel_object* object, const char* name);
  // The characters of a System.String, at most `most`. Valid until the object moves.
  std::u16string_view units_of(oriel_object* object, size_t most) const;
  // Copies a System.String to `buffer` as UTF-8.
  size_t text_of(oriel_object* object, char* buffer, size_t size) const;
  // Classes were unloaded; their ids may be reused.
  void forget_all();

 private:
  struct Field {
    oriel_value_kind kind = ORIEL_VALUE_NONE;
    uint32_t size = 0;
    uint32_t offset = 0;
  };
  Field known_field(ClassID klass, const char* name);
  Field look_up(ClassID klass, const std::string& name);
  ClassID outermost_of(ClassID klass);
  std::optional<Field> own_field(ClassID klass, ModuleID module, const std::string& name);

  ProfilerInfo& info_;
  LoadedModules& modules_;
  uint32_t string_length_ = 0;  // offsets in a System.String
  uint32_t string_text_ = 0;
  std::atomic<uint32_t> base_offset_{0};  // the field of reference_of_base; 0: not known yet
  std::mutex lock_;
  std::map<std::pair<ClassID, std::string>, Field> known_;
};

}  // namespace oriel::coreclr
