#include "runtimes/scripted/editor.h"

#include <algorithm>

#include "engine/filters.h"
#include "runtimes/scripted/scripted_runtime.h"

namespace oriel::scripted {
namespace {

Status no_metadata() { return Status::error("a script's images have no metadata to add to"); }

}  // namespace

Thing* ScriptedEditor::find(const oriel_image& image, Kind kind, uint32_t token) {
  Thing* const thing = world_.by_token(token);
  if (thing == nullptr || thing->kind != kind) return nullptr;
  const Thing* const its = kind == Kind::kClass ? thing->parent : thing->parent->parent;
  return its->runtime_id == image.runtime_id ? thing : nullptr;
}

std::vector<Thing*> ScriptedEditor::children_of(const oriel_image& image) {
  const Thing* const thing = world_.by_runtime_id(image.runtime_id);
  return thing == nullptr ? std::vector<Thing*>() : world_.children(*thing);
}

Result<uint32_t> ScriptedEditor::token(oriel_image& image, NamedToken kind, const std::string& text) {
  if (kind != NamedToken::kType && kind != NamedToken::kMember) return no_metadata();
  const size_t colons = std::min(text.find("::"), text.size());
  for (const Thing* klass : children_of(image)) {
    if (klass->name != text.substr(0, colons)) continue;
    if (kind == NamedToken::kType) return klass->token;
    for (const Thing* method : world_.children(*klass))
      if (text.substr(colons) == "::" + method->name) return method->token;
  }
  return Status::error("the image has no " + text);
}

std::vector<uint32_t> ScriptedEditor::types(oriel_image& image) {
  std::vector<uint32_t> tokens;
  for (const Thing* klass : children_of(image)) tokens.push_back(klass->token);
  return tokens;
}

std::vector<uint32_t> ScriptedEditor::members(oriel_image& image, uint32_t type, const char* name) {
  std::vector<uint32_t> tokens;
  const Thing* const klass = find(image, Kind::kClass, type);
  if (klass == nullptr) return tokens;
  for (const Thing* method : world_.children(*klass))
    if (name == nullptr || method->name == name) tokens.push_back(method->token);
  return tokens;
}

std::string ScriptedEditor::token_name(oriel_image& image, uint32_t token) {
  if (const Thing* const klass = find(image, Kind::kClass, token)) return klass->name;
  const Thing* const method = find(image, Kind::kMethod, token);
  return method == nullptr ? "" : method->parent->name + "." + method->name + "()";
}

oriel_method* ScriptedEditor::method(oriel_image& image, uint32_t token) {
  const Thing* const thing = find(image, Kind::kMethod, token);
  return thing == nullptr ? nullptr : method_of(*thing);
}

Result<uint32_t> ScriptedEditor::define_type(oriel_image&, const std::string&, const std::string&, uint32_t) {
  return no_metadata();
}

Result<uint32_t> ScriptedEditor::define_field(oriel_image&, const std::string&, uint32_t) { return no_metadata(); }

Result<uint32_t> ScriptedEditor::define_method(oriel_image&, const std::string&, uint32_t, const MakeCode&) {
  return no_metadata();
}

void ScriptedEditor::recompile_methods(std::span<oriel_method* const> methods) {
  for (oriel_method* method : methods)
    if (!method->unloaded.load() && !method->image->unloaded.load()) ask_filters(method, method->image);
}

Inliners ScriptedEditor::inliners(oriel_method&) { return {{}, ORIEL_INLINERS_PRECOMPILED | ORIEL_INLINERS_BEFORE}; }

}  // namespace oriel::scripted
