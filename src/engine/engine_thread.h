// The engine's own thread: it reconfigures the runtime for callbacks, which may be set at any time, even in signal
// handlers.
//
// It exists only once the engine has started and a profiler exists. It is a tool thread and takes no signals.
#pragma once

namespace oriel::engine_thread {

// Call after anything that determines the runtime's needs changed. Async-safe, never blocks; no effect without the
// thread.
void wake();

// Computes the needs and applies them to the runtime if they changed. Never concurrently.
void apply_needs();

// Call at the end of engine_start: allows the thread, and starts it if a profiler exists.
void open();

// Starts the thread if open() was called and a profiler exists. Any thread; not async-safe.
void ensure_started();

// Ends the thread and waits for it, up to 200 ms. Once.
void stop();

// Waits until everything that was set or removed before the call has taken effect in the runtime. False if that takes
// longer than `milliseconds`, or there is no such thread. Any thread but this one; not async-safe.
bool wait_until_applied(int milliseconds);
// Ends the thread, after which the runtime does nothing for the engine until open() is called again. False if that
// takes more than 10 s; then it is not called again.
bool close();
// Whether that was so.
bool is_stuck();

// From now on the runtime keeps the code map up to date, for resolving addresses. Async-safe.
void want_code_map();

// From now on libraries' call-frame information is kept up to date, for stack walks without sampling. Leaf-safe.
void want_frame_tables();

}  // namespace oriel::engine_thread
