#include "runtimes/coreclr/allocation_sites.h"

#include <algorithm>
#include <string_view>

#include "il/signature_types.h"

namespace oriel::coreclr {
namespace {

using il::Instruction;
using il::Opcode;

// Methods of the core library, implemented by the runtime, whose result is a new object.
constexpr std::u16string_view kNativeAllocators[] = {
    u"FastAllocateString", u"AllocateUninitializedClone", u"AllocateString",
    u"InternalAlloc",      u"InternalAllocNoChecks",      u"AllocateNewArray",
    u"InternalCreate",     u"CreateInstanceDefaultCtor",  u"GetUninitializedObjectInternal",
};

bool is_reference(uint8_t element) {
  constexpr uint8_t kString = 0x0e, kClass = 0x12, kArray = 0x14, kObject = 0x1c, kSzArray = 0x1d;
  return element == kString || element == kClass || element == kArray || element == kObject || element == kSzArray;
}

// The compiler folds these and allocates nothing: a probe between would make it allocate.
bool is_folded_box(const Instruction& box) {
  const Instruction* next = box.next();
  switch (next->opcode()) {
    case Opcode::Brtrue:
    case Opcode::Brfalse:
    case Opcode::Unbox_Any:
      return true;
    case Opcode::Isinst: {
      const Opcode after = next->next()->opcode();
      return after == Opcode::Brtrue || after == Opcode::Brfalse || after == Opcode::Unbox_Any ||
             after == Opcode::Ldnull;
    }
    case Opcode::Ldnull: {
      const Opcode after = next->next()->opcode();
      return after == Opcode::Ceq || after == Opcode::Cgt_Un;
    }
    default:
      return false;
  }
}

std::vector<uint8_t> type_spec(MetaDataImport& import, Token token) {
  const uint8_t* signature = nullptr;
  uint32_t size = 0;
  if (failed(import.GetTypeSpecFromToken(token, &signature, &size))) return {};
  return {signature, signature + size};
}

class Finder {
 public:
  Finder(const MethodMetadata& metadata, TypeKinds& kinds) : metadata_(metadata), kinds_(kinds) {}

  void look_at(Instruction* at) {
    switch (at->opcode()) {
      case Opcode::Newarr:
        found_.push_back({at, 0, {}});
        break;
      case Opcode::Newobj:
        if (kinds_.of(metadata_, metadata_.owner_of(at->token())) == TypeKind::kReference)
          found_.push_back({at, 0, {}});
        break;
      case Opcode::Box:
        look_at_box(at);
        break;
      case Opcode::Call:
        if (is_native_allocator(at->token())) found_.push_back({at, 0, {}});
        break;
      default:
        break;
    }
  }
  std::vector<AllocationSite> take() { return std::move(found_); }

 private:
  void look_at_box(Instruction* at) {
    if (is_folded_box(*at)) return;
    const TypeKind kind = kinds_.of(metadata_, at->token());
    if (kind == TypeKind::kParameter) {
      found_.push_back({at, at->token(), type_spec(metadata_.import(), at->token())});
    } else if (kind != TypeKind::kReference && kind != TypeKind::kString) {
      // Compilers box nothing but value types and generic parameters.
      found_.push_back({at, 0, {}});
    }
  }

  // Only the core library can call them: they are its own, and internal.
  bool is_native_allocator(Token callee) const {
    if (table_of(callee) != kMethodDefTable) return false;
    const auto definition = metadata_.definition(callee);
    constexpr uint32_t kInternalCall = 0x1000;
    if (!definition || (definition->implementation & kInternalCall) == 0) return false;
    const Result<il::MethodTypes> types = il::read_method_types(definition->signature);
    if (!types || !is_reference(il::element_of(types->result))) return false;
    const std::u16string name = metadata_.name_of(callee);
    return std::find(std::begin(kNativeAllocators), std::end(kNativeAllocators), name) != std::end(kNativeAllocators);
  }

  const MethodMetadata& metadata_;
  TypeKinds& kinds_;
  std::vector<AllocationSite> found_;
};

}  // namespace

std::vector<AllocationSite> allocation_sites(const il::Body& body, const MethodMetadata& metadata, TypeKinds& kinds) {
  Finder finder(metadata, kinds);
  for (Instruction* at = body.first(); !at->is_end(); at = at->next()) finder.look_at(at);
  return finder.take();
}

}  // namespace oriel::coreclr
