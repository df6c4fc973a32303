#include "plugins/info/method_info.h"

#include <cstring>

#include "base/text/utf16.h"
#include "il/byte_reader.h"
#include "il/compressed.h"
#include "il/signature.h"
#include "plugins/code/decode.h"
#include "plugins/code/factory.h"
#include "plugins/code/signature_builder.h"
#include "plugins/code/single_return.h"
#include "plugins/code/types.h"
#include "plugins/info/enumerator.h"
#include "plugins/text.h"

namespace oriel::plugins {
namespace {

// CorMethodAttr.
constexpr uint32_t kAccess = 0x7, kPrivate = 0x1, kPublic = 0x6, kStatic = 0x10, kSpecialName = 0x800;

}  // namespace

MethodInfo::MethodInfo(ComPtr<ModuleInfo> module, Token token, FunctionID function)
    : module_(std::move(module)), token_(token), function_(function) {}

MethodInfo::MethodInfo(ComPtr<ModuleInfo> module, FunctionID function, Dynamic dynamic)
    : module_(std::move(module)), token_(coreclr::kMethodDefTable), function_(function), dynamic_(std::move(dynamic)) {
  constexpr uint8_t kHasThis = 0x20;
  const bool is_static = dynamic_->signature.empty() || (dynamic_->signature[0] & kHasThis) == 0;
  facts_ = Facts{dynamic_->name, {0, kPublic | (is_static ? kStatic : 0), 0, dynamic_->signature}, 0};
}

MethodInfo::~MethodInfo() {
  if (graph_) graph_->method = nullptr;
}

// Facts from its metadata.

const MethodInfo::Facts* MethodInfo::facts() {
  if (facts_) return &*facts_;
  const coreclr::ModuleMetadata metadata = module_->metadata();
  if (!metadata.is_open()) return nullptr;
  const auto definition = metadata.definition(token_);
  if (!definition) return nullptr;
  facts_ = Facts{utf8_of(metadata.name_of(token_)), *definition, metadata.generic_arity(token_)};
  return &*facts_;
}

std::string MethodInfo::name() {
  const Facts* known = facts();
  if (known == nullptr) return {};
  std::string text = known->name;
  for (uint32_t i = 0; i < known->generic_parameters; ++i) text += (i == 0 ? "<!!" : ",!!") + std::to_string(i);
  return known->generic_parameters > 0 ? text + ">" : text;
}

std::string MethodInfo::full_name() {
  const Facts* known = facts();
  if (known == nullptr || dynamic_) return name();
  return module_->type_name(known->definition.type) + "." + name();
}

HResult MethodInfo::GetModuleInfo(IModuleInfo** module) {
  return module == nullptr ? kPointerError : give(module_, module);
}
HResult MethodInfo::GetName(Bstr* out) {
  if (out == nullptr) return kPointerError;
  return facts() == nullptr ? kFail : answer(make_bstr(name()), out);
}
HResult MethodInfo::GetFullName(Bstr* out) {
  if (out == nullptr) return kPointerError;
  return facts() == nullptr ? kFail : answer(make_bstr(full_name()), out);
}

HResult MethodInfo::GetClassId(ClassID* id) {
  if (id == nullptr) return kPointerError;
  if (function_ == 0) return kFail;
  const HResult result = module_->runtime().GetFunctionInfo(function_, id, nullptr, nullptr);
  return succeeded(result) && *id == 0 ? kFail : result;
}
HResult MethodInfo::GetFunctionId(FunctionID* id) {
  if (id == nullptr) return kPointerError;
  return function_ == 0 ? kFail : answer(function_, id);
}
HResult MethodInfo::GetMethodToken(Token* token) { return answer(token_, token); }
HResult MethodInfo::GetGenericParameterCount(uint32_t* count) {
  return facts() == nullptr ? kFail : answer(facts_->generic_parameters, count);
}

HResult MethodInfo::ask_bool(Bool* value, bool (*is)(const Facts&)) {
  if (value == nullptr) return kPointerError;
  return facts() == nullptr ? kFail : answer<Bool>(is(*facts_) ? 1 : 0, value);
}

HResult MethodInfo::GetIsStatic(Bool* value) {
  return ask_bool(value, [](const Facts& f) { return (f.definition.attributes & kStatic) != 0; });
}
HResult MethodInfo::GetIsPublic(Bool* value) {
  return ask_bool(value, [](const Facts& f) { return (f.definition.attributes & kAccess) == kPublic; });
}
HResult MethodInfo::GetIsPrivate(Bool* value) {
  return ask_bool(value, [](const Facts& f) { return (f.definition.attributes & kAccess) == kPrivate; });
}
HResult MethodInfo::GetIsPropertyGetter(Bool* value) {
  return ask_bool(value, [](const Facts& f) {
    return (f.definition.attributes & kSpecialName) != 0 && f.name.starts_with("get_");
  });
}
HResult MethodInfo::GetIsPropertySetter(Bool* value) {
  return ask_bool(value, [](const Facts& f) {
    return (f.definition.attributes & kSpecialName) != 0 && f.name.starts_with("set_");
  });
}
HResult MethodInfo::GetIsFinalizer(Bool* value) {
  return ask_bool(value, [](const Facts& f) { return f.name == "Finalize"; });
}
HResult MethodInfo::GetIsConstructor(Bool* value) {
  return ask_bool(value, [](const Facts& f) { return f.name == ".ctor"; });
}
HResult MethodInfo::GetIsStaticConstructor(Bool* value) {
  return ask_bool(value, [](const Facts& f) { return f.name == ".cctor"; });
}

HResult MethodInfo::GetParameters(IEnumMethodParameters** parameters) {
  if (parameters == nullptr) return kPointerError;
  if (facts() == nullptr) return kFail;
  const auto types = il::read_method_types(facts_->definition.signature);
  if (!types) return kUnexpected;
  std::vector<ComPtr<IMethodParameter>> all;
  for (const auto& type : types->parameters)
    all.push_back(ComPtr<IMethodParameter>(new Typed<IMethodParameter>(make_type(type, module_))));
  return give_list(std::move(all), parameters);
}

HResult MethodInfo::GetReturnType(IType** type) {
  if (type == nullptr) return kPointerError;
  if (facts() == nullptr) return kFail;
  const auto types = il::read_method_types(facts_->definition.signature);
  return types ? give(make_type(types->result, module_), type) : kUnexpected;
}

HResult MethodInfo::GetDeclaringType(IType** type) {
  if (type == nullptr) return kPointerError;
  if (facts() == nullptr || dynamic_) return kFail;
  const coreclr::ModuleMetadata metadata = module_->metadata();
  Token extends = 0;
  metadata.type_name(facts_->definition.type, &extends);
  const std::u16string base = metadata.type_name(extends);
  const bool is_value = base == u"System.ValueType" || base == u"System.Enum";
  const auto element = static_cast<ElementType>(is_value ? Element::kValueType : Element::kClass);
  return make<TypeCreator>(module_)->FromToken(element, facts_->definition.type, type);
}

HResult MethodInfo::GetCorSignature(uint32_t size, uint8_t* signature, uint32_t* needed) {
  if (needed == nullptr) return kPointerError;
  if (facts() == nullptr) return kFail;
  const std::span<const uint8_t> bytes = facts_->definition.signature;
  if (signature != nullptr && size < bytes.size()) return kFail;
  copy_out(bytes, size, signature, needed);
  return signature == nullptr ? kFalse : kOk;
}

HResult MethodInfo::GetAttributes(uint32_t* attributes) {
  return facts() == nullptr ? kFail : answer(facts_->definition.attributes, attributes);
}
HResult MethodInfo::MethodImplFlags(uint32_t* flags) {
  return facts() == nullptr ? kFail : answer(facts_->definition.implementation, flags);
}
HResult MethodInfo::GetCodeRva(uint32_t* rva) {
  if (rva == nullptr) return kPointerError;
  if (dynamic_) return kFail;
  const coreclr::ModuleMetadata metadata = module_->metadata();
  uint32_t implementation = 0;
  return metadata.is_open() ? metadata.import().GetRVA(token_, rva, &implementation) : kFail;
}

HResult MethodInfo::GetRejitCodeGenFlags(uint32_t* flags) { return answer(codegen_flags_, flags); }
HResult MethodInfo::SetRejitCodeGenFlags(uint32_t flags) {
  codegen_flags_ = flags;
  return kOk;
}
HResult MethodInfo::GetRejitCount(uint32_t* count) { return answer(rejit_count_, count); }

HResult MethodInfo::GetInstructionFactory(IInstructionFactory** factory) {
  return factory == nullptr ? kPointerError : give(make<InstructionFactory>(), factory);
}
HResult MethodInfo::GetSingleRetDefaultInstrumentation(ISingleRetDefaultInstrumentation** single) {
  return single == nullptr ? kPointerError : give(make<SingleReturn>(), single);
}

HResult MethodInfo::GetLocalVariables(ILocalVariableCollection** locals) {
  return locals == nullptr ? kPointerError : give(share<ILocalVariableCollection>(&locals_now_), locals);
}
HResult MethodInfo::GetOriginalLocalVariables(ILocalVariableCollection** locals) {
  return locals == nullptr ? kPointerError : give(share<ILocalVariableCollection>(&locals_before_), locals);
}

HResult MethodInfo::GetLocalVarSigToken(Token* token) {
  if (token == nullptr) return kPointerError;
  *token = locals();
  return kOk;
}
HResult MethodInfo::SetLocalVarSigToken(Token token) {
  set_locals(token);
  return kOk;
}

}  // namespace oriel::plugins
