// The frame that foreign exceptions end at; its code is in src/arch.
#pragma once

extern "C" {

// Calls act(data); nullptr, or the exception that came out of it. Keeps in *frame, while it calls, where the frame is.
void* oriel_foreign_call(void (*act)(void*), void* data, void** frame);

// Returns from the oriel_foreign_call() of that frame, which is this thread's innermost, with the exception.
[[noreturn]] void oriel_foreign_return(void* frame, void* exception);
}
