// Changes to a whole body: one return, a clause around everything, jmp as a call.
//
// Each either changes the body or refuses it with a reason and leaves it as it was.
#pragma once

#include <cstdint>
#include <optional>

#include "base/status.h"
#include "il/body.h"

namespace oriel::il {

// What becomes of `tail. call; ret`: left as it is, out of reach of the single return, or made an ordinary call.
enum class TailCalls : uint8_t { kKeep, kDrop };

struct SingleReturn {
  Instruction* exit = nullptr;  // where all returns meet, last in the code; null if the method never returns
  Instruction* ret = nullptr;   // of the exit
  uint32_t dropped_tail_calls = 0;
};

// Lets the method return in one place: each ret becomes a branch, out of exception regions a leave, to `ldloc; ret` at
// the end. A method that returns a value needs a local variable of that type (signature.h, add_locals); one that does
// not, none. Refused: a ret in a finally, fault or filter, which nothing but a runtime may leave.
Result<SingleReturn> make_single_return(Body& body, std::optional<uint16_t> return_local, TailCalls tail_calls);

struct Wrapped {
  SingleReturn returns;
  Instruction* handler = nullptr;       // the handler's first; of a catch, it takes the exception from the stack
  Instruction* handler_exit = nullptr;  // endfinally or rethrow; insert the handler's code before it, Regions::kOfNext
};

// Puts the whole body into a try block, outermost, whose handler does nothing yet but go on: `endfinally` of kFinally
// and kFault, `pop; rethrow` of kCatch (with the token of the type caught). The returns stand behind, outside. Tail
// calls are dropped, as nothing in a try block may be one. Refused: kFilter, and a method with jmp (see expand_jumps).
Result<Wrapped> wrap_in_try(Body& body, ClauseKind kind, uint32_t class_token, std::optional<uint16_t> return_local);

// Turns each `jmp M` into `ldarg …; call M; ret`, with `tail.` if kept. `arguments` are counted with `this`. Returns
// how many.
uint32_t expand_jumps(Body& body, uint16_t arguments, bool returns_value, TailCalls tail_calls);

}  // namespace oriel::il
