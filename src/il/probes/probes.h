// Probes: instructions by which a method calls a profiler when it starts, ends or has allocated an object.
//
// A probe reads a cell, a pointer at a fixed address. It is null while nobody listens; otherwise it points to two
// pointers, the callback and its argument (engine/probes.h). All of it is plain IL: a load, a branch, an indirect call.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/status.h"
#include "il/body.h"

namespace oriel::il {

// Offsets of the target's two pointers.
inline constexpr int32_t kTargetCode = 0;
inline constexpr int32_t kTargetProfiler = 8;

// A word of the method's values that a probe passes on.
struct ContextWord {
  enum class Kind : uint8_t {
    kArgument,         // the argument itself, an address
    kArgumentAddress,  //
    kLocal,            // likewise
    kLocalAddress,
    kSizeOf,  // of the type `token`
  };
  Kind kind = Kind::kArgumentAddress;
  uint16_t index = 0;  // of the argument, including `this`, or of the local
  uint32_t token = 0;
};

// A value of the method that holds references: during the probe's call a pinned local variable has a copy of it, so
// that the object does not move.
struct PinnedValue {
  ContextWord value;       // kArgument, or kLocal
  bool is_byref = false;   // else an object
  uint16_t pin_local = 0;  // a new local variable, pinned, of an object or a byref
};

// A probe with context calls `function` with the cell's target, the method, the layout and the words, instead of the
// cell's callback.
struct ContextProbe {
  uint64_t function = 0;  // 0: no context
  uint64_t layout = 0;
  uint32_t call_signature = 0;  // StandAloneSig: void (native int × (3 + words))
  std::vector<ContextWord> words;
  std::vector<PinnedValue> pins;
};

// The probes of one method. Addresses of cells; 0: no such probe.
struct CallProbes {
  uint64_t enter = 0;
  uint64_t leave = 0;
  uint64_t tail_call = 0;
  uint64_t exception_leave = 0;
  uint64_t enter_full = 0;  // after the others, with a context
  uint64_t leave_full = 0;
  uint64_t method = 0;          // passed to each, after the cell's profiler
  uint32_t call_signature = 0;  // StandAloneSig: void (native int, native int, native int)
  uint16_t target_local = 0;    // a new local variable of type native int
  ContextProbe enter_context;
  ContextProbe leave_context;
  ContextProbe tail_call_context;
  ContextProbe exception_leave_context;
  ContextProbe enter_full_context;
  ContextProbe leave_full_context;
  // What a tail call's probe passes after `method` to identify the callee; `call` is the call, calli or jmp.
  std::function<uint64_t(const Instruction& call)> target_of_tail_call;
  std::optional<uint16_t> return_local;  // a new local variable of the method's return type, if it returns a value
};

struct InsertedProbes {
  // The method leaves by `tail.` or jmp: its code is not wrapped, so exceptions that leave it must be observed in
  // another way.
  bool has_tail_calls = false;
  bool has_clause = false;  // the last clause is for exceptions
};

// Whether the method leaves by `tail.` or jmp.
bool has_tail_calls(const Body& body);

// Inserts into a body after all changes by users. The caller makes the locals: see add_locals. After an error the body
// is unusable.
Result<InsertedProbes> insert_call_probes(Body& body, const CallProbes& probes);

// The probe of one allocation: calls `function` with the object and `method`.
struct AllocationProbe {
  uint64_t cell = 0;
  uint64_t function = 0;
  uint64_t method = 0;
  uint32_t call_signature = 0;  // StandAloneSig: void (object, native int)
  // For a box of a generic parameter: its token (else 0) and a new local variable of that type. Such a box allocates
  // only if the parameter is a value type; the JIT compiler recognizes that by the box of the default value, which is
  // then not null.
  uint32_t parameter = 0;
  uint16_t parameter_local = 0;
  // For a probe during which collections may run: a new local variable that is pinned. The signature is then void
  // (native int, native int).
  std::optional<uint16_t> pin_local;
};
// Inserts after an instruction that leaves a reference to a new object, or null, on the stack. Code that branches past
// it is not reported.
void insert_allocation_probe(Body& body, Instruction* allocation, const AllocationProbe& probe);

}  // namespace oriel::il
