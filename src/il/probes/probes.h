// Probes: the instructions by which a method calls a profiler when it begins, ends or has allocated an object.
//
// A probe reads a cell, a pointer at a fixed address: null while nobody listens; else it points to two pointers, what
// to call and what to call it with (engine/probes.h). All of it is plain IL: a load, a branch, an indirect call.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/status.h"
#include "il/body.h"

namespace oriel::il {

// The places of a cell's two pointers.
inline constexpr int32_t kTargetCode = 0;
inline constexpr int32_t kTargetProfiler = 8;

// A word that a probe hands over of the method's values.
struct ContextWord {
  enum class Kind : uint8_t {
    kArgument,         // the argument itself, an address
    kArgumentAddress,  //
    kLocal,            // likewise
    kLocalAddress,
    kSizeOf,  // of the type `token`
  };
  Kind kind = Kind::kArgumentAddress;
  uint16_t index = 0;  // of the argument, with `this`, or local
  uint32_t token = 0;
};

// A value of the method's that holds references: as long as the probe calls, a pinned local variable has it too, so
// that what it refers to stays where it is.
struct PinnedValue {
  ContextWord value;       // kArgument, or kLocal
  bool is_byref = false;   // else an object
  uint16_t pin_local = 0;  // a new local variable, pinned, of an object or a byref
};

// A probe with context calls `function` with the cell's target, the method, the layout and the words, instead of what
// the cell leads to.
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
  uint64_t enter_full = 0;  // behind the others, with a context
  uint64_t leave_full = 0;
  uint64_t method = 0;          // given to each, behind the cell's profiler
  uint32_t call_signature = 0;  // StandAloneSig: void (native int, native int, native int)
  uint16_t target_local = 0;    // a new local variable of type native int
  ContextProbe enter_context;
  ContextProbe leave_context;
  ContextProbe tail_call_context;
  ContextProbe exception_leave_context;
  ContextProbe enter_full_context;
  ContextProbe leave_full_context;
  // What a tail call's probe is given behind `method` about where it goes: by its call, calli or jmp.
  std::function<uint64_t(const Instruction& call)> target_of_tail_call;
  std::optional<uint16_t> return_local;  // a new local variable of the method's return type, if it returns a value
};

struct InsertedProbes {
  // The method leaves by `tail.` or jmp: its code is not wrapped, and whoever wants to hear of exceptions that leave it
  // must hear of them otherwise.
  bool has_tail_calls = false;
  bool has_clause = false;  // for exceptions: the last one
};

// Whether the method leaves by `tail.` or jmp.
bool has_tail_calls(const Body& body);

// Into a body that users' changes are done with. The order of locals is the caller's: see add_locals. On an error the
// body is of no more use.
Result<InsertedProbes> insert_call_probes(Body& body, const CallProbes& probes);

// The probe of one allocation: calls `function` with the object and `method`.
struct AllocationProbe {
  uint64_t cell = 0;
  uint64_t function = 0;
  uint64_t method = 0;
  uint32_t call_signature = 0;  // StandAloneSig: void (object, native int)
  // Of a box of a generic parameter, its token (else 0) and a new local variable of that type: boxing allocates only
  // where the parameter is a value type, which the JIT compiler sees from the default value's box being not null.
  uint32_t parameter = 0;
  uint16_t parameter_local = 0;
  // Of one that lets collections in, a new local variable that is pinned; the signature is then void (native int,
  // native int).
  std::optional<uint16_t> pin_local;
};
// Behind an instruction that leaves a reference to a new object, or null, on the stack. What branches past it is not
// reported.
void insert_allocation_probe(Body& body, Instruction* allocation, const AllocationProbe& probe);

}  // namespace oriel::il
