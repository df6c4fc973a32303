#include "assembly/code_members.h"

#include <string_view>
#include <utility>

#include "assembly/names.h"
#include "il/decode.h"
#include "il/signature.h"
#include "metadata/signature.h"
#include "metadata/written_name.h"

namespace oriel::assembly {
namespace {

// The source name of a compiler-made field: "gate" for <gate>5__2, <Gate>k__BackingField and <gate>P.
std::string written_field_name(std::string_view name) {
  if (name == "<>4__this") return "this";
  const size_t end = name.find('>');
  const bool is_made = name.starts_with('<') && end != std::string_view::npos && end > 1;
  return std::string(is_made ? name.substr(1, end - 1) : name);
}

bool is_made(const std::string& name) {
  return name.starts_with('<') ||
         metadata::made_type(metadata::split_arity(name).name, "").origin != metadata::TypeOrigin::kWritten;
}

// The nearest enclosing type from the source.
uint32_t written_around(const Assembly& assembly, uint32_t type) {
  while (assembly.type(type).outer != 0 && is_made(assembly.type(type).name)) type = assembly.type(type).outer;
  return type;
}

// The row in this assembly of a type, or of the generic type of an instance; 0: another assembly's.
uint32_t own_type(const Assembly& assembly, uint32_t token) {
  if (table_of(token) == Table::kTypeSpec) {
    const auto type = metadata::decode_type_signature(assembly.type_spec(token));
    token = type ? type->token : 0;
  }
  return table_of(token) == Table::kTypeDef ? row_of(token) : 0;
}

// The member of that name in a type's list; the first of several overloads.
uint32_t member_of(const Assembly& assembly, uint32_t reference, unsigned list, Table members, unsigned name_column) {
  const Metadata& metadata = assembly.metadata();
  const uint32_t type = own_type(assembly, metadata.token(Table::kMemberRef, reference, 0));
  if (type == 0) return 0;
  const std::string name = metadata.string(Table::kMemberRef, reference, 1);
  const Metadata::Range range = metadata.owned(Table::kTypeDef, type, list, members);
  for (uint32_t row = range.begin; row < range.end; ++row)
    if (metadata.string(members, row, name_column) == name) return row;
  return 0;
}

}  // namespace

uint32_t field_row(const Assembly& assembly, uint32_t token) {
  constexpr unsigned kFields = 4, kName = 1;
  if (table_of(token) == Table::kMemberRef) return member_of(assembly, row_of(token), kFields, Table::kField, kName);
  return table_of(token) == Table::kField ? row_of(token) : 0;
}

uint32_t method_row(const Assembly& assembly, uint32_t token) {
  constexpr unsigned kMethods = 5, kName = 3;
  if (table_of(token) == Table::kMethodSpec) token = assembly.metadata().token(Table::kMethodSpec, row_of(token), 0);
  if (table_of(token) == Table::kMemberRef)
    return member_of(assembly, row_of(token), kMethods, Table::kMethodDef, kName);
  return table_of(token) == Table::kMethodDef ? row_of(token) : 0;
}

CodeMember field_of(const Assembly& assembly, uint32_t token) {
  const uint32_t row = field_row(assembly, token);
  Assembly::Member told = assembly.member(token);
  CodeMember member{std::move(told.type), written_field_name(told.name), row};
  if (row == 0) return member;
  const uint32_t owner = assembly.owner_of_field(row), written = written_around(assembly, owner);
  member.type = owner == written ? source_type(assembly, owner) : "";
  return member;
}

CodeMember method_of(const Assembly& assembly, uint32_t token) {
  const uint32_t row = method_row(assembly, token);
  if (row == 0) {
    Assembly::Member told = assembly.member(token);
    return {std::move(told.type), std::move(told.name), 0};
  }
  SourceMethod written = source_method(assembly, row);
  return {source_type(assembly, written_around(assembly, written.type)), std::move(written.name), row};
}

std::string type_of(const Assembly& assembly, uint32_t token) {
  const uint32_t row = own_type(assembly, token);
  return row != 0 ? source_type(assembly, row) : assembly.full_name(token);
}

std::string argument_name(const Assembly& assembly, uint32_t method, uint32_t argument) {
  constexpr unsigned kParameters = 5, kNumber = 1, kName = 2;
  const Result<il::MethodShape> shape = il::read_method_shape(assembly.signature(method_token(method)));
  if (!shape) return "";
  if (shape->has_this && argument == 0) return "this";
  const uint32_t number = argument + (shape->has_this ? 0 : 1);  // of parameters, from 1
  const Metadata& metadata = assembly.metadata();
  const Metadata::Range range = metadata.owned(Table::kMethodDef, method, kParameters, Table::kParam);
  for (uint32_t row = range.begin; row < range.end; ++row)
    if (metadata.cell(Table::kParam, row, kNumber) == number) return metadata.string(Table::kParam, row, kName);
  return "";
}

std::optional<il::Body> decoded_body(const Assembly& assembly, uint32_t method) {
  const std::span<const uint8_t> bytes = assembly.body(method);
  if (bytes.empty()) return std::nullopt;
  Result<il::Body> body = il::decode(bytes);
  if (!body) return std::nullopt;
  return std::move(*body);
}

}  // namespace oriel::assembly
