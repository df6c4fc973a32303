#include "assembly/names.h"

#include "assembly/code_members.h"
#include "metadata/signature.h"
#include "metadata/written_name.h"

namespace oriel::assembly {
namespace {

using metadata::Style;

std::vector<std::string> written(std::vector<std::string> parameters) {
  for (std::string& name : parameters) name = metadata::written_parameter_name(name);
  return parameters;
}

// A definition's own parameters are shown by their names.
class Scope : public metadata::NameScope {
 public:
  Scope(const Assembly& assembly, uint32_t type, uint32_t method)
      : assembly_(assembly),
        of_type_(written(assembly.generic_parameters(type_token(type)))),
        of_method_(written(assembly.generic_parameters(method_token(method)))) {}

  metadata::TypePath type_path(uint32_t token) const override { return assembly_.type_path(token); }
  std::span<const uint8_t> type_spec(uint32_t token) const override { return assembly_.type_spec(token); }
  std::string internal_type(uint64_t, Style) const override { return {}; }
  std::string class_parameter(uint32_t index, Style) const override {
    return index < of_type_.size() ? of_type_[index] : "?";
  }
  std::string method_parameter(uint32_t index, Style) const override {
    return index < of_method_.size() ? of_method_[index] : "?";
  }
  std::string of_method() const { return metadata::arguments_text(of_method_, Style::kShort); }

 private:
  const Assembly& assembly_;
  const std::vector<std::string> of_type_, of_method_;
};

// The method that a state machine was made of: the one with that name; among several, the one whose attribute names the
// machine.
uint32_t kickoff_method(const Assembly& assembly, uint32_t type, const std::string& name, const std::string& machine) {
  std::vector<uint32_t> candidates;
  const Metadata::Range methods = assembly.type(type).methods;
  for (uint32_t row = methods.begin; row < methods.end; ++row)
    if (assembly.method(row).name == name) candidates.push_back(row);
  if (candidates.size() == 1) return candidates.front();
  for (const uint32_t row : candidates) {
    for (const Attribute& attribute : assembly.attributes(method_token(row))) {
      if (attribute.type.ends_with("StateMachineAttribute") &&
          metadata::attribute_string(attribute.value).ends_with("+" + machine))
        return row;
    }
  }
  return 0;
}

// Moves from a compiler-made class to the enclosing one; false if this one is from the source.
bool step_out(const Assembly& assembly, const std::string& row_name, SourceMethod& found) {
  const Type& type = assembly.type(found.type);
  const auto step = metadata::step_out(type.name, row_name, found.name);
  if (!step || type.outer == 0) return false;
  found.name = step->name + step->suffix;
  if (step->kickoff) found.method = kickoff_method(assembly, type.outer, *step->kickoff, type.name);
  found.type = type.outer;
  return true;
}

// Each parameter is a few bytes that stand for a name of any length; no compiler writes so many.
Result<metadata::MethodSignature> signature_of(const Assembly& assembly, uint32_t method_row) {
  constexpr size_t kLongest = 4096;
  const std::span<const uint8_t> signature = assembly.signature(method_token(method_row));
  if (signature.size() > kLongest) return Status::error("too many parameters");
  return metadata::decode_method_signature(signature);
}

}  // namespace

std::string source_type(const Assembly& assembly, uint32_t type_row) {
  metadata::TypePath path = assembly.type_path(type_token(type_row));
  for (std::string& name : path.names) {
    const metadata::BareName bare = metadata::split_arity(name);
    const std::string plain = metadata::source_type_name(bare.name);
    name = plain + name.substr(bare.name.size());
  }
  return metadata::type_text(path, written(assembly.generic_parameters(type_token(type_row))), Style::kFull);
}

SourceMethod source_method(const Assembly& assembly, uint32_t method_row) {
  const Method& row = assembly.method(method_row);
  SourceMethod found{row.type, method_row, metadata::source_method_name(row.name), {}};
  while (step_out(assembly, row.name, found)) {
  }
  if (found.method == 0) return found;
  const Scope scope(assembly, assembly.method(found.method).type, found.method);
  const auto signature = signature_of(assembly, found.method);
  found.name += scope.of_method();
  if (signature) found.parameters = metadata::parameters_text(signature->parameters, scope, Style::kShort);
  return found;
}

RawSignature raw_signature(const Assembly& assembly, uint32_t method_row) {
  const Scope scope(assembly, assembly.method(method_row).type, method_row);
  const auto signature = signature_of(assembly, method_row);
  if (!signature) return {};
  RawSignature raw{metadata::type_text(signature->result, scope, Style::kRaw), {}};
  for (const metadata::TypeSignature& parameter : signature->parameters)
    raw.parameters += (raw.parameters.empty() ? "" : ",") + metadata::type_text(parameter, scope, Style::kRaw);
  return raw;
}

}  // namespace oriel::assembly
