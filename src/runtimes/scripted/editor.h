// The editor of a script's images: its classes and methods are their metadata. There is no code to change.
#pragma once

#include <string>
#include <vector>

#include "engine/code_editor.h"
#include "runtimes/scripted/world.h"

namespace oriel::scripted {

class ScriptedEditor final : public CodeEditor {
 public:
  explicit ScriptedEditor(World& world) : world_(world) {}

  // "CLASS", or "CLASS::METHOD".
  Result<uint32_t> token(oriel_image& image, NamedToken kind, const std::string& text) override;
  std::vector<uint32_t> types(oriel_image& image) override;
  std::vector<uint32_t> members(oriel_image& image, uint32_t type, const char* name) override;
  std::string token_name(oriel_image& image, uint32_t token) override;
  oriel_method* method(oriel_image& image, uint32_t token) override;
  Result<uint32_t> define_type(oriel_image& image, const std::string& type, const std::string& base,
                               uint32_t attributes) override;
  Result<uint32_t> define_field(oriel_image& image, const std::string& field, uint32_t attributes) override;
  Result<uint32_t> define_method(oriel_image& image, const std::string& method, uint32_t attributes,
                                 const MakeCode& make) override;
  // They only ask the filters.
  void recompile_methods(std::span<oriel_method* const> methods) override;
  void update_probes(std::span<oriel_method* const> methods, std::span<oriel_method* const> to_clear) override {
    recompile_methods(methods);
    recompile_methods(to_clear);
  }
  Inliners inliners(oriel_method& method) override;

 private:
  // The class or method of the image with this token; nullptr if there is none.
  Thing* find(const oriel_image& image, Kind kind, uint32_t token);
  std::vector<Thing*> children_of(const oriel_image& image);

  World& world_;
};

}  // namespace oriel::scripted
