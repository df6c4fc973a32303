#include "runtimes/coreclr/instrument/inlined_calls.h"

#include <algorithm>
#include <iterator>

#include "il/decode.h"
#include "metadata/signature.h"

namespace oriel::coreclr {
namespace {

constexpr uint32_t kNoInlining = 0x0008, kAggressiveInlining = 0x0100;
// What the compiler takes at most of methods without the attribute, where a profile says that it is worth it.
constexpr size_t kLargestInlined = 1024;

// The type of this module that a memberRef's parent is or is made of; 0 for other modules' types and for arrays.
Token type_in_module(const ModuleMetadata& metadata, Token parent) {
  if (table_of(parent) == kTypeDefTable) return parent;
  const std::span<const uint8_t> signature = metadata.type_spec(parent);
  if (signature.empty()) return 0;
  const auto type = metadata::decode_type_signature(signature);
  return type && table_of(type->token) == kTypeDefTable ? type->token : 0;
}

// `new string(…)` is compiled as a call of one of these.
void add_string_factories(MetaDataImport& import, Token type, std::vector<Token>& callees) {
  MetaEnum list = nullptr;
  Token found[16];
  uint32_t count = 0;
  if (succeeded(import.EnumMethodsWithName(&list, type, u"Ctor", found, std::size(found), &count))) {
    callees.insert(callees.end(), found, found + count);
  }
  import.CloseEnum(list);
}

bool is_string_constructor(const ModuleMetadata& metadata, Token callee) {
  return metadata.name_of(callee) == u".ctor" && metadata.type_name(metadata.owner_of(callee)) == u"System.String";
}

}  // namespace

Token definition_within_module(const ModuleMetadata& metadata, Token callee) {
  callee = metadata.unspecialized(callee);
  if (table_of(callee) != kMemberRefTable) return callee;
  const Token type = type_in_module(metadata, metadata.owner_of(callee));
  if (type == 0) return 0;
  const std::span<const uint8_t> signature = metadata.signature_of(callee);
  Token found = 0;
  const HResult result = metadata.import().FindMethod(type, metadata.name_of(callee).c_str(), signature.data(),
                                                      static_cast<uint32_t>(signature.size()), &found);
  return succeeded(result) ? found : 0;
}

std::vector<Token> calls_within_module(const ModuleMetadata& metadata, std::span<const uint8_t> body) {
  std::vector<Token> callees, made_strings;
  const Result<il::Body> decoded = il::decode(body);
  if (!decoded) return callees;
  for (const il::Instruction* at = decoded->first(); !at->is_end(); at = at->next()) {
    if (at->info().operand == il::OperandKind::Method && at->info().flow == il::Flow::Call)
      callees.push_back(at->token());
  }
  const auto unique = [&] {
    std::sort(callees.begin(), callees.end());
    callees.erase(std::unique(callees.begin(), callees.end()), callees.end());
  };
  unique();
  for (Token& callee : callees) {
    callee = definition_within_module(metadata, callee);
    if (callee != 0 && is_string_constructor(metadata, callee))
      add_string_factories(metadata.import(), metadata.owner_of(callee), made_strings);
  }
  callees.insert(callees.end(), made_strings.begin(), made_strings.end());
  unique();
  std::erase(callees, Token{0});
  return callees;
}

bool may_be_inlined(const MethodDefinition& definition, size_t body_bytes) {
  if (definition.implementation & kNoInlining) return false;
  return body_bytes <= kLargestInlined || (definition.implementation & kAggressiveInlining);
}

}  // namespace oriel::coreclr
