// Attaches the engine to a program, watches it, and ends it.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "live/attach_plan.h"

namespace oriel::cli {

// Logs for companions have this name, with an ending. Nobody else wants to read one.
inline constexpr const char* kCompanionLog = "top";

// What goes on while a program is watched, on the same thread: `oriel top`. The log is for the companion alone: it is
// written into a folder of the tool's, without a word, and removed at the end.
class Companion {
 public:
  virtual ~Companion() = default;
  // The program is watched from now on. `log` tells where the log is that is written now; "" if there is none yet.
  virtual void begin(std::function<std::string()> log) = 0;
  // Called when there is something to read from descriptor() (-1: none), at next_turn(), and otherwise now and then.
  // Returns false when there is to be an end.
  virtual bool turn() = 0;
  virtual int descriptor() const = 0;
  virtual std::chrono::steady_clock::time_point next_turn() const = 0;
  // It is over: `has_ended` if because the program has. May come twice.
  virtual void end(bool has_ended) = 0;
  // A message of the engine's.
  virtual void say(const std::string& message) = 0;
};

// Says on stderr what happens and where the log is. Returns when the log is complete and the runtime has let go of the
// engine, or the program has ended. The result is an exit code.
int watch(AttachPlan& plan, Companion* companion = nullptr);

}  // namespace oriel::cli
