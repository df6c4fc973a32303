#include "runtimes/coreclr/instrument/runtime_allocators.h"

#include <algorithm>
#include <string_view>

#include "il/signature.h"

namespace oriel::coreclr {
namespace {

constexpr std::u16string_view kNative[] = {
    u"FastAllocateString", u"AllocateUninitializedClone", u"AllocateString",
    u"InternalAlloc",      u"InternalAllocNoChecks",      u"AllocateNewArray",
    u"InternalCreate",     u"CreateInstanceDefaultCtor",  u"GetUninitializedObjectInternal",
};

constexpr Element kAny{};

struct Returning {
  std::u16string_view type;  // a nested type's name has no namespace
  std::u16string_view method;
  Element first = kAny;  // the kind of its first parameter, where overloads call each other
};

// Left out: what may return an object that was there before (caches, results of methods called by reflection), and
// CreateInstanceMDArray and CastHelpers, by which newobj and box allocate: those are reported themselves.
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

// Without the number that compilers put behind the name of a local function.
std::u16string_view unnumbered(std::u16string_view name) { return name.substr(0, name.find(u'|')); }

}  // namespace

bool is_native_allocator(const ModuleMetadata& metadata, Token callee) {
  if (table_of(callee) != kMethodDefTable) return false;
  const auto definition = metadata.definition(callee);
  if (!definition) return false;
  const Result<il::MethodTypes> types = il::read_method_types(definition->signature);
  if (!types || !is_reference(il::element_of(types->result))) return false;
  const std::u16string name = metadata.name_of(callee);
  if (std::find(std::begin(kNative), std::end(kNative), name) == std::end(kNative)) return false;
  constexpr uint32_t kInternalCall = 0x1000;
  if (definition->implementation & kInternalCall) return true;
  // What tries native code first and has IL for when that fails. The helpers of box call it as well, which are not
  // instrumented.
  return name == u"InternalAllocNoChecks" && metadata.type_name(definition->type) == u"System.RuntimeTypeHandle";
}

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

}  // namespace oriel::coreclr
