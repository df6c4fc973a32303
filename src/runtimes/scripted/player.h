// Plays a script on the scripted runtime: raises events in the order and under the conditions of a real adapter.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "runtimes/scripted/script.h"
#include "runtimes/scripted/scripted_runtime.h"

namespace oriel::scripted {

struct PlayerLimits {
  bool real_time = true;           // false: sleep, spin, run and exit do nothing
  unsigned max_threads = 64;       // in one `parallel`, or started and not joined; 0: blocks run on the calling thread
  unsigned max_rounds = 1u << 20;  // in one `repeat`
};

class Player {
 public:
  explicit Player(ScriptedRuntime& runtime, PlayerLimits limits = {}) : runtime_(runtime), limits_(limits) {}
  ~Player() { join(); }
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  // Plays the whole script and waits for its threads. Returns the first error on any thread; the rest of that block is
  // skipped.
  Status play(const std::vector<Action>& script);

 private:
  struct Where {  // the values of {t} and {i}
    unsigned thread = 0;
    unsigned round = 0;
  };

  Status play_block(const std::vector<Action>& block, Where where);
  Status play_action(const Action& action, Where where);
  Status play_parallel(const Action& action, Where where);
  Status play_repeat(const Action& action, Where where);
  Status play_thread(const Action& action, Where where);
  void run_thread(const Action& action, const std::string& name, bool managed, Where where);
  void join();
  void keep_error(Status status);

  ScriptedRuntime& runtime_;
  PlayerLimits limits_;
  std::mutex lock_;  // guards the next two
  std::vector<std::thread> threads_;
  std::optional<Status> error_;
};

}  // namespace oriel::scripted
