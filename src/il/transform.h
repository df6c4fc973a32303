// Transformations of a whole body: a single return, a clause around everything, jmp as a call.
//
// Each either changes the body, or refuses with a reason and leaves it unchanged.
#pragma once

#include <cstdint>
#include <optional>

#include "base/status.h"
#include "il/body.h"

namespace oriel::il {

// Keeps `tail. call; ret` as it is, outside the single return, or makes it an ordinary call.
enum class TailCalls : uint8_t { kKeep, kDrop };

struct SingleReturn {
  Instruction* exit = nullptr;  // where all returns meet, at the end of the code; null if the method never returns
  Instruction* ret = nullptr;   // the exit's ret
  uint32_t dropped_tail_calls = 0;
};

// Makes the method return in one place: each ret becomes a branch (in exception regions a leave) to `ldloc; ret` at the
// end. Only a method that returns a value needs a local variable, of that type (signature.h, add_locals). Refused: a
// ret in a finally, fault or filter, which only a runtime may leave.
Result<SingleReturn> make_single_return(Body& body, std::optional<uint16_t> return_local, TailCalls tail_calls);

struct Wrapped {
  SingleReturn returns;
  Instruction* handler = nullptr;       // the handler's first; for a catch, it pops the exception
  Instruction* handler_exit = nullptr;  // endfinally or rethrow; insert the handler's code before it, Regions::kOfNext
};

// Puts the whole body into an outermost try block whose handler only passes on: `endfinally` for kFinally and kFault,
// `pop; rethrow` for kCatch (with the token of the type caught). The returns are after and outside it. Tail calls are
// dropped, as a try block may not contain them. Refused: kFilter, and a method with jmp (see expand_jumps).
Result<Wrapped> wrap_in_try(Body& body, ClauseKind kind, uint32_t class_token, std::optional<uint16_t> return_local);

// Turns each `jmp M` into `ldarg …; call M; ret`, with `tail.` if kept. `arguments` includes `this`. Returns how many.
uint32_t expand_jumps(Body& body, uint16_t arguments, bool returns_value, TailCalls tail_calls);

}  // namespace oriel::il
