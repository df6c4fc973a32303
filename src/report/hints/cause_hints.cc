#include "report/hints/cause_hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "profile/waiting/parallel_loops.h"
#include "profile/waiting/timer_work.h"
#include "profile/waiting/waits.h"
#include "profile/work/category.h"
#include "profile/work/context_work.h"
#include "report/waiting/waits.h"
#include "report/words/lock_names.h"
#include "report/words/more.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Profile;
using profile::WaitFor;

namespace {

// A kind of wait with its own advice; `key` is the text that waits are shown with.
struct WaitAdvice {
  std::string_view key;
  WaitFor what;
  std::string_view begins;
  std::string_view advice;
};
constexpr WaitAdvice kAdvice[] = {
    {"disk", WaitFor::kFile, "FileStream.Flush",
     "Each call blocks until the data is on disk: batch several writes into one flush."},
    {"disk", WaitFor::kFile, "RandomAccess.FlushToDisk",
     "Each call blocks until the data is on disk: batch several writes into one flush."},
    {"name-lookup", WaitFor::kNetwork, "Dns.",
     "DNS is slow to answer: look the name up once and keep the address, or check /etc/resolv.conf."},
    {"network", WaitFor::kNetwork, "NetworkStream.",
     "The data has not arrived yet: use await there, and run independent requests concurrently."},
    {"network", WaitFor::kNetwork, "Socket.Receive",
     "The data has not arrived yet: use await there, and run independent requests concurrently."},
    {"network", WaitFor::kNetwork, "Socket.Connect",
     "The server is slow to accept: keep connections open and reuse them."},
    {"network", WaitFor::kNetwork, "HttpClient.",
     "The server is slow to answer: use await there, and run independent requests concurrently."},
    {"database", WaitFor::kDatabase, "Sqlite",
     "SQLite works on the calling thread, also with await: put many writes into one transaction, and keep transactions "
     "short."},
    // Which database it is, and whether it can be awaited, the stack's outermost frames do not tell.
    {"database", WaitFor::kDatabase, "Db",
     "The thread is blocked meanwhile. `oriel run --activities` shows which queries are slow, and how often each runs "
     "per request."},
    {"database", WaitFor::kDatabase, "",
     "The thread is blocked meanwhile: use await there. `oriel run --activities` shows which queries are slow, and how "
     "often each runs per request."},
    {"semaphore", WaitFor::kSignal, "SemaphoreSlim.Wait", ""},
};

const WaitAdvice* advice_of(const ShownWait& wait) {
  const auto* row = std::ranges::find_if(kAdvice, [&](const WaitAdvice& advice) {
    return advice.what == wait.what && wait.text.starts_with(advice.begins);
  });
  return row == std::end(kAdvice) || wait.at.function == 0 ? nullptr : row;
}

// "; it is Shop.Printer.Free, made in Shop.Printer..cctor, Printer.cs:9, and admits one thread at a time."; nullopt if
// threads may wait for a signal instead: the semaphore begins at 0, or is not known and one thread waits.
std::optional<std::string> semaphore_text(const ShownWait& wait, const Profile& profile) {
  ShownPlaces places(profile, Options());
  const LockName name = LockNames(profile, places).of(wait.own, assembly::LockKind::kSemaphore);
  if (name.count ? *name.count == 0 : wait.threads.size() < 2) return std::nullopt;
  if (name.name.empty()) return ". It admits a limited number of threads at a time.";
  std::string text = "; it is " + name.text();
  if (const std::string made = name.made_text(); !made.empty()) text += ", " + made;
  if (!name.count) return text + ".";
  return text + (*name.count == 1 ? fmt::format(", and admits one thread at a time.")
                                  : fmt::format(", and admits {} threads at a time.", *name.count));
}

std::optional<Hint> wait_hint(const Profile& profile) {
  const profile::WaitTotals waits = profile::waits(profile);
  for (const ShownWait& wait : shown_waits(waits, profile, Options())) {
    const WaitAdvice* const row = advice_of(wait);
    const int64_t ns = ns_of(wait.periods, profile);
    if (!row || !is_significant_wait(ns, wait.looks, profile)) continue;
    const std::optional<std::string> advice =
        row->advice.empty() ? semaphore_text(wait, profile) : ". " + std::string(row->advice);
    if (!advice) continue;
    const std::string text = fmt::format("{} waited {} for {} in {}", wait.threads.size() == 1 ? "A thread" : "Threads",
                                         duration(ns), wait.text, place_text(wait.at, profile));
    return Hint{row->key, 0, text + *advice, "oriel report waits"};
  }
  return std::nullopt;
}

std::string at_node(uint32_t node, const Profile& profile) {
  return place_text(ShownPlaces(profile, Options()).of(node), profile);
}

// A parallel loop in which only one thread had work most of the time.
std::optional<Hint> imbalance_hint(const Profile& profile) {
  constexpr double kOfLoop = 0.4;
  constexpr int64_t kLeast = 500'000'000;  // less is only a few samples
  const profile::ParallelLoops loops = profile::parallel_loops(profile);
  if (loops.alone_ns < kLeast || !is_significant_wait(loops.alone_ns, profile) ||
      static_cast<double>(loops.alone_ns) < kOfLoop * static_cast<double>(loops.ns))
    return std::nullopt;
  return Hint{
      "imbalance", 0,
      fmt::format(
          "Parallel loops ran for {}. For {} of that only one thread was still working, in {}, while the loop's other "
          "threads were idle. The work is split unevenly: use smaller partitions, or start with the largest.",
          duration(loops.ns), duration(loops.alone_ns), at_node(loops.alone_own, profile)),
      lines_command(profile.functions[profile.nodes[loops.alone_own].function])};
}

// Timers whose callbacks run back to back.
std::optional<Hint> timer_hint(const Profile& profile) {
  constexpr double kOfSamples = 0.2, kOfTime = 0.5;
  const profile::TimerWork work = profile::timer_work(profile);
  const uint64_t whole = profile::program_periods(profile);
  if (work.most_own == 0 || work.parts < kOfTime || !work.often ||
      static_cast<double>(work.periods) < kOfSamples * static_cast<double>(whole))
    return std::nullopt;
  const std::string where = at_node(work.most_own, profile);
  const std::string command = lines_command(profile.functions[profile.nodes[work.most_own].function]);
  if (work.looking * 2 > work.periods + work.completing)
    return Hint{"timers", 0,
                fmt::format("{} ({}) is the runtime scanning its timers for due ones, which takes more time than their "
                            "callbacks; most of it is in {}. Use one timer for the work of many.",
                            percent(work.periods, whole), time_of(work.periods, profile), where),
                command};
  return Hint{
      "timers", 0,
      fmt::format(
          "{} ({}) is timer callbacks, most of it in {}. They begin again and again, and ran in {:.0f} % of the "
          "tenths of a second. Use fewer timers or longer periods, or react to changes instead of polling.",
          percent(work.periods, whole), time_of(work.periods, profile), where, work.parts * 100),
      command};
}

// Continuations of awaits that queue for one thread with other work.
std::optional<Hint> context_hint(const Profile& profile) {
  constexpr double kOfSamples = 0.2, kBusy = 0.5, kOthers = 0.1;
  const profile::ContextWork work = profile::context_work(profile);
  const uint64_t whole = profile::program_periods(profile);
  const auto of = [](uint64_t part, uint64_t all) { return static_cast<double>(part) / static_cast<double>(all); };
  if (work.most_own == 0 || whole == 0) return std::nullopt;
  // A thread that waits for a processor is not idle.
  const double busy = of(work.of_thread, work.of_thread + work.waited);
  if (of(work.periods, whole) < kOfSamples || busy < kBusy || of(work.of_thread - work.periods, whole) < kOthers)
    return std::nullopt;
  return Hint{"context", 0,
              fmt::format("{} ({}) is continuations of awaits, most of it in {}, on one thread that is busy {:.0f} % "
                          "of the time. Its SynchronizationContext queues them there behind its other work. Use "
                          "ConfigureAwait(false) where code does not need that thread.",
                          percent(work.periods, whole), time_of(work.periods, profile), at_node(work.most_own, profile),
                          busy * 100),
              lines_command(profile.functions[profile.nodes[work.most_own].function])};
}

}  // namespace

void add_cause_hints(const Profile& profile, std::vector<Hint>& to) {
  const auto add = [&](std::optional<Hint> hint) {
    if (hint) to.push_back(std::move(*hint));
  };
  if (!profile.waits.empty()) {
    add(imbalance_hint(profile));
    add(wait_hint(profile));
  }
  add(timer_hint(profile));
  add(context_hint(profile));
}

}  // namespace oriel::report
