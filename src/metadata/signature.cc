#include "metadata/signature.h"

namespace oriel::metadata {
namespace {

// A blob with deeper nesting than any compiler makes is corrupt or hostile.
constexpr int kMaxBlobDepth = 100;

// Reads a blob front to back; after the first error every read returns 0 and `ok` stays false.
struct BlobReader {
  std::span<const uint8_t> rest;
  bool ok = true;

  uint8_t byte() {
    if (rest.empty()) {
      ok = false;
      return 0;
    }
    const uint8_t value = rest.front();
    rest = rest.subspan(1);
    return value;
  }

  // An unsigned integer of 1, 2 or 4 bytes (II.23.2).
  uint32_t number() {
    const uint8_t first = byte();
    if ((first & 0x80) == 0) return first;
    if ((first & 0xc0) == 0x80) return (first & 0x3fu) << 8 | byte();
    if ((first & 0xe0) != 0xc0) {
      ok = false;
      return 0;
    }
    uint32_t value = first & 0x1fu;
    for (int i = 0; i < 3; ++i) value = value << 8 | byte();
    return value;
  }

  uint64_t pointer() {
    uint64_t value = 0;
    for (unsigned i = 0; i < sizeof(value); ++i) value |= static_cast<uint64_t>(byte()) << 8 * i;
    return value;
  }

  // TypeDefOrRefOrSpecEncoded (II.23.2.8).
  uint32_t token() {
    static constexpr uint32_t kTables[] = {0x02000000, 0x01000000, 0x1b000000, 0};
    const uint32_t coded = number();
    const uint32_t table = kTables[coded & 3];
    if (table == 0) ok = false;
    return table | coded >> 2;
  }
};

TypeSignature read_type(BlobReader& in, int depth);

void read_method(BlobReader& in, int depth, MethodSignature& method) {
  constexpr uint8_t kKindMask = 0x0f, kVarargKind = 0x05, kIsGeneric = 0x10, kTakesThis = 0x20;
  const uint8_t convention = in.byte();
  method.has_this = (convention & kTakesThis) != 0;
  method.is_vararg = (convention & kKindMask) == kVarargKind;
  if (convention & kIsGeneric) method.generic_parameters = in.number();
  const uint32_t count = in.number();
  if (count > in.rest.size()) in.ok = false;  // a parameter needs at least one byte
  method.result = read_type(in, depth);
  for (uint32_t i = 0; i < count && in.ok; ++i) method.parameters.push_back(read_type(in, depth));
}

void read_children(BlobReader& in, int depth, uint32_t count, TypeSignature& type) {
  if (count > in.rest.size()) in.ok = false;
  for (uint32_t i = 0; i < count && in.ok; ++i) type.children.push_back(read_type(in, depth));
}

void read_array_shape(BlobReader& in, TypeSignature& type) {
  type.number = in.number();
  for (int list = 0; list < 2; ++list) {  // sizes, then lower bounds
    const uint32_t count = in.number();
    for (uint32_t i = 0; i < count && in.ok; ++i) in.number();
  }
}

void read_function_pointer(BlobReader& in, int depth, TypeSignature& type) {
  MethodSignature method;
  read_method(in, depth, method);
  type.children.push_back(std::move(method.result));
  for (TypeSignature& parameter : method.parameters) type.children.push_back(std::move(parameter));
}

// The first element that is no modifier, pin or sentinel.
Element read_element(BlobReader& in) {
  for (;;) {
    const Element kind = static_cast<Element>(in.byte());
    if (kind == Element::kModRequired || kind == Element::kModOptional) {
      in.token();
    } else if (kind == Element::kModInternal) {
      in.byte();  // required or optional
      in.pointer();
    } else if (kind != Element::kPinned && kind != Element::kSentinel) {
      return kind;
    }
    if (!in.ok) return Element::kVoid;
  }
}

TypeSignature read_type(BlobReader& in, int depth) {
  TypeSignature type;
  if (depth > kMaxBlobDepth) in.ok = false;
  if (!in.ok) return type;
  type.kind = read_element(in);
  switch (type.kind) {
    case Element::kPointer:
    case Element::kByRef:
    case Element::kSzArray:
      read_children(in, depth + 1, 1, type);
      if (type.children.empty()) in.ok = false;
      break;
    case Element::kArray:
      read_children(in, depth + 1, 1, type);
      if (type.children.empty()) in.ok = false;
      read_array_shape(in, type);
      break;
    case Element::kClass:
    case Element::kValueType:
      type.token = in.token();
      break;
    case Element::kGenericInst:
      if (static_cast<Element>(in.byte()) == Element::kInternal) {
        type.handle = in.pointer();
      } else {  // class or value type
        type.token = in.token();
      }
      read_children(in, depth + 1, in.number(), type);
      break;
    case Element::kVar:
    case Element::kMVar:
      type.number = in.number();
      break;
    case Element::kFunctionPointer:
      read_function_pointer(in, depth + 1, type);
      break;
    case Element::kInternal:
      type.handle = in.pointer();
      break;
    default:
      if (type.kind < Element::kVoid || type.kind > Element::kObject) in.ok = false;
  }
  return type;
}

Status corrupt() { return Status::error("a metadata signature is corrupt; the method is shown without parameters"); }

}  // namespace

Result<MethodSignature> decode_method_signature(std::span<const uint8_t> blob) {
  BlobReader in{blob};
  MethodSignature method;
  read_method(in, 0, method);
  if (!in.ok) return corrupt();
  return method;
}

Result<TypeSignature> decode_type_signature(std::span<const uint8_t> blob) {
  BlobReader in{blob};
  TypeSignature type = read_type(in, 0);
  if (!in.ok) return corrupt();
  return type;
}

std::string attribute_string(std::span<const uint8_t> blob) {
  constexpr uint8_t kNull = 0xff;
  BlobReader in{blob};
  if (in.byte() != 1 || in.byte() != 0 || in.rest.empty() || in.rest.front() == kNull) return {};
  const uint32_t size = in.number();
  if (!in.ok || size > in.rest.size()) return {};
  return std::string(reinterpret_cast<const char*>(in.rest.data()), size);
}

}  // namespace oriel::metadata
