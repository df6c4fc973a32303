// The engine's own thread: it makes the changes in the runtime that callbacks call for, which may be set at any time,
// also in signal handlers.
//
// It exists only once the engine has started and a profiler exists. It is a tool thread and takes no signals.
#pragma once

namespace oriel::engine_thread {

// Something that the runtime's needs follow from has changed. Async-safe, never blocks; nothing if there is no thread.
void wake();

// Computes what is needed and tells the runtime if it is not what it was told last. Not two at a time.
void apply_needs();

// Lets the thread exist from now on (engine_start is through), and starts it if a profiler exists.
void open();

// Starts the thread if open() was called and a profiler exists. Any thread; not async-safe.
void ensure_started();

// Ends the thread; waits for it 200 ms at most. Once.
void stop();

// Somebody resolves addresses: the runtime keeps the code map up to date from now on. Async-safe.
void want_code_map();

// Somebody walks stacks without sampling: libraries' call-frame information is kept up to date from now on. Leaf-safe.
void want_frame_tables();

}  // namespace oriel::engine_thread
