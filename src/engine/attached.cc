#include "engine/attached.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "base/monotonic_condition.h"
#include "base/process/own_thread.h"
#include "engine/control/server.h"
#include "engine/lifecycle.h"
#include "engine/messages.h"
#include "engine/or_else.h"
#include "engine/raise.h"

namespace oriel {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kLong{3'600'000};    // for waits without a bound
constexpr milliseconds kBegin{10'000};      // the engine's
constexpr milliseconds kLettingGo{50'000};  // the runtime's, until a tool is told: it waits for threads in callbacks
constexpr milliseconds kServing{2'000};     // the control server's
constexpr milliseconds kNoTool{30'000};     // until one is missed
constexpr milliseconds kLastWords{500};     // until the tool has them

struct Attachment {
  const uint32_t number;
  Runtime& runtime;
  const AttachData data;
  std::mutex lock;             // guards the rest
  MonotonicCondition changed;  // of all that follows
  bool taken_in = false, let_go = false;
  bool tool_came = false, leaving = false;
  std::optional<Status> begun;  // everything is on, or why not
  std::optional<uint64_t> stopped;
  std::optional<Status> left;  // the runtime has let go, or why not
  steady_clock::time_point left_at;

  Attachment(uint32_t its_number, Runtime& its, AttachData from_tool)
      : number(its_number), runtime(its), data(std::move(from_tool)) {}

  template <typename Change>
  void change(Change how) {
    const std::lock_guard guard(lock);
    how();
    changed.notify_all();
  }
  // False after that time, or if the process ends (attached::wake).
  template <typename Condition>
  bool wait(milliseconds most, Condition condition) {
    const auto until = steady_clock::now() + most;
    std::unique_lock guard(lock);
    while (!condition()) {
      if (is_ending() || steady_clock::now() >= until) return false;
      changed.wait_until(guard, until);
    }
    return true;
  }
};

// From the begin of an attachment until everything is on, whatever for but collections.
constinit std::atomic<uint64_t> stopped_ns{0};
constinit std::atomic<bool> counts_stops{false};

struct CurrentAttachment {
  std::mutex lock;  // guards the next
  std::shared_ptr<Attachment> attachment;
};
CurrentAttachment& current() {
  static auto* const made = new CurrentAttachment;
  return *made;
}
std::shared_ptr<Attachment> current_attachment() {
  const std::lock_guard guard(current().lock);
  return current().attachment;
}

template <typename Condition>
bool wait_for_good(Attachment& its, Condition condition) {
  while (!is_ending())
    if (its.wait(kLong, condition)) return true;
  return false;
}

// The runtime's answer; an error if it keeps the engine. Once it has agreed it lets go, however long that takes: what
// it has let go of must not be used again.
Status let_go(Attachment& its) {
  if (Status asked = its.runtime.leave(); !asked) return asked;
  return wait_for_good(its, [&] { return its.let_go; }) ? Status::ok() : Status::error("the process ends");
}

// Until the tool wants an end, or is gone, or never comes.
void wait_for_end(Attachment& its) {
  if (its.wait(kNoTool, [&] { return its.tool_came || its.leaving; })) wait_for_good(its, [&] { return its.leaving; });
}

// What cannot be listened to cannot be ended: then the engine leaves at once.
void begin_watch_and_leave(Attachment& its) {
  if (!wait_for_good(its, [&] { return its.taken_in; })) return;
  stopped_ns.store(0);
  counts_stops.store(true);
  Status begun = engine_begin(its.runtime, its.data.profilers);
  counts_stops.store(false);
  its.change([&] {
    if (begun && is_wanted(oriel_event_resume_end)) its.stopped = stopped_ns.load();
    its.begun = std::move(begun);
  });
  control::start_server();
  if (control::serves_within(kServing)) wait_for_end(its);
  Status left = engine_leave();
  if (left) left = let_go(its);
  if (is_ending()) return;
  its.change([&] {
    its.left = std::move(left);
    its.left_at = steady_clock::now();
  });
}

void* run(void* argument) {
  pthread_setname_np(pthread_self(), "oriel-attach");
  oriel_thread_attach_tools();
  const std::unique_ptr<std::shared_ptr<Attachment>> kept(static_cast<std::shared_ptr<Attachment>*>(argument));
  attempt([&] { begin_watch_and_leave(**kept); });
  return nullptr;
}

// False: the system refuses a thread. `taken_in`: the runtime knows the engine already.
bool begin_attachment(Runtime& runtime, const AttachData& data, bool taken_in) {
  keep_messages();
  const std::lock_guard guard(current().lock);
  const uint32_t last = current().attachment ? current().attachment->number : 0;
  auto attachment = std::make_shared<Attachment>(last + 1, runtime, data);
  attachment->taken_in = taken_in;
  auto argument = std::make_unique<std::shared_ptr<Attachment>>(attachment);
  pthread_t thread{};
  if (start_own_thread(thread, run, argument.get()) != 0) return false;
  static_cast<void>(argument.release());
  pthread_detach(thread);
  current().attachment = std::move(attachment);
  return true;
}

}  // namespace

// The thread has the program's descriptors: the runtime may open and close files on it.
bool engine_attach(Runtime& runtime, const AttachData& data) {
  if (current_runtime()) return false;
  return begin_attachment(runtime, data, false);
}

void engine_attached() {
  if (const auto its = current_attachment()) its->change([&] { its->taken_in = true; });
}

void engine_detached() {
  forget_runtime();
  if (const auto its = current_attachment()) its->change([&] { its->let_go = true; });
}

void engine_stopped_program(uint64_t ns) {
  if (counts_stops.load(std::memory_order_relaxed)) stopped_ns.fetch_add(ns, std::memory_order_relaxed);
}

namespace attached {

bool is_here() {
  const auto its = current_attachment();
  if (!its) return false;
  const std::lock_guard guard(its->lock);
  return !its->left;
}

uint32_t number() {
  const auto its = current_attachment();
  return its ? its->number : 0;
}

Status watch() {
  const auto its = current_attachment();
  if (!its) return Status::error("no tool has attached this engine");
  its->change([&] { its->tool_came = true; });
  // A client that connects as an earlier attachment ends is here before the engine has begun.
  its->wait(kBegin, [&] { return its->begun.has_value(); });
  const std::lock_guard guard(its->lock);
  return its->begun.value_or(Status::error("the engine cannot begin"));
}

void tool_is_gone(uint32_t attachment) {
  const auto its = current_attachment();
  if (its && its->number == attachment) its->change([&] { its->leaving = true; });
}

std::optional<uint64_t> stopped_program() {
  const auto its = current_attachment();
  if (!its) return std::nullopt;
  const std::lock_guard guard(its->lock);
  return its->stopped;
}

Status detach() {
  const auto its = current_attachment();
  if (!its) return Status::error("no tool has attached this engine; it stays as long as the program");
  its->change([&] { its->leaving = true; });
  if (!its->wait(kLettingGo, [&] { return its->left.has_value(); }))
    return Status::error(is_ending() ? "the process is ending"
                                     : "the runtime has not let go of it yet; it will once it can");
  const std::lock_guard guard(its->lock);
  return *its->left;
}

Status again(const std::string& profilers, bool changes_code) {
  const auto its = current_attachment();
  if (!is_asleep()) return Status::error("the engine is at work already");
  const char* const obstacle = changes_code ? its->runtime.code_obstacle() : nullptr;
  if (obstacle) return Status::error(obstacle);
  const AttachData data{.changes_code = its->data.changes_code, .profilers = profilers};
  return begin_attachment(its->runtime, data, true) ? Status::ok() : Status::error("the system refuses a thread");
}

bool is_asleep() {
  const auto its = current_attachment();
  if (!its) return false;
  const std::lock_guard guard(its->lock);
  return its->left && !its->left->is_ok();
}

bool has_left() {
  const auto its = current_attachment();
  if (!its) return false;
  const std::lock_guard guard(its->lock);
  return its->left && its->left->is_ok();
}

milliseconds left_ago() {
  const auto its = current_attachment();
  if (!its) return {};
  const std::lock_guard guard(its->lock);
  return std::chrono::duration_cast<milliseconds>(steady_clock::now() - its->left_at);
}

void wake() {
  if (const auto its = current_attachment()) its->change([] {});
}

void process_ends() {
  const auto its = current_attachment();
  if (!its) return;
  {
    const std::lock_guard guard(its->lock);
    if (!its->tool_came || its->leaving || its->left) return;
  }
  const auto until = steady_clock::now() + kLastWords;
  while (has_messages() && steady_clock::now() < until) std::this_thread::sleep_for(milliseconds(5));
}

}  // namespace attached

}  // namespace oriel
