// The script that drives the scripted runtime: one action a line, '#' begins a comment.
//
//   domain NAME                            assembly NAME              loads it; `fail` where noted: fails to load
//   image NAME assembly=A [path=P] [fail]  class NAME image=I [size=BYTES] [fail]
//   method NAME class=C [trivial]          declares it, without code or a record yet
//   jit METHOD [at=ADDRESS] [size=BYTES] [fail]      without at=: real code, which `run` can call
//   precompiled METHOD at=ADDRESS size=BYTES         code that raises no event; only Runtime::method_at knows it
//   free METHOD                            frees its code
//   unload domain|assembly|image NAME      an image is unloaded with its classes and methods
//   throw CLASS [through=M,M…] [caught=M]  an exception that unwinds those methods
//   gc [generation=N] [induced]            a collection with its suspension
//   run METHOD… [ms=N]                     the methods call each other, the last one spins
//   spin [ms=N]   sleep [ms=N]             uses CPU time, or waits
//   rename NAME                            names the current thread
//   resolve ADDRESS|METHOD [expect=METHOD|none]      looks the address up; an unexpected answer is an error
//   trivial METHOD yes|no                  the expected result of oriel_method_is_trivial
//   exit [code=N]                          exits the process without a call to the engine
//   thread NAME [native] … end             a thread runs the block; `join` waits for all of them
//   parallel N … end                       N managed threads run the block concurrently, and are joined
//   repeat N … end
//
// In words, {t} is the number of the innermost `parallel` thread, {i} the round of the innermost `repeat`, from 0.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace oriel::scripted {

struct Action {
  std::string verb;
  std::vector<std::string> words;              // the words after the verb
  std::map<std::string, std::string> options;  // key=value; a flag has the value ""
  unsigned line = 0;
  std::vector<Action> block;  // for thread, parallel, repeat
};

// The message names the line.
Result<std::vector<Action>> parse_script(std::string_view text);

}  // namespace oriel::scripted
