// The frame that foreign exceptions end at; its code is in src/arch.
#pragma once

#include <unwind.h>

extern "C" {

// Its personality: what an unwinder asks about the frame. Of the context it reads nothing.
_Unwind_Reason_Code oriel_foreign_frame(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                        _Unwind_Exception* exception, _Unwind_Context* context);

// Calls act(data); nullptr, or the exception that came out of it. Keeps in *frame, while it calls, where the frame is.
void* oriel_foreign_call(void (*act)(void*), void* data, void** frame);

// Returns from the oriel_foreign_call() of that frame, which is this thread's innermost, with the exception.
[[noreturn]] void oriel_foreign_return(void* frame, void* exception);
}
