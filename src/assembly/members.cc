// Resolution of tokens in code: signatures, and owners of members.
#include "assembly/assembly.h"
#include "il/signature.h"

namespace oriel::assembly {
std::span<const uint8_t> Assembly::type_spec(uint32_t token) const {
  return table_of(token) == Table::kTypeSpec ? metadata_.blob(Table::kTypeSpec, row_of(token), 0)
                                             : std::span<const uint8_t>();
}

std::span<const uint8_t> Assembly::signature(uint32_t token) const {
  const uint32_t row = row_of(token);
  switch (table_of(token)) {
    case Table::kMethodDef:
      return metadata_.blob(Table::kMethodDef, row, 4);
    case Table::kMemberRef:
      return metadata_.blob(Table::kMemberRef, row, 2);
    case Table::kStandAloneSig:
      return metadata_.blob(Table::kStandAloneSig, row, 0);
    case Table::kMethodSpec: {
      const uint32_t generic = metadata_.token(Table::kMethodSpec, row, 0);
      return table_of(generic) == Table::kMethodSpec ? std::span<const uint8_t>() : signature(generic);
    }
    default:
      return {};
  }
}

Assembly::Member Assembly::member(uint32_t token) const {
  if (table_of(token) == Table::kMethodSpec) token = metadata_.token(Table::kMethodSpec, row_of(token), 0);
  const uint32_t row = row_of(token);
  constexpr uint32_t kTypes = static_cast<uint32_t>(Table::kTypeDef) << 24;
  switch (table_of(token)) {
    case Table::kMethodDef:
      return {full_name(kTypes | method(row).type), method(row).name};
    case Table::kField:
      return {full_name(kTypes | owner_of_field(row)), metadata_.string(Table::kField, row, 1)};
    case Table::kMemberRef:
      return {full_name(metadata_.token(Table::kMemberRef, row, 0)), metadata_.string(Table::kMemberRef, row, 1)};
    default:
      return {};
  }
}

// Types are in the order of their fields.
uint32_t Assembly::owner_of_field(uint32_t row) const {
  uint32_t low = 1, high = type_count() + 1;  // contains the first type whose fields begin after it
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (metadata_.cell(Table::kTypeDef, middle, 4) > row)
      high = middle;
    else
      low = middle + 1;
  }
  return low - 1;
}

il::MethodFacts Assembly::facts(uint32_t row, uint32_t locals_token) const {
  il::MethodFacts facts;
  facts.call_effect = [this](il::Opcode opcode, uint32_t token) -> std::optional<il::StackEffect> {
    const Result<il::MethodShape> shape = il::read_method_shape(signature(token));
    if (!shape) return std::nullopt;
    return il::call_effect(opcode, *shape);
  };
  const uint32_t token = static_cast<uint32_t>(Table::kMethodDef) << 24 | row;
  if (const Result<il::MethodShape> shape = il::read_method_shape(signature(token))) {
    facts.returns_value = shape->returns_value;
    facts.argument_count = shape->arguments();
  }
  const Result<uint32_t> locals = il::local_count(locals_token ? signature(locals_token) : std::span<const uint8_t>());
  if (locals) facts.local_count = *locals;
  return facts;
}

}  // namespace oriel::assembly
