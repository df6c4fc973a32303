#include <algorithm>
#include <functional>

#include "profile/recorded.h"
#include "report/words/function_name.h"
#include "report/words/json.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Profile;
using profile::Thread;

namespace {

constexpr size_t kThreadRows = 60;

std::vector<Thread> most_samples_first(const Profile& profile) {
  std::vector<Thread> threads = profile.threads;
  std::stable_sort(threads.begin(), threads.end(), [](const Thread& a, const Thread& b) {
    return a.samples != b.samples ? a.samples > b.samples : a.first_ns < b.first_ns;
  });
  return threads;
}

// Whether only threads' names are known, as in a call graph.
bool only_named(const Profile& profile) {
  return !profile::has_events(profile, "threads") &&
         std::all_of(profile.threads.begin(), profile.threads.end(), [](const Thread& t) { return t.first_ns < 0; });
}

std::vector<profile::LostOfThread> most_lost_first(const Profile& profile) {
  std::vector<profile::LostOfThread> lost = profile.lost_by_thread;
  std::ranges::stable_sort(lost, std::greater(), &profile::LostOfThread::all);
  return lost;
}

// What came faster than the log's writer could take it.
void write_lost(const Profile& profile, const Options& options, std::ostream& out) {
  const std::vector<profile::LostOfThread> lost = most_lost_first(profile);
  if (lost.empty()) return;
  out << '\n';
  write_note("Lost, because it came faster than it could be written. Of a call, the enter and the leave are counted.",
             options, out);
  Table table({{"calls"}, {"allocations"}, {"events"}, {"samples"}}, "thread");
  const size_t shown = std::min(rows(options, kThreadRows), lost.size());
  for (size_t i = 0; i < shown; ++i) {
    const profile::LostOfThread& its = lost[i];
    table.add({count(its.calls), count(its.allocations), count(its.events), count(its.samples)},
              [&](size_t width) { return cut_end(thread_label(profile.threads[its.thread]), width); });
  }
  table.write(out, options.width, 0, Style(options.color));
  if (shown < lost.size())
    write_note("And " + counted(lost.size() - shown, "more thread", "more threads") + ".", options, out);
}

void write_sampled(const Profile& profile, const Options& options, std::ostream& out) {
  if (only_named(profile)) {
    write_title("Threads", profile, options, out);
    write_note(not_recorded(profile, "threads"), options, out);
    if (!profile.threads.empty())
      write_note("--thread shows the calls of one of them: " + thread_names(profile) + ".", options, out);
    return;
  }
  const uint64_t whole = profile.total_periods();
  write_title(counted(profile.threads.size(), "thread", "threads"), profile, options, out);
  if (whole == 0) {
    write_note(why_no_samples(profile), options, out);
    out << '\n';
  }
  if (profile.threads.empty()) return;
  const std::vector<Thread> threads = most_samples_first(profile);
  const size_t shown = std::min(rows(options, kThreadRows), threads.size());
  Table table(
      {{"share"}, {"time"}, {"samples"}, {"OS id"}, {"kind", Table::Align::kLeft}, {"first seen"}, {"last seen"}},
      "name");
  for (size_t i = 0; i < shown; ++i) {
    const Thread& thread = threads[i];
    const auto when = [](int64_t ns) { return ns < 0 ? std::string("–") : moment(ns); };
    table.add(
        {percent_cell(thread.samples, whole), time_cell(thread.samples, profile), count(thread.samples),
         thread.os_id == 0 ? "–" : std::to_string(thread.os_id), thread.managed ? "managed" : "native",
         when(thread.first_ns), when(thread.last_ns)},
        [&thread](size_t width) { return cut_end(thread_label(thread), width); }, share(thread.samples, whole));
  }
  table.write(out, options.width, 0, Style(options.color));
  if (shown < threads.size()) {
    uint64_t rest = 0;
    for (size_t i = shown; i < threads.size(); ++i) rest += threads[i].samples;
    write_note("And " + counted(threads.size() - shown, "more thread", "more threads") + " with " +
                   percent(rest, whole) + " of the samples.",
               options, out);
  }
}

void write_threads(const Profile& profile, const Options& options, std::ostream& out) {
  write_sampled(profile, options, out);
  write_lost(profile, options, out);
}

void threads_json(const Profile& profile, const Options&, Json& json) {
  json["samples"] = profile.total_periods();
  if (only_named(profile)) json["note"] = not_recorded(profile, "threads");
  json["threads"] = Json::array();
  for (const Thread& thread : most_samples_first(profile)) {
    Json entry = {{"id", thread.id}, {"os_id", thread.os_id}, {"name", thread.name}};
    if (!only_named(profile))
      entry.update(
          {{"managed", thread.managed}, {"samples", thread.samples}, {"first_ns", nullptr}, {"last_ns", nullptr}});
    if (thread.first_ns >= 0) entry["first_ns"] = thread.first_ns;
    if (thread.last_ns >= 0) entry["last_ns"] = thread.last_ns;
    json["threads"].push_back(std::move(entry));
  }
  json["lost"] = Json::array();
  for (const profile::LostOfThread& its : most_lost_first(profile)) {
    const Thread& thread = profile.threads[its.thread];
    json["lost"].push_back({{"id", thread.id},
                            {"name", thread.name},
                            {"calls", its.calls},
                            {"allocations", its.allocations},
                            {"events", its.events},
                            {"samples", its.samples}});
  }
}

}  // namespace

extern const Report kThreadsReport = {
    .name = "threads",
    .help = "threads with their samples and lifetimes",
    .text = write_threads,
    .json = threads_json,
};

}  // namespace oriel::report
