#include "runtimes/coreclr/instrument/allocation_sites.h"

#include "runtimes/coreclr/instrument/runtime_allocators.h"

namespace oriel::coreclr {
namespace {

using il::Instruction;
using il::Opcode;

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

class Finder {
 public:
  Finder(const ModuleMetadata& metadata, TypeKinds& kinds) : metadata_(metadata), kinds_(kinds) {}

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
        if (is_native_allocator(metadata_, at->token())) found_.push_back({at, 0, {}});
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
      const std::span<const uint8_t> type = metadata_.type_spec(at->token());
      found_.push_back({at, at->token(), {type.begin(), type.end()}});
    } else if (kind != TypeKind::kReference && kind != TypeKind::kString) {
      // Compilers box nothing but value types and generic parameters.
      found_.push_back({at, 0, {}});
    }
  }

  const ModuleMetadata& metadata_;
  TypeKinds& kinds_;
  std::vector<AllocationSite> found_;
};

// Array.Empty gives what is there already.
bool is_empty_array(const ModuleMetadata& metadata, const Instruction& result) {
  return result.opcode() == Opcode::Call && metadata.name_of(result.token()) == u"Empty";
}

// Before each return of what may be new, an instruction to put the probe behind.
std::vector<AllocationSite> returns_of(il::Body& body, const ModuleMetadata& metadata) {
  std::vector<AllocationSite> found;
  for (Instruction* at = body.first(); !at->is_end(); at = at->next()) {
    if (at->opcode() != Opcode::Ret || is_empty_array(metadata, *at->previous())) continue;
    Instruction* const before = body.make(Opcode::Nop);
    body.insert_before(at, before, il::Branches::kMove, il::Regions::kOfNext);
    found.push_back({before, 0, {}});
  }
  return found;
}

}  // namespace

std::vector<AllocationSite> allocation_sites(il::Body& body, Token method, const ModuleMetadata& metadata,
                                             TypeKinds& kinds) {
  if (returns_new_object(metadata, method)) return returns_of(body, metadata);
  Finder finder(metadata, kinds);
  for (Instruction* at = body.first(); !at->is_end(); at = at->next()) finder.look_at(at);
  return finder.take();
}

}  // namespace oriel::coreclr
