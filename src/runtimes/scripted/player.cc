#include "runtimes/scripted/player.h"

#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdlib>

#include "base/process/thread_id.h"
#include "engine/engine.h"
#include "runtimes/scripted/actions.h"

namespace oriel::scripted {
namespace {

using Handler = Status (*)(ScriptedRuntime& runtime, const Action& action);

// The runtime's own thread ids.
std::atomic<uintptr_t> next_thread_id{1};

void replace(std::string& text, std::string_view what, unsigned value) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.replace(at, what.size(), std::to_string(value));
  }
}

Action substituted(const Action& action, unsigned thread, unsigned round) {
  Action copy;
  copy.verb = action.verb;
  copy.words = action.words;
  copy.options = action.options;
  copy.line = action.line;
  const auto fill = [&](std::string& text) {
    replace(text, "{t}", thread);
    replace(text, "{i}", round);
  };
  for (std::string& word : copy.words) fill(word);
  for (auto& [key, value] : copy.options) fill(value);
  return copy;
}

Result<unsigned> count_of(const Action& action, unsigned limit) {
  const std::string& word = action.words[0];
  unsigned count = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (error != std::errc() || *end || count > limit) {
    return error_of(action, word + " is no number up to " + std::to_string(limit));
  }
  return count;
}

Handler handler_of(const std::string& verb) {
  if (verb == "unload") return unload_thing;
  if (verb == "jit" || verb == "precompiled") return compile;
  if (verb == "free") return free_code;
  if (verb == "throw") return throw_exception;
  if (verb == "gc") return collect;
  if (verb == "resolve") return resolve;
  if (verb == "trivial") return ask_whether_trivial;
  return load_thing;
}

Status rename_thread(const Action& action) {
  oriel_thread* const thread = oriel_thread_current();
  thread_renamed(thread, action.words[0].c_str());
  raise_thread_name(thread, action.words[0].c_str());
  return Status::ok();
}

bool takes_time(const std::string& verb) {
  return verb == "sleep" || verb == "spin" || verb == "run" || verb == "exit";
}

Status take_time(ScriptedRuntime& runtime, const Action& action) {
  if (action.verb == "run") return run_methods(runtime, action);
  const Result<uint64_t> number =
      number_of(action, action.verb == "exit" ? "code" : "ms", action.verb == "exit" ? 0 : 10);
  if (!number) return number.status();
  if (action.verb == "exit") exit(static_cast<int>(*number));
  if (action.verb == "spin") spin(*number);
  if (action.verb == "sleep") std::this_thread::sleep_for(std::chrono::milliseconds(*number));
  return Status::ok();
}

}  // namespace

Status Player::play(const std::vector<Action>& script) {
  Status status = play_block(script, {});
  if (!status) keep_error(std::move(status));
  join();
  const std::lock_guard guard(lock_);
  if (!error_) return Status::ok();
  Status first = std::move(*error_);
  error_.reset();
  return first;
}

Status Player::play_block(const std::vector<Action>& block, Where where) {
  for (const Action& action : block) {
    if (Status status = play_action(action, where); !status) return status;
  }
  return Status::ok();
}

Status Player::play_action(const Action& action, Where where) {
  if (action.verb == "parallel") return play_parallel(action, where);
  if (action.verb == "repeat") return play_repeat(action, where);
  if (action.verb == "thread") return play_thread(action, where);
  if (action.verb == "join") {
    join();
    return Status::ok();
  }
  const Action ready = substituted(action, where.thread, where.round);
  if (ready.verb == "rename") return rename_thread(ready);
  if (takes_time(ready.verb)) return limits_.real_time ? take_time(runtime_, ready) : Status::ok();
  return handler_of(ready.verb)(runtime_, ready);
}

Status Player::play_parallel(const Action& action, Where where) {
  if (limits_.max_threads == 0) return play_block(action.block, where);
  const Result<unsigned> count = count_of(action, limits_.max_threads);
  if (!count) return count.status();
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < *count; ++i) {
    threads.emplace_back([this, &action, i, where] {
      run_thread(action, "worker " + std::to_string(i), true, {i, where.round});
    });
  }
  for (std::thread& thread : threads) thread.join();
  return Status::ok();
}

Status Player::play_repeat(const Action& action, Where where) {
  const Result<unsigned> count = count_of(action, limits_.max_rounds);
  if (!count) return count.status();
  for (unsigned i = 0; i < *count; ++i) {
    if (Status status = play_block(action.block, {where.thread, i}); !status) return status;
  }
  return Status::ok();
}

Status Player::play_thread(const Action& action, Where where) {
  if (limits_.max_threads == 0) return play_block(action.block, where);
  const Action ready = substituted(action, where.thread, where.round);
  const bool managed = !ready.options.contains("native");
  const std::lock_guard guard(lock_);
  if (threads_.size() >= limits_.max_threads) return error_of(action, "too many threads; join them first");
  threads_.emplace_back(
      [this, &action, name = ready.words[0], managed, where] { run_thread(action, name, managed, where); });
  return Status::ok();
}

void Player::run_thread(const Action& action, const std::string& name, bool managed, Where where) {
  oriel_thread* thread = nullptr;
  if (managed) {
    thread = thread_attached(next_thread_id.fetch_add(1), thread_id());
    raise_thread_started(thread);
    thread_renamed(thread, name.c_str());
    raise_thread_name(thread, name.c_str());
  } else {
    pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
  }
  if (Status status = play_block(action.block, where); !status) keep_error(std::move(status));
  if (!thread) return;
  raise_thread_stopped(thread);
  thread_detached(thread);
}

// A `join` inside a thread's block does not wait for that thread itself.
void Player::join() {
  std::vector<std::thread> waiting;
  {
    const std::lock_guard guard(lock_);
    for (auto it = threads_.begin(); it != threads_.end();) {
      if (it->get_id() == std::this_thread::get_id()) {
        ++it;
        continue;
      }
      waiting.push_back(std::move(*it));
      it = threads_.erase(it);
    }
  }
  for (std::thread& thread : waiting) thread.join();
}

void Player::keep_error(Status status) {
  const std::lock_guard guard(lock_);
  if (!error_) error_ = std::move(status);
}

}  // namespace oriel::scripted
