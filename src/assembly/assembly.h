// An assembly read from its file: types, methods, attributes, code. Nothing of a file is trusted.
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
  std::string name_space;  // "" of a nested type
  std::string name;        // as metadata has it: "Dictionary`2"
  uint32_t outer = 0;      // row of the type that it is nested in, 0: none
  uint32_t flags = 0;
  Metadata::Range methods = {};  // rows
};

struct Method {
  uint32_t type = 0;  // row
  std::string name;   // as metadata has it
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
  // The error is what is wrong with it, without the path: "it is no assembly".
  static Result<Assembly> open(const std::string& path);
  static Result<Assembly> parse(std::vector<uint8_t> file);

  std::string name() const { return metadata_.string(Table::kAssembly, 1, 7); }
  // Of the assemblies that it refers to.
  std::vector<std::string> references() const;
  // 32 hexadecimal digits, in the order of the bytes.
  std::string mvid() const;
  // What it says of its symbols, if it does.
  std::optional<metadata::DebugDirectory> debug_directory() const;

  // Rows are counted from 1, as everywhere; of a row that there is not everything is empty.
  uint32_t type_count() const { return static_cast<uint32_t>(types_.size() - 1); }
  const Type& type(uint32_t row) const { return types_[row < types_.size() ? row : 0]; }
  uint32_t method_count() const { return static_cast<uint32_t>(methods_.size() - 1); }
  const Method& method(uint32_t row) const { return methods_[row < methods_.size() ? row : 0]; }
  // From its header to the end of the section; empty if it has no IL.
  std::span<const uint8_t> body(uint32_t row) const;
  // With the signatures of all that is called, and of the method's own. The assembly must live as long.
  il::MethodFacts facts(uint32_t row, uint32_t locals_token) const;

  // Of the type, method, property or the assembly (kWholeAssembly) with that token.
  std::vector<Attribute> attributes(uint32_t token) const;
  static constexpr uint32_t kWholeAssembly = uint32_t{0x20} << 24 | 1;
  // The token of the property or event whose accessor the method is; 0 if it is none.
  uint32_t accessed_by(uint32_t method_row) const;

  // Namespace and names from the outermost type on, of a type of this assembly or one that it refers to.
  metadata::TypePath type_path(uint32_t token) const;
  std::vector<std::string> generic_parameters(uint32_t token) const;
  std::span<const uint8_t> signature(uint32_t token) const;
  std::span<const uint8_t> type_spec(uint32_t token) const;
  // The name of a method or field that code names, and of its type: {"System.Threading.Monitor", "Exit"}.
  struct Member {
    std::string type;
    std::string name;
  };
  Member member(uint32_t token) const;
  // The name of a type of this assembly or another: "Shop.Cart+Item".
  std::string full_name(uint32_t token) const;
  // The row of the type that a field of this assembly is in.
  uint32_t owner_of_field(uint32_t row) const;
  const Metadata& metadata() const { return metadata_; }
  // All bytes of it.
  std::span<const uint8_t> file() const { return file_; }

 private:
  // False where names take more than that.
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
  std::vector<std::pair<uint32_t, uint32_t>> attributes_;  // whose, and the row, sorted
  std::vector<std::pair<uint32_t, uint32_t>> accessors_;   // method, and of what, sorted
  std::vector<std::pair<uint32_t, uint32_t>> parameters_;  // generic ones: whose, and the row, sorted
};

}  // namespace oriel::assembly
