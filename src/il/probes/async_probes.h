// Probes in the code of an async method: the state machine that the compiler made of it. They tell when it begins or
// goes on, waits, and is over, and of which task.
//
// The task is told by its Id (System.Threading.Tasks.Task.Id), which stays what it is wherever the collector moves
// things. It can only be asked for once there is a task: behind the first await that had to wait. What has no Task is
// told by the hash code of the object that stands for it, with a bit that makes it no task's Id.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "il/body.h"

namespace oriel::il {

enum class ToldBy : uint8_t {
  kTask,       // the Id of the builder's task, also if that is in a ValueTask
  kValueTask,  // the hash code of the builder's ValueTask, which has no Task
  kSelf,       // the hash code of the state machine, an object: an iterator
  kNothing,    // async void: where it goes on the task is UINT32_MAX
};
inline constexpr int32_t kHashedTask = 0x40000000;

// What leads from the state machine to the number of its task: tokens of fields and methods.
struct TaskOfBuilder {
  ToldBy told_by = ToldBy::kTask;
  uint32_t builder_field = 0;
  uint32_t get_task = 0;                     // of the builder
  std::optional<uint16_t> value_task_local;  // a new local variable of what get_task gives, if that is a ValueTask,
  uint32_t as_task = 0;                      // and this method of it
  uint32_t get_id = 0;                       // of Task
  uint32_t get_hash_code = 0;                // of the ValueTask, or of Object
};

struct Await {
  Instruction* suspension = nullptr;  // the builder's AwaitUnsafeOnCompleted or AwaitOnCompleted
  Instruction* stash = nullptr;       // before it a Task that is to be awaited is on the stack's top; nullptr: none is
  uint32_t il = 0;                    // where the await is in the code, for people
};

struct AsyncEnd {
  Instruction* call = nullptr;  // the builder's SetResult or SetException
  bool has_exception = false;   // which is on the stack's top then
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
  uint64_t method = 0;              // given to each, behind the cell's profiler
  uint32_t resume_signature = 0;    // void (native int, native int, int32 task)
  uint32_t suspend_signature = 0;   // void (native int, native int, int32 task, int32 awaited, int32 il)
  uint32_t complete_signature = 0;  // void (native int, native int, int32 task, object exception)
  uint16_t target_local = 0;        // native int
  uint16_t task_local = 0;          // int32: the task's number, 0 before it is known, -1 if it will not be
  uint16_t awaited_local = 0;       // Task
  uint16_t exception_local = 0;     // object
  TaskOfBuilder task;
};

// Into code that is as `code` tells.
void insert_async_probes(Body& body, const AsyncCode& code, const AsyncProbes& probes);

}  // namespace oriel::il
