#include "runtimes/coreclr/instrument/reserved_methods.h"

#include <algorithm>

namespace oriel::coreclr {
namespace {

// What the runtime calls while it handles an exception: an exception clause there would be looked for by itself.
constexpr std::u16string_view kExceptions[] = {
    u"System.Runtime.EH",
    u"System.Runtime.InternalCalls",
    u"System.Runtime.StackFrameIterator",
    u"System.Runtime.ExInfo",
    u"System.Runtime.ExceptionServices.InternalCalls",
    u"System.Runtime.CompilerServices.AsyncHelpers",
};

// Helpers that compiled code calls in place of instructions, at millions a second and on behalf of any method.
constexpr std::u16string_view kHelpers[] = {
    u"System.Runtime.CompilerServices.CastHelpers",
    u"System.Runtime.CompilerServices.StaticsHelpers",
    u"System.Runtime.CompilerServices.GenericsHelpers",
    u"System.Runtime.CompilerServices.InitHelpers",
    u"System.Runtime.CompilerServices.BoxingHelpers",
    u"System.Runtime.CompilerServices.VirtualDispatchHelpers",
    u"System.Runtime.CompilerServices.CastCache",
    u"System.Math.ConvertHelpers",
    u"System.ThrowHelpers",
    u"System.Runtime.CompilerServices.GenericCache",
};

template <size_t N>
bool contains(const std::u16string_view (&list)[N], std::u16string_view type) {
  return std::find(list, list + N, type) != list + N;
}

}  // namespace

bool is_reserved_type(std::u16string_view type) { return contains(kExceptions, type) || contains(kHelpers, type); }

}  // namespace oriel::coreclr
