#include "il/probes/async_probes.h"

#include "il/operands.h"
#include "il/probes/probes.h"
#include "il/sequence.h"

namespace oriel::il {
namespace {

class AsyncInserter {
 public:
  AsyncInserter(Body& body, const AsyncCode& code, const AsyncProbes& probes)
      : body_(body), code_(code), probes_(probes) {}

  void insert() {
    for (const Await& await : code_.awaits) add_suspend(await);
    for (const AsyncEnd& end : code_.ends) add_complete(end);
    add_resume();
  }

 private:
  // if (t = *cell): without a listener execution continues after the probe.
  void add_check(Sequence& sequence, uint64_t cell, Instruction* behind) {
    sequence.address(cell);
    sequence.add(Opcode::Ldind_I);
    sequence.add(store_local(body_, probes_.target_local));
    sequence.add(load_local(body_, probes_.target_local));
    sequence.add(body_.make_branch(Opcode::Brfalse, behind));
  }

  // Skips also if the method resumed while nobody listened, so that its task is unknown.
  void add_check_of_task(Sequence& sequence, Instruction* behind) {
    if (probes_.task.task_id_source == TaskIdSource::kNothing) return;
    sequence.add(load_local(body_, probes_.task_local));
    sequence.add(load_int32(body_, 0));
    sequence.add(body_.make_branch(Opcode::Blt, behind));
  }

  // The first arguments of each callback: the profiler, the method and its task. `target` loads the cell's target.
  void add_first_arguments(Sequence& sequence, Instruction* target) {
    sequence.add(target);
    sequence.add(load_int32(body_, kTargetProfiler));
    sequence.add(Opcode::Add);
    sequence.add(Opcode::Ldind_I);
    sequence.address(probes_.method);
    sequence.add(load_local(body_, probes_.task_local));
  }

  void add_call(Sequence& sequence, uint32_t signature, uint16_t arguments) {
    sequence.add(load_local(body_, probes_.target_local));
    static_assert(kTargetCode == 0);
    sequence.add(Opcode::Ldind_I);
    sequence.call(signature, arguments);
  }

  // task = this.builder.Task.Id
  void add_task_id(Sequence& sequence) {
    const TaskOfBuilder& task = probes_.task;
    if (task.task_id_source == TaskIdSource::kNothing) return add_no_task(sequence);
    sequence.add(load_argument(body_, 0));
    if (task.task_id_source != TaskIdSource::kSelf) {
      sequence.add(Opcode::Ldflda, task.builder_field);
      sequence.add(body_.make_call(Opcode::Call, task.get_task, {1, 1}));
    }
    if (task.value_task_local) {
      sequence.add(store_local(body_, *task.value_task_local));
      sequence.add(load_local_address(body_, *task.value_task_local));
    }
    if (task.task_id_source == TaskIdSource::kTask) {
      if (task.value_task_local) sequence.add(body_.make_call(Opcode::Call, task.as_task, {1, 1}));
      sequence.add(body_.make_call(Opcode::Callvirt, task.get_id, {1, 1}));
    } else {
      sequence.add(body_.make_call(Opcode::Call, task.get_hash_code, {1, 1}));
      sequence.add(load_int32(body_, kHashedTask));
      sequence.add(Opcode::Or);
    }
    sequence.add(store_local(body_, probes_.task_local));
  }

  void add_no_task(Sequence& sequence) {
    sequence.add(load_int32(body_, -1));
    sequence.add(store_local(body_, probes_.task_local));
  }

  // A state machine that starts has a negative state, and no task yet.
  void add_resume() {
    Instruction* const first = body_.first();
    Sequence sequence(body_, first, Branches::kStay, Regions::kOfPrevious);
    Instruction* const told = load_local(body_, probes_.target_local);
    // 0 if it starts, else -1 for now.
    sequence.add(load_argument(body_, 0));
    sequence.add(Opcode::Ldfld, code_.state_field);
    sequence.add(load_int32(body_, -1));
    sequence.add(Opcode::Cgt);
    sequence.add(Opcode::Neg);
    sequence.add(store_local(body_, probes_.task_local));
    add_check(sequence, probes_.resume, first);
    sequence.add(load_local(body_, probes_.task_local));
    sequence.add(body_.make_branch(Opcode::Brfalse, told));
    add_task_id(sequence);
    add_first_arguments(sequence, told);
    add_call(sequence, probes_.resume_signature, 3);
  }

  void add_suspend(const Await& await) {
    if (await.stash != nullptr) {
      Sequence stash(body_, await.stash, Branches::kMove, Regions::kOfNext);
      stash.add(Opcode::Dup);
      stash.add(store_local(body_, probes_.awaited_local));
    }
    Instruction* const behind = body_.unit_end(await.suspension)->next();
    Sequence sequence(body_, behind, Branches::kStay, Regions::kOfPrevious);
    add_check(sequence, probes_.suspend, behind);
    add_check_of_task(sequence, behind);
    // If the task is not known yet, this is the first suspension, and the state machine in hand is the one that
    // started. Otherwise another thread may already have resumed, and completed, the state machine.
    Instruction* const told = load_local(body_, probes_.target_local);
    sequence.add(load_local(body_, probes_.task_local));
    sequence.add(body_.make_branch(Opcode::Brtrue, told));
    add_task_id(sequence);
    add_first_arguments(sequence, told);
    if (await.stash != nullptr) {
      sequence.add(load_local(body_, probes_.awaited_local));
      sequence.add(body_.make_call(Opcode::Callvirt, probes_.task.get_id, {1, 1}));
    } else {
      sequence.add(load_int32(body_, 0));
    }
    sequence.add(load_int32(body_, static_cast<int32_t>(await.il)));
    add_call(sequence, probes_.suspend_signature, 5);
  }

  // Before the awaiters continue.
  void add_complete(const AsyncEnd& end) {
    Instruction* const call = body_.unit_begin(end.call);
    Sequence sequence(body_, call, Branches::kMove, Regions::kOfNext);
    add_check(sequence, probes_.complete, call);
    add_check_of_task(sequence, call);
    if (end.has_exception) {
      sequence.add(Opcode::Dup);
      sequence.add(store_local(body_, probes_.exception_local));
    }
    add_first_arguments(sequence, load_local(body_, probes_.target_local));
    sequence.add(end.has_exception ? load_local(body_, probes_.exception_local) : body_.make(Opcode::Ldnull));
    add_call(sequence, probes_.complete_signature, 4);
  }

  Body& body_;
  const AsyncCode& code_;
  const AsyncProbes& probes_;
};

}  // namespace

void insert_async_probes(Body& body, const AsyncCode& code, const AsyncProbes& probes) {
  AsyncInserter(body, code, probes).insert();
}

}  // namespace oriel::il
