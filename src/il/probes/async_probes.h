// Probes in the code of an async method, that is, in the compiler's state machine. They report when it starts or
// resumes, suspends and completes, and its task.
//
// A task is identified by its Id (System.Threading.Tasks.Task.Id), which does not change when the collector moves the
// object. A task exists only after the first await that suspends. Without a Task, the hash code of the object that
// stands for it is used, with a bit set that no task's Id has.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "il/body.h"

namespace oriel::il {

enum class TaskIdSource : uint8_t {
  kTask,       // the Id of the builder's task, even inside a ValueTask
  kValueTask,  // the hash code of the builder's ValueTask, which has no Task
  kSelf,       // the hash code of the state machine, an object: an iterator
  kNothing,    // async void: on resume the task is UINT32_MAX
};
inline constexpr int32_t kHashedTask = 0x40000000;

// How to get from the state machine to its task's number: tokens of fields and methods.
struct TaskOfBuilder {
  TaskIdSource task_id_source = TaskIdSource::kTask;
  uint32_t builder_field = 0;
  uint32_t get_task = 0;                     // of the builder
  std::optional<uint16_t> value_task_local;  // a new local variable for the result of get_task if that is a ValueTask,
  uint32_t as_task = 0;                      // and this method of it
  uint32_t get_id = 0;                       // of Task
  uint32_t get_hash_code = 0;                // of the ValueTask, or of Object
};

struct Await {
  Instruction* suspension = nullptr;  // the builder's AwaitUnsafeOnCompleted or AwaitOnCompleted
  Instruction* stash = nullptr;       // before it, an awaited Task is on top of the stack; nullptr: none is
  uint32_t il = 0;                    // offset of the await in the code, for reports
};

struct AsyncEnd {
  Instruction* call = nullptr;  // the builder's SetResult or SetException
  bool has_exception = false;   // which is then on top of the stack
};

struct AsyncCode {
  uint32_t state_field = 0;
  std::vector<Await> awaits;
  std::vector<AsyncEnd> ends;
};

// Addresses of cells (probes.h), tokens of StandAloneSigs, new local variables.
struct AsyncProbes {
  uint64_t resume = 0;
  uint64_t suspend = 0;
  uint64_t complete = 0;
  uint64_t method = 0;              // passed to each, after the cell's profiler
  uint32_t resume_signature = 0;    // void (native int, native int, int32 task)
  uint32_t suspend_signature = 0;   // void (native int, native int, int32 task, int32 awaited, int32 il)
  uint32_t complete_signature = 0;  // void (native int, native int, int32 task, object exception)
  uint16_t target_local = 0;        // native int
  uint16_t task_local = 0;          // int32: the task's number, 0 while unknown, -1 if it will stay unknown
  uint16_t awaited_local = 0;       // Task
  uint16_t exception_local = 0;     // object
  TaskOfBuilder task;
};

// Inserts into the code that `code` describes.
void insert_async_probes(Body& body, const AsyncCode& code, const AsyncProbes& probes);

}  // namespace oriel::il
