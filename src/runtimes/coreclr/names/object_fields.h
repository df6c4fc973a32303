// Fields of live objects, found by name.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "oriel/oriel.h"
#include "runtimes/coreclr/loaded_modules.h"

namespace oriel::coreclr {

class ObjectFields {
 public:
  ObjectFields(ProfilerInfo& info, LoadedModules& modules);

  // Of an object that cannot move meanwhile. Any thread.
  bool field_of(oriel_object* object, const char* name, oriel_value* value);
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
  Field look_up(ClassID klass, const std::string& name);
  std::optional<Field> own_field(ClassID klass, ModuleID module, const std::string& name);

  ProfilerInfo& info_;
  LoadedModules& modules_;
  uint32_t string_length_ = 0;  // offsets in a System.String
  uint32_t string_text_ = 0;
  std::mutex lock_;
  std::map<std::pair<ClassID, std::string>, Field> known_;
};

}  // namespace oriel::coreclr
