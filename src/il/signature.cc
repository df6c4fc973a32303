#include "il/signature.h"

#include <algorithm>

#include "il/byte_reader.h"
#include "il/compressed.h"

namespace oriel::il {
namespace {

constexpr uint8_t kKindMask = 0x0f, kField = 0x06, kLocals = 0x07, kProperty = 0x08, kUnmanaged = 0x09;
constexpr uint8_t kGeneric = 0x10, kHasThis = 0x20, kExplicitThis = 0x40;
constexpr uint8_t kVoid = 0x01, kRequiredModifier = 0x1f, kOptionalModifier = 0x20;
constexpr uint32_t kMaxLocals = 0xfffe;

}  // namespace

Result<MethodShape> read_method_shape(std::span<const uint8_t> signature) {
  ByteReader reader(signature);
  MethodShape shape;
  const uint8_t convention = reader.read<uint8_t>();
  const uint8_t kind = convention & kKindMask;
  if (kind == kField || kind == kLocals || kind == kProperty || kind > kUnmanaged)
    return Status::error("the signature is not a method's");
  shape.has_this = convention & kHasThis;
  shape.explicit_this = convention & kExplicitThis;
  if (convention & kGeneric) shape.generic_parameters = read_compressed(reader);
  shape.parameters = read_compressed(reader);
  uint8_t returned = reader.read<uint8_t>();
  while (reader.ok() && (returned == kRequiredModifier || returned == kOptionalModifier)) {
    read_compressed(reader);
    returned = reader.read<uint8_t>();
  }
  if (!reader.ok()) return Status::error("the method's signature is cut off");
  // Each parameter needs at least one byte.
  if (shape.parameters > reader.left())
    return Status::error("the method's signature has fewer parameters than it says");
  shape.returns_value = returned != kVoid;
  return shape;
}

StackEffect call_effect(Opcode opcode, const MethodShape& callee) {
  const auto bounded = [](uint32_t count) { return static_cast<uint16_t>(std::min<uint32_t>(count, 0xffff)); };
  if (opcode == Opcode::Newobj) return {bounded(callee.parameters), 1};
  const uint32_t pointer = opcode == Opcode::Calli ? 1 : 0;
  return {bounded(callee.arguments() + pointer), callee.returns_value ? uint16_t{1} : uint16_t{0}};
}

Result<uint32_t> local_count(std::span<const uint8_t> signature) {
  if (signature.empty()) return uint32_t{0};
  ByteReader reader(signature);
  if (reader.read<uint8_t>() != kLocals) return Status::error("the signature is not one of local variables");
  const uint32_t count = read_compressed(reader);
  if (!reader.ok() || count > reader.left() || count > kMaxLocals)
    return Status::error("the signature of the local variables is cut off");
  return count;
}

Result<NewLocals> add_locals(std::span<const uint8_t> signature, std::span<const std::vector<uint8_t>> types) {
  const Result<uint32_t> old_count = local_count(signature);
  if (!old_count) return old_count.status();
  if (types.size() > kMaxLocals - *old_count)
    return Status::error("the method would have more than 65534 local variables");
  NewLocals added;
  added.first = static_cast<uint16_t>(*old_count);
  added.signature.push_back(kLocals);
  append_compressed(added.signature, *old_count + static_cast<uint32_t>(types.size()));
  if (!signature.empty()) {
    ByteReader reader(signature, 1);
    read_compressed(reader);
    added.signature.insert(added.signature.end(), signature.begin() + static_cast<ptrdiff_t>(reader.at()),
                           signature.end());
  }
  for (const auto& type : types) {
    if (type.empty()) return Status::error("a new local variable without a type");
    added.signature.insert(added.signature.end(), type.begin(), type.end());
  }
  return added;
}

}  // namespace oriel::il
