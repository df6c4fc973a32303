// An assembly read from its file: types, methods, attributes, code. Files are not trusted.
//
//   Result<Assembly> assembly = Assembly::open("Shop.dll");
//   for (uint32_t row = 1; row <= assembly->method_count(); ++row) assembly->method(row).name;
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assembly/image.h"
#include "assembly/metadata.h"
#include "base/status.h"
#include "il/stack.h"
#include "metadata/debug_directory.h"
#include "metadata/type_text.h"

namespace oriel::assembly {

struct Type {
  std::string name_space;  // "" for a nested type
  std::string name;        // metadata name: "Dictionary`2"
  uint32_t outer = 0;      // row of the enclosing type, 0: none
  uint32_t flags = 0;
  Metadata::Range methods = {};  // rows
};

struct Method {
  uint32_t type = 0;  // row
  std::string name;   // metadata name
  uint32_t address = 0;
  uint16_t flags = 0;
  bool has_il = false;
};

struct Attribute {
  std::string type;  // "System.Diagnostics.CodeAnalysis.ExcludeFromCodeCoverageAttribute"
  uint32_t type_token = 0;
  std::span<const uint8_t> value;
};

class Assembly {
 public:
  // The error is the reason without the path: "it is no assembly".
  static Result<Assembly> open(const std::string& path);
  static Result<Assembly> parse(std::vector<uint8_t> file);

  std::string name() const { return metadata_.string(Table::kAssembly, 1, 7); }
  // Simple names of the assemblies that it references.
  std::vector<std::string> references() const;
  // 32 hexadecimal digits, in byte order.
  std::string mvid() const;
  // References to its symbols, if any.
  std::optional<metadata::DebugDirectory> debug_directory() const;

  // Rows count from 1; a row that does not exist has empty values.
  uint32_t type_count() const { return static_cast<uint32_t>(types_.size() - 1); }
  const Type& type(uint32_t row) const { return types_[row < types_.size() ? row : 0]; }
  uint32_t method_count() const { return static_cast<uint32_t>(methods_.size() - 1); }
  const Method& method(uint32_t row) const { return methods_[row < methods_.size() ? row : 0]; }
  // From its header to the end of the section; empty if the method has no IL.
  std::span<const uint8_t> body(uint32_t row) const;
  // With the signatures of all callees, and of the method itself. Must not outlive the assembly.
  il::MethodFacts facts(uint32_t row, uint32_t locals_token) const;

  // The attributes of the type, method, property or the assembly (kWholeAssembly) with that token.
  std::vector<Attribute> attributes(uint32_t token) const;
  static constexpr uint32_t kWholeAssembly = uint32_t{0x20} << 24 | 1;
  // The token of the property or event that the method is an accessor of; 0 if it is none.
  uint32_t accessed_by(uint32_t method_row) const;

  // Namespace and names, outermost first, of a type in this assembly or a referenced one.
  metadata::TypePath type_path(uint32_t token) const;
  std::vector<std::string> generic_parameters(uint32_t token) const;
  std::span<const uint8_t> signature(uint32_t token) const;
  std::span<const uint8_t> type_spec(uint32_t token) const;
  // The name of a method or field used by code, and of its type: {"System.Threading.Monitor", "Exit"}.
  struct Member {
    std::string type;
    std::string name;
  };
  Member member(uint32_t token) const;
  // The name of a type in this assembly or another: "Shop.Cart+Item".
  std::string full_name(uint32_t token) const;
  // The row of the type that contains a field of this assembly.
  uint32_t owner_of_field(uint32_t row) const;
  const Metadata& metadata() const { return metadata_; }
  // The whole file.
  std::span<const uint8_t> file() const { return file_; }

 private:
  // False if names exceed that.
  bool read_types(uint64_t& names_left);
  bool read_methods(uint64_t& names_left);
  void read_attributes();
  void read_accessors();
  uint32_t attribute_type(uint32_t row) const;

  std::vector<uint8_t> file_;
  Image image_;
  Metadata metadata_;
  std::vector<Type> types_ = {{}};
  std::vector<Method> methods_ = {{}};
  std::vector<std::pair<uint32_t, uint32_t>> attributes_;  // (parent, row), sorted
  std::vector<std::pair<uint32_t, uint32_t>> accessors_;   // (method, property or event), sorted
  std::vector<std::pair<uint32_t, uint32_t>> parameters_;  // generic parameters: (owner, row), sorted
};

}  // namespace oriel::assembly
