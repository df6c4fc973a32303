#include "il/signature.h"

#include "base/text/element.h"
#include "il/byte_reader.h"
#include "il/compressed.h"

namespace oriel::il {
namespace {

constexpr int kMaxDepth = 64;
constexpr uint8_t kGenericConvention = 0x10;

void fail(ByteReader& reader) { reader.skip(SIZE_MAX); }

void skip_type(ByteReader& reader, int depth);

void skip_method(ByteReader& reader, int depth) {
  if (reader.read<uint8_t>() & kGenericConvention) read_compressed(reader);
  const uint32_t parameters = read_compressed(reader);
  for (uint32_t i = 0; i <= parameters && reader.ok(); ++i) skip_type(reader, depth);
}

void skip_array_shape(ByteReader& reader) {
  read_compressed(reader);                // rank
  for (int list = 0; list < 2; ++list) {  // sizes, lower bounds
    for (uint32_t left = read_compressed(reader); left > 0 && reader.ok(); --left) read_compressed(reader);
  }
}

void skip_type(ByteReader& reader, int depth) {
  if (depth > kMaxDepth) return fail(reader);
  for (;;) {
    const auto element = reader.read<Element>();
    if (!reader.ok()) return;
    switch (element) {
      case Element::kModRequired:
      case Element::kModOptional:
        read_compressed(reader);
        continue;
      case Element::kSentinel:
      case Element::kPinned:
      case Element::kPointer:
      case Element::kByRef:
      case Element::kSzArray:
        continue;  // the modified or element type follows
      case Element::kValueType:
      case Element::kClass:
      case Element::kVar:
      case Element::kMVar:
        read_compressed(reader);
        return;
      case Element::kArray:
        skip_type(reader, depth + 1);
        skip_array_shape(reader);
        return;
      case Element::kGenericInst: {
        skip_type(reader, depth + 1);
        for (uint32_t left = read_compressed(reader); left > 0 && reader.ok(); --left) skip_type(reader, depth + 1);
        return;
      }
      case Element::kFunctionPointer:
        skip_method(reader, depth + 1);
        return;
      default:
        // The primitive types have no more bytes.
        if (element > Element::kString && element != Element::kTypedByRef && element != Element::kIntPtr &&
            element != Element::kUIntPtr && element != Element::kObject) {
          fail(reader);
        }
        return;
    }
  }
}

}  // namespace

Result<MethodTypes> read_method_types(std::span<const uint8_t> signature) {
  ByteReader reader(signature);
  if (reader.read<uint8_t>() & kGenericConvention) read_compressed(reader);
  const uint32_t count = read_compressed(reader);
  const auto next = [&] {
    const size_t begin = reader.at();
    skip_type(reader, 0);
    return reader.ok() ? signature.subspan(begin, reader.at() - begin) : std::span<const uint8_t>();
  };
  MethodTypes types;
  types.result = next();
  for (uint32_t i = 0; i < count && reader.ok(); ++i) types.parameters.push_back(next());
  if (!reader.ok()) return Status::error("the method's signature is cut off");
  return types;
}

Result<std::vector<std::span<const uint8_t>>> read_local_types(std::span<const uint8_t> signature) {
  std::vector<std::span<const uint8_t>> types;
  if (signature.empty()) return types;
  ByteReader reader(signature, 1);
  const uint32_t count = read_compressed(reader);
  for (uint32_t i = 0; i < count && reader.ok(); ++i) {
    const size_t begin = reader.at();
    skip_type(reader, 0);
    if (reader.ok()) types.push_back(signature.subspan(begin, reader.at() - begin));
  }
  if (!reader.ok()) return Status::error("the signature of the local variables is cut off");
  return types;
}

std::span<const uint8_t> first_type(std::span<const uint8_t> bytes) {
  ByteReader reader(bytes);
  skip_type(reader, 0);
  return reader.ok() ? bytes.first(reader.at()) : std::span<const uint8_t>();
}

std::span<const uint8_t> without_modifiers(std::span<const uint8_t> type) {
  ByteReader reader(type);
  for (;;) {
    const size_t at = reader.at();
    const auto element = reader.read<Element>();
    if (!reader.ok()) return {};
    if (element == Element::kPinned || element == Element::kSentinel) continue;
    if (element != Element::kModRequired && element != Element::kModOptional) return type.subspan(at);
    read_compressed(reader);
  }
}

Element element_of(std::span<const uint8_t> type) {
  const std::span<const uint8_t> bare = without_modifiers(type);
  return bare.empty() ? Element{} : Element{bare[0]};
}

}  // namespace oriel::il
