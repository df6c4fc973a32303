#include "runtimes/coreclr/names/objects.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/text/utf16.h"
#include "base/text/utf8.h"
#include "engine/plain_kind.h"
#include "il/signature.h"
#include "runtimes/coreclr/com/wide_text.h"

namespace oriel::coreclr {

ObjectFields::ObjectFields(ProfilerInfo& info, LoadedModules& modules) : info_(info), modules_(modules) {
  if (failed(info.GetStringLayout2(&string_length_, &string_text_))) string_text_ = 0;
}

ObjectFields::Field ObjectFields::known_field(ClassID klass, const char* name) {
  const std::pair key{klass, std::string(name)};
  {
    const std::lock_guard guard(lock_);
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
  }
  const Field field = look_up(key.first, key.second);
  const std::lock_guard guard(lock_);
  known_.emplace(key, field);
  return field;
}

bool ObjectFields::field_of(oriel_object* object, const char* name, oriel_value* value) {
  if (object == nullptr || name == nullptr) return false;
  const auto address = reinterpret_cast<uintptr_t>(object);
  const Field field = known_field(object_facts(address).class_id, name);
  if (field.kind == ORIEL_VALUE_NONE) return false;
  *value = {field.kind, field.size, reinterpret_cast<const void*>(address + field.offset), ""};
  return true;
}

// Searches the class, then its base classes.
ObjectFields::Field ObjectFields::look_up(ClassID klass, const std::string& name) {
  const Held held;
  while (klass != 0) {
    ModuleID module = 0;
    Token type = 0;
    ClassID base = 0;
    uint32_t arguments = 0;
    if (failed(info_.GetClassIDInfo2(held, klass, &module, &type, &base, 0, &arguments, nullptr))) return {};
    if (const auto field = own_field(klass, module, name)) return *field;
    klass = base;
  }
  return {};
}

std::optional<ObjectFields::Field> ObjectFields::own_field(ClassID klass, ModuleID module, const std::string& name) {
  const Held held;
  uint32_t count = 0, size = 0;
  if (failed(info_.GetClassLayout(held, klass, nullptr, 0, &count, &size)) || count == 0) return std::nullopt;
  std::vector<FieldOffset> fields(count);
  if (failed(info_.GetClassLayout(held, klass, fields.data(), count, &count, &size))) return std::nullopt;
  const ModuleMetadata metadata = modules_.metadata(module);
  if (!metadata.is_open()) return std::nullopt;
  // The distance to the next field or to the end, which is the room that a value type may occupy.
  const auto room_at = [&](uint32_t offset) {
    uint32_t next = size;
    for (const FieldOffset& other : fields) {
      if (other.offset > offset) next = std::min(next, other.offset);
    }
    return next - std::min(offset, next);
  };
  for (const FieldOffset& field : fields) {
    const uint8_t* signature = nullptr;
    uint32_t signature_size = 0;
    const std::string own = wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
      return metadata.import().GetFieldProps(field.field, nullptr, text, room, length, nullptr, &signature,
                                             &signature_size, nullptr, nullptr, nullptr);
    });
    // II.23.2.4: FIELD, then the type.
    if (own != name || signature_size < 2) continue;
    const PlainKind plain = plain_kind(il::without_modifiers({signature + 1, signature_size - 1}));
    if (plain.kind == ORIEL_VALUE_NONE) return Field{ORIEL_VALUE_STRUCT, room_at(field.offset), field.offset};
    return Field{plain.kind, plain.size, field.offset};
  }
  return std::nullopt;
}

oriel_object* ObjectFields::reference_of_base(oriel_object* object, const char* name) {
  const auto address = reinterpret_cast<uintptr_t>(object);
  uint32_t offset = base_offset_.load(std::memory_order_relaxed);
  if (offset == 0) {
    const Field field = known_field(outermost_of(object_facts(address).class_id), name);
    if (field.kind != ORIEL_VALUE_OBJECT) return nullptr;
    offset = field.offset;
    base_offset_.store(offset, std::memory_order_relaxed);
  }
  return *reinterpret_cast<oriel_object* const*>(address + offset);
}

ClassID ObjectFields::outermost_of(ClassID klass) {
  const Held held;
  ClassID last = klass;
  for (ClassID base = klass; base != 0;) {
    ModuleID module = 0;
    Token type = 0;
    ClassID next = 0;
    uint32_t arguments = 0;
    if (failed(info_.GetClassIDInfo2(held, base, &module, &type, &next, 0, &arguments, nullptr))) return 0;
    if (next != 0) last = base;
    base = next;
  }
  return last;
}

std::u16string_view ObjectFields::units_of(oriel_object* object, size_t most) const {
  if (string_text_ == 0) return {};
  const auto address = reinterpret_cast<uintptr_t>(object);
  uint32_t length = 0;
  std::memcpy(&length, reinterpret_cast<const void*>(address + string_length_), sizeof length);
  return {reinterpret_cast<const char16_t*>(address + string_text_), std::min<size_t>(length, most)};
}

size_t ObjectFields::text_of(oriel_object* object, char* buffer, size_t size) const {
  if (size == 0) return 0;
  buffer[0] = '\0';
  if (object == nullptr || string_text_ == 0) return 0;
  // Text beyond the buffer is not converted: a UTF-16 unit needs at least one byte.
  const std::string utf8 = utf8_of(units_of(object, size));
  const size_t used = utf8_end(utf8, size - 1);
  std::memcpy(buffer, utf8.data(), used);
  buffer[used] = '\0';
  return used;
}

void ObjectFields::forget_all() {
  const std::lock_guard guard(lock_);
  known_.clear();
}

}  // namespace oriel::coreclr
