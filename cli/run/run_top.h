// oriel run --top: the screen of `oriel top` while the program runs, and where the program's output goes meanwhile.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

#include "base/status.h"

namespace oriel::cli {

// An error if there is no terminal for the screen.
Status check_top();

// What the program reads instead of the terminal, whose keys are the screen's: nothing ever comes, and no end, as if
// nobody typed.
class SilentInput {
 public:
  SilentInput();
  ~SilentInput();
  SilentInput(const SilentInput&) = delete;
  SilentInput& operator=(const SilentInput&) = delete;
  int reader() const { return ends_[0]; }

 private:
  int ends_[2] = {-1, -1};
};

// In the new process, before it becomes the program: what of stdout and stderr is a terminal becomes a new file in the
// working directory, and stdin, if it is one, becomes `input`. `name` is the program's.
void redirect_for_top(const std::string& name, pid_t pid, const SilentInput& input);

// Returns when the program has ended or the screen was quit. `log` has the path of its log, "" while there is none;
// `pass_on_signals` is called often.
void show_top(const std::string& name, pid_t pid, std::function<std::string()> log,
              const std::function<void()>& pass_on_signals);

// Says where the output is; removes the file if there was none.
void say_output(const std::string& name, pid_t pid);

}  // namespace oriel::cli
