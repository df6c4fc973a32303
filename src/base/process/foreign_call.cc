#include "base/process/foreign_call.h"

#include <dlfcn.h>
#include <unwind.h>

#include "base/process/foreign_frame.h"
#include "base/static_tls.h"

namespace oriel {
namespace {

// The innermost frame of this thread that waits for foreign code.
ORIEL_STATIC_TLS constinit thread_local void* innermost = nullptr;

const void* library_of(const void* address) {
  Dl_info info;
  return dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

template <typename Function>
Function own_function(void* handle, const char* name, const void* library) {
  void* const found = dlsym(handle, name);
  return found && library_of(found) == library ? reinterpret_cast<Function>(found) : nullptr;
}

// As the language's runtime does where an exception is caught, so that it counts it as caught. It is that of the
// library which made the exception; where it hides its functions, the exception is only destroyed.
void discard(_Unwind_Exception* exception) {
  if (exception->exception_cleanup == nullptr) return;
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(exception->exception_cleanup), &info) != 0) {
    if (void* const handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)) {
      const auto begin = own_function<void* (*)(void*)>(handle, "__cxa_begin_catch", info.dli_fbase);
      const auto end = own_function<void (*)()>(handle, "__cxa_end_catch", info.dli_fbase);
      dlclose(handle);  // it stays: the code that made the exception is in it
      if (begin && end) {
        begin(exception);
        return end();
      }
    }
  }
  exception->exception_cleanup(_URC_FOREIGN_EXCEPTION_CAUGHT, exception);
}

}  // namespace

// What an unwinder asks about the frame of oriel_foreign_call (Itanium C++ ABI, exception handling, 1.6). It stops an
// exception there. Once all below is destroyed, the frame is returned to without the unwinder, of which nothing is
// needed so. Ends of threads (forced unwinding) go on.
extern "C" [[gnu::used]] _Unwind_Reason_Code oriel_foreign_frame(int, _Unwind_Action actions, _Unwind_Exception_Class,
                                                                 _Unwind_Exception* exception, _Unwind_Context*) {
  if ((actions & _UA_FORCE_UNWIND) != 0) return _URC_CONTINUE_UNWIND;
  if ((actions & _UA_SEARCH_PHASE) != 0) return _URC_HANDLER_FOUND;
  oriel_foreign_return(innermost, exception);
}

bool detail::returns(void (*act)(void*), void* data) {
  void* const outer = innermost;
  void* const exception = oriel_foreign_call(act, data, &innermost);
  innermost = outer;
  if (exception == nullptr) return true;
  discard(static_cast<_Unwind_Exception*>(exception));
  return false;
}

}  // namespace oriel
