#include "plugins/code/types.h"

#include "il/byte_reader.h"
#include "il/compressed.h"
#include "il/signature.h"
#include "plugins/code/element_names.h"
#include "plugins/code/signature_builder.h"
#include "plugins/info/enumerator.h"
#include "plugins/info/module_info.h"
#include "plugins/text.h"

namespace oriel::plugins {
namespace {

using Bytes = std::span<const uint8_t>;

struct TypeFacts {
  std::vector<uint8_t> bytes;
  std::vector<uint8_t> bare;  // without modifiers and pins
  ComPtr<ModuleInfo> module;

  Element element() const { return Element{bare[0]}; }
  // The number that follows the element type: a coded token, or a parameter's position.
  uint32_t number() const {
    il::ByteReader reader(bare, 1);
    return il::read_compressed(reader);
  }
  Token token() const {
    constexpr Token kTables[] = {0x02000000, 0x01000000, 0x1b000000, 0};
    return kTables[number() & 3] | number() >> 2;
  }
};

bool is_primitive(Element element) {
  return element <= Element::kString || element == Element::kIntPtr || element == Element::kUIntPtr;
}

// The part that all types share.
template <typename Base>
class TypeOf : public Base {
 public:
  explicit TypeOf(TypeFacts facts) : facts_(std::move(facts)) {}

  HResult AddToSignature(ISignatureBuilder* builder) override {
    if (builder == nullptr) return kPointerError;
    return builder->AddData(facts_.bytes.data(), static_cast<uint32_t>(facts_.bytes.size()));
  }
  HResult GetCorElementType(ElementType* type) override {
    if (type == nullptr) return kPointerError;
    *type = static_cast<ElementType>(facts_.element());
    return kOk;
  }
  HResult IsPrimitive(Bool* value) override { return answer_bool(is_primitive(facts_.element()), value); }
  HResult IsArray(Bool* value) override {
    return answer_bool(facts_.element() == Element::kArray || facts_.element() == Element::kSzArray, value);
  }
  HResult IsClass(Bool* value) override { return answer_bool(false, value); }
  HResult GetName(Bstr* name) override {
    if (name == nullptr) return kPointerError;
    *name = make_bstr(element_name(facts_.element()));
    return kOk;
  }

 protected:
  const TypeFacts& facts() const { return facts_; }

 private:
  const TypeFacts facts_;
};

using PlainType = TypeOf<Container<IType>>;

class NamedType final : public TypeOf<Container<IType, ITokenType>> {
 public:
  using TypeOf::TypeOf;

  HResult GetName(Bstr* name) override {
    if (name == nullptr) return kPointerError;
    const std::string text = facts().module->type_name(facts().token());
    if (text.empty()) return kFail;
    *name = make_bstr(text);
    return kOk;
  }
  HResult GetToken(Token* token) override {
    if (token == nullptr) return kPointerError;
    *token = facts().token();
    return kOk;
  }
  HResult GetOwningModule(IModuleInfo** module) override {
    if (module == nullptr) return kPointerError;
    return give(facts().module, module);
  }
};

class CompositeType final : public TypeOf<Container<IType, ICompositeType>> {
 public:
  using TypeOf::TypeOf;

  HResult GetRelatedType(IType** type) override {
    if (type == nullptr) return kPointerError;
    const Bytes related = il::first_type(Bytes(facts().bare).subspan(1));
    return give(make_type(related, facts().module), type);
  }
};

class GenericParameter final : public TypeOf<Object<IGenericParameterType, IType>> {
 public:
  using TypeOf::TypeOf;

  HResult GetPosition(uint32_t* position) override {
    if (position == nullptr) return kPointerError;
    *position = facts().number();
    return kOk;
  }
};

std::vector<ComPtr<IType>> read_types(Bytes bytes, uint32_t count, const ComPtr<ModuleInfo>& module, size_t& read) {
  std::vector<ComPtr<IType>> types;
  for (; count > 0; --count) {
    const Bytes next = il::first_type(bytes.subspan(read));
    if (next.empty()) return {};
    types.push_back(make_type(next, module));
    read += next.size();
  }
  return types;
}

template <typename T>
void put(T value, T* out) {
  if (out != nullptr) *out = value;
}

}  // namespace

ComPtr<IType> make_type(Bytes type, const ComPtr<ModuleInfo>& module) {
  const Bytes bare = il::without_modifiers(type);
  if (bare.empty()) return {};
  TypeFacts facts{{type.begin(), type.end()}, {bare.begin(), bare.end()}, module};
  switch (facts.element()) {
    case Element::kClass:
    case Element::kValueType:
      return ComPtr<IType>(new NamedType(std::move(facts)));
    case Element::kPointer:
    case Element::kByRef:
    case Element::kSzArray:
    case Element::kArray:
    case Element::kGenericInst:
      return ComPtr<IType>(new CompositeType(std::move(facts)));
    case Element::kVar:
    case Element::kMVar:
      return ComPtr<IType>(new GenericParameter(std::move(facts)));
    default:
      return ComPtr<IType>(new PlainType(std::move(facts)));
  }
}

TypeCreator::TypeCreator(ComPtr<ModuleInfo> module) : module_(std::move(module)) {}
TypeCreator::~TypeCreator() = default;

HResult TypeCreator::FromSignature(uint32_t size, const uint8_t* signature, IType** type, uint32_t* read) {
  if (signature == nullptr || type == nullptr) return kPointerError;
  if (size == 0) return kInvalidArgument;
  *type = nullptr;
  put(0u, read);
  const Bytes first = il::first_type({signature, size});
  if (first.empty()) return il::first_type({signature, 1}).empty() && size > 1 ? kInvalidArgument : kNotImplemented;
  put(static_cast<uint32_t>(first.size()), read);
  return give(make_type(first, module_), type);
}

HResult TypeCreator::FromCorElement(ElementType element, IType** type) {
  if (type == nullptr) return kPointerError;
  *type = nullptr;
  const auto code = static_cast<uint8_t>(element);
  const auto kind = Element{code};
  const bool known = element > 0 && element < 0x20 && (is_primitive(kind) || kind == Element::kObject);
  return known ? give(make_type({&code, 1}, module_), type) : kNotImplemented;
}

HResult TypeCreator::FromToken(ElementType element, Token token, IType** type) {
  if (type == nullptr) return kPointerError;
  const auto kind = Element{static_cast<uint8_t>(element)};
  if (kind != Element::kClass && kind != Element::kValueType) return kInvalidArgument;
  const ComPtr<SignatureBuilder> builder = make<SignatureBuilder>();
  builder->AddElementType(element);
  if (const HResult result = builder->AddToken(token); failed(result)) return result;
  return give(make_type(bytes_of(*builder.get()), module_), type);
}

HResult TypeCreator::ParseMethodSignature(const uint8_t* signature, uint32_t size, uint32_t* calling_convention,
                                          IType** return_type, IEnumTypes** parameters, uint32_t* generic_parameters,
                                          uint32_t* read) {
  constexpr uint8_t kGeneric = 0x10, kField = 6, kLocals = 7, kProperty = 8, kInstance = 0x0a, kNone = 0x0c;
  if (signature == nullptr) return kPointerError;
  const Bytes bytes(signature, size);
  il::ByteReader reader(bytes);
  const auto convention = reader.read<uint8_t>();
  for (uint8_t other : {kField, kLocals, kProperty, kInstance, kNone})
    if (convention == other) return kUnexpected;
  const uint32_t generic = (convention & kGeneric) != 0 ? il::read_compressed(reader) : 0;
  const uint32_t count = il::read_compressed(reader);
  if (!reader.ok()) return kUnexpected;
  size_t at = reader.at();
  const std::vector<ComPtr<IType>> result = read_types(bytes, 1, module_, at);
  const std::vector<ComPtr<IType>> types = read_types(bytes, count, module_, at);
  if (result.empty() || types.size() != count) return kUnexpected;
  put(uint32_t{convention}, calling_convention);
  put(generic, generic_parameters);
  put(static_cast<uint32_t>(at), read);
  if (return_type != nullptr) give(result[0], return_type);
  return parameters == nullptr ? kOk : give_list(types, parameters);
}

HResult TypeCreator::ParseLocalVarSignature(const uint8_t* signature, uint32_t size, uint32_t* calling_convention,
                                            IEnumTypes** types, uint32_t* read) {
  constexpr uint8_t kLocals = 7;
  if (signature == nullptr) return kPointerError;
  const Bytes bytes(signature, size);
  il::ByteReader reader(bytes);
  if (reader.read<uint8_t>() != kLocals) return kUnexpected;
  const uint32_t count = il::read_compressed(reader);
  size_t at = reader.at();
  const std::vector<ComPtr<IType>> all =
      reader.ok() ? read_types(bytes, count, module_, at) : std::vector<ComPtr<IType>>();
  if (!reader.ok() || all.size() != count) return kUnexpected;
  put(uint32_t{kLocals}, calling_convention);
  put(static_cast<uint32_t>(at), read);
  return types == nullptr ? kOk : give_list(all, types);
}

HResult TypeCreator::ParseTypeSequence(const uint8_t* buffer, uint32_t size, uint32_t count, IEnumTypes** types,
                                       uint32_t* read) {
  if (buffer == nullptr) return kPointerError;
  size_t at = 0;
  const std::vector<ComPtr<IType>> all = read_types({buffer, size}, count, module_, at);
  if (all.size() != count) return kUnexpected;
  put(static_cast<uint32_t>(at), read);
  return types == nullptr ? kOk : give_list(all, types);
}

}  // namespace oriel::plugins
