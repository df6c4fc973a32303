// Profilers' requests about images' code and metadata, except rewriting (engine/code_editor.h).
#pragma once

#include "engine/code_editor.h"
#include "runtimes/coreclr/instrument/instrumenter.h"

namespace oriel::coreclr {

class ImageEditor final : public CodeEditor {
 public:
  ImageEditor(const Names& names, Instrumenter& instrumenter) : names_(names), instrumenter_(instrumenter) {}

  Result<uint32_t> token(oriel_image& image, NamedToken kind, const std::string& text) override;
  std::vector<uint32_t> types(oriel_image& image) override;
  std::vector<uint32_t> members(oriel_image& image, uint32_t type, const char* name) override;
  std::string token_name(oriel_image& image, uint32_t token) override;
  oriel_method* method(oriel_image& image, uint32_t token) override;
  Result<uint32_t> define_type(oriel_image& image, const std::string& type, const std::string& base,
                               uint32_t attributes) override {
    return instrumenter_.definitions.type(image.runtime_id, type, base, attributes);
  }
  Result<uint32_t> define_field(oriel_image& image, const std::string& field, uint32_t attributes) override {
    return instrumenter_.definitions.field(image.runtime_id, field, attributes);
  }
  Result<uint32_t> define_method(oriel_image& image, const std::string& method, uint32_t attributes,
                                 const MakeCode& make) override {
    return instrumenter_.definitions.method(image.runtime_id, method, attributes, make);
  }
  void recompile_methods(std::span<oriel_method* const> methods) override;
  void update_probes(std::span<oriel_method* const> methods, std::span<oriel_method* const> to_clear) override;
  Inliners inliners(oriel_method& method) override;

 private:
  ModuleMetadata metadata(const Held& held, const oriel_image& image);

  const Names names_;
  Instrumenter& instrumenter_;
};

}  // namespace oriel::coreclr
