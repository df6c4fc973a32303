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

// The object's class and its bytes on the heap, read from the object itself. Only while the object cannot move.
struct ObjectFacts {
  uintptr_t class_id;  // the runtime's ClassID
  size_t size;
};
// The runtime's layout of objects, which tests compare with what it answers when asked: the first word of an object is
// its class (MethodTable, the same as ClassID) with two bits of the collector's; the class begins with two 32-bit
// words: flags, of which the low half is the size of an array's or string's element, and the size of an instance with
// none; the length follows the first word of an array or string.
inline ObjectFacts object_facts(uintptr_t object) {
  struct MethodTable {
    uint32_t flags;
    uint32_t base_size;
  };
  constexpr uint32_t kHasElements = 0x80000000, kElementSize = 0xffff;
  constexpr uintptr_t kCollectorBits = 7;
  const uintptr_t class_id = *reinterpret_cast<const uintptr_t*>(object) & ~kCollectorBits;
  const auto table = *reinterpret_cast<const MethodTable*>(class_id);
  size_t size = table.base_size;
  if (table.flags & kHasElements) {
    size += size_t{table.flags & kElementSize} * *reinterpret_cast<const uint32_t*>(object + sizeof(void*));
  }
  return {class_id, size};
}

// The kinds of values whose type alone tells their size (ECMA-335 II.23.1.16).
struct PlainKind {
  oriel_value_kind kind = ORIEL_VALUE_NONE;  // NONE: value types, generic parameters, void
  uint32_t size = 0;
};
// Of a type as in a signature, with modifiers or without.
PlainKind plain_kind(std::span<const uint8_t> type);

// Fields of live objects, found by name.
class ObjectFields {
 public:
  ObjectFields(ProfilerInfo& info, LoadedModules& modules);

  // Of an object that cannot move meanwhile. Any thread.
  bool field_of(oriel_object* object, const char* name, oriel_value* value);
  // What a field refers to that the object has of the outermost class but System.Object that it extends: of an
  // exception, of System.Exception. The same for all objects that are asked about. nullptr if it refers to nothing.
  oriel_object* reference_of_base(oriel_object* object, const char* name);
  // A System.String's characters, `most` at most. Until the object moves.
  std::u16string_view units_of(oriel_object* object, size_t most) const;
  // A System.String as UTF-8.
  size_t text_of(oriel_object* object, char* buffer, size_t size) const;
  // Classes have gone: their ids may come again for others.
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
  std::atomic<uint32_t> base_offset_{0};  // of what reference_of_base is asked for; 0: not known yet
  std::mutex lock_;
  std::map<std::pair<ClassID, std::string>, Field> known_;
};

}  // namespace oriel::coreclr
