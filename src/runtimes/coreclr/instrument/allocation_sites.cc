#include "runtimes/coreclr/instrument/allocation_sites.h"

#include <algorithm>
#include <string_view>

#include "il/signature.h"

namespace oriel::coreclr {
namespace {

using il::Instruction;
using il::Opcode;

// Methods of the core library for which the runtime's native code allocates.
constexpr std::u16string_view kNativeAllocators[] = {
    u"FastAllocateString", u"AllocateUninitializedClone", u"AllocateString",
    u"InternalAlloc",      u"InternalAllocNoChecks",      u"AllocateNewArray",
    u"InternalCreate",     u"CreateInstanceDefaultCtor",  u"GetUninitializedObjectInternal",
};

constexpr Element kAny{};

struct Returning {
  std::u16string_view type;  // nested types' names have no namespace
  std::u16string_view method;
  Element first = kAny;  // the kind of its first parameter, where overloads call each other
};

// Methods that may return an existing object (caches, results of reflection) are left out. So are CreateInstanceMDArray
// and CastHelpers, through which newobj and box allocate: those are reported themselves.
constexpr Returning kReturning[] = {
    {u"System.Object", u"MemberwiseClone"},
    {u"System.Array", u"InternalCreate"},
    {u"System.Array", u"InternalCreateFromArrayType"},
    {u"System.GC", u"AllocateArray"},
    {u"System.GC", u"<AllocateUninitializedArray>g__AllocateNewArrayWorker"},
    {u"System.Exception", u"GetMessageFromNativeResources"},
    {u"System.Signature", u"GetCustomModifiersAtOffset"},
    {u"System.RuntimeTypeHandle", u"InternalAlloc", Element::kPointer},
    {u"System.RuntimeTypeHandle", u"CreateInstanceForAnotherGenericParameter"},
    {u"System.RuntimeTypeHandle", u"GetInstantiationInternal"},
    {u"System.RuntimeTypeHandle", u"GetInstantiationPublic"},
    {u"System.RuntimeTypeHandle", u"GetArgumentTypesFromFunctionPointer"},
    {u"System.RuntimeTypeHandle", u"GetConstraints"},
    {u"System.RuntimeTypeHandle", u"GetInterfaces"},
    {u"System.RuntimeTypeHandle", u"ConstructName"},
    {u"System.RuntimeMethodHandle", u"GetMethodInstantiationInternal"},
    {u"System.RuntimeMethodHandle", u"GetMethodInstantiationPublic"},
    {u"System.RuntimeMethodHandle", u"ConstructInstantiation"},
    {u"System.Reflection.RuntimeAssembly", u"GetManifestResourceNames"},
    {u"System.Reflection.RuntimeAssembly", u"GetPublicKey"},
    {u"System.Reflection.RuntimeModule", u"GetDefinedTypes"},
    {u"System.Runtime.CompilerServices.RuntimeHelpers", u"Box", Element::kPointer},
    {u"ActivatorCache", u"CreateUninitializedObject"},
    {u"CreateUninitializedCache", u"CreateUninitializedObject"},
    {u"BoxCache", u"Box"},
};

bool is_reference(Element element) {
  return element == Element::kString || element == Element::kClass || element == Element::kArray ||
         element == Element::kObject || element == Element::kSzArray;
}

// The name without the number that compilers append to a local function's name.
std::u16string_view unnumbered(std::u16string_view name) { return name.substr(0, name.find(u'|')); }

// A method, mostly without IL, whose result is a new object, so that a call of it allocates. Only the core library can
// call these.
bool is_native_allocator(const ModuleMetadata& metadata, Token callee) {
  if (table_of(callee) != kMethodDefTable) return false;
  const auto definition = metadata.definition(callee);
  if (!definition) return false;
  const Result<il::MethodTypes> types = il::read_method_types(definition->signature);
  if (!types || !is_reference(il::element_of(types->result))) return false;
  const std::u16string name = metadata.name_of(callee);
  if (std::find(std::begin(kNativeAllocators), std::end(kNativeAllocators), name) == std::end(kNativeAllocators))
    return false;
  constexpr uint32_t kInternalCall = 0x1000;
  if (definition->implementation & kInternalCall) return true;
  // It tries native code first and has IL for when that fails. The helpers of box, which are not instrumented, call it
  // too.
  return name == u"InternalAllocNoChecks" && metadata.type_name(definition->type) == u"System.RuntimeTypeHandle";
}

// A method with IL that returns an object that native code allocated for it. The result is always new, and nothing else
// in the body shows the allocation: native code stores it in a local variable, or the allocator is called by pointer.
bool returns_new_object(const ModuleMetadata& metadata, Token method) {
  const std::u16string full_name = metadata.name_of(method);
  const std::u16string_view name = unnumbered(full_name);
  const auto named = [&](const Returning& each) { return each.method == name; };
  if (std::none_of(std::begin(kReturning), std::end(kReturning), named)) return false;
  if (!metadata.is_core_library()) return false;
  const auto definition = metadata.definition(method);
  if (!definition) return false;
  const Result<il::MethodTypes> types = il::read_method_types(definition->signature);
  if (!types || !is_reference(il::element_of(types->result))) return false;
  const Element first = types->parameters.empty() ? kAny : il::element_of(types->parameters.front());
  const std::u16string type = metadata.type_name(definition->type);
  return std::any_of(std::begin(kReturning), std::end(kReturning), [&](const Returning& each) {
    return named(each) && each.type == type && (each.first == kAny || each.first == first);
  });
}

// The compiler folds these and allocates nothing; a probe in between would make it allocate.
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

class SiteFinder {
 public:
  SiteFinder(const ModuleMetadata& metadata, TypeKinds& kinds) : metadata_(metadata), kinds_(kinds) {}

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

// Array.Empty returns an existing array.
bool is_empty_array(const ModuleMetadata& metadata, const Instruction& result) {
  return result.opcode() == Opcode::Call && metadata.name_of(result.token()) == u"Empty";
}

// The instruction before each return of a possibly new object; the probe goes behind it.
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
  SiteFinder finder(metadata, kinds);
  for (Instruction* at = body.first(); !at->is_end(); at = at->next()) finder.look_at(at);
  return finder.take();
}

}  // namespace oriel::coreclr
