// The tables of a profile: each kind of data is a file in tables/ and a line here.
//
// Arguments: the table's name, its row, the container of rows, and what a row is. A table stands after those whose rows
// it refers to.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "profile/samples.h"
#include "profile/tables/aborts.h"
#include "profile/tables/activities.h"
#include "profile/tables/allocations.h"
#include "profile/tables/async_calls.h"
#include "profile/tables/async_waits.h"
#include "profile/tables/call_figures.h"
#include "profile/tables/call_totals.h"
#include "profile/tables/code_counts.h"
#include "profile/tables/code_entries.h"
#include "profile/tables/collections.h"
#include "profile/tables/compiling.h"
#include "profile/tables/counter_series.h"
#include "profile/tables/counters.h"
#include "profile/tables/covered_images.h"
#include "profile/tables/covered_methods.h"
#include "profile/tables/exceptions.h"
#include "profile/tables/followed.h"
#include "profile/tables/following.h"
#include "profile/tables/gc_heaps.h"
#include "profile/tables/gc_parts.h"
#include "profile/tables/gc_stretches.h"
#include "profile/tables/heap_snapshots.h"
#include "profile/tables/lock_waits.h"
#include "profile/tables/lost.h"
#include "profile/tables/marks.h"
#include "profile/tables/option_changes.h"
#include "profile/tables/paces.h"
#include "profile/tables/pauses.h"
#include "profile/tables/pool_changes.h"
#include "profile/tables/throws.h"
#include "profile/tables/usages.h"

#define ORIEL_TABLES(TABLE)                                                                                          \
  TABLE(samples, Sample, Samples, "a sample of a thread, of CPU time or of real time")                               \
  TABLE(waits, Sample, std::vector<Sample>, "a sample of a waiting thread, with the stack that waits")               \
  TABLE(compiling, Compiling, std::vector<Compiling>, "a sample of a thread that was compiling a method")            \
  TABLE(lock_waits, LockWait, std::vector<LockWait>,                                                                 \
        "a thread's wait for a Monitor or a Lock; below 1 ms, a random part")                                        \
  TABLE(call_figures, CallFigures, std::vector<CallFigures>,                                                         \
        "the calls of one method on one way from a thread's start; the first row is no method's")                    \
  TABLE(allocations, Allocations, std::vector<Allocations>,                                                          \
        "objects of one class that one method's code allocated, on one way from a thread's start")                   \
  TABLE(code_entries, CodeEntries, std::vector<CodeEntries>,                                                         \
        "which code the calls of one method ran, on one way from a thread's start")                                  \
  TABLE(call_totals, CallTotal, std::vector<CallTotal>,                                                              \
        "what a log's calls and allocations add up to, whatever part is asked for")                                  \
  TABLE(async_calls, AsyncCall, std::vector<AsyncCall>, "a call of an async method, from start to completion")       \
  TABLE(async_waits, AsyncWait, std::vector<AsyncWait>, "a period in which an async method was waiting")             \
  TABLE(series, CounterSeries, std::vector<CounterSeries>, "the values of a counter over time")                      \
  TABLE(pool_changes, PoolChange, std::vector<PoolChange>, "a change of the thread pool's target number of threads") \
  TABLE(activities, Activity, std::vector<Activity>, "a completed request, outgoing call or database command")       \
  TABLE(collections, Collection, std::vector<Collection>, "a garbage collection")                                    \
  TABLE(pauses, Pause, std::vector<Pause>, "a period in which all managed threads were stopped")                     \
  TABLE(gc_stretches, GcStretch, std::vector<GcStretch>,                                                             \
        "a phase of the collector, in a pause (without gaps) or background")                                         \
  TABLE(gc_heaps, GcHeap, std::vector<GcHeap>, "a heap of one collector thread; with workstation GC, the only one")  \
  TABLE(gc_parts, GcPart, std::vector<GcPart>, "a thread's part in a collection, where each has one")                \
  TABLE(followed, FollowedObject, std::vector<FollowedObject>,                                                       \
        "a sampled object that was still alive when the log ended")                                                  \
  TABLE(following, Following, std::vector<Following>,                                                                \
        "a log in which sampled objects are followed: since when, and what was sampled since")                       \
  TABLE(heap_snapshots, HeapSnapshot, std::vector<HeapSnapshot>, "a snapshot of the heap")                           \
  TABLE(heap_types, HeapType, std::vector<HeapType>, "the objects of one type in a snapshot of the heap")            \
  TABLE(heap_roots, HeapRoots, std::vector<HeapRoots>,                                                               \
        "references from outside the heap in a snapshot: those of one static field, one method, one kind of handle") \
  TABLE(exceptions, ExceptionType, std::vector<ExceptionType>, "a type of exceptions, most thrown first")            \
  TABLE(thrown_at, ThrownAt, std::vector<ThrownAt>, "a stack on which exceptions of a type were thrown")             \
  TABLE(caught_in, CaughtIn, std::vector<CaughtIn>, "a method that caught exceptions of a type")                     \
  TABLE(exception_messages, ExceptionMessage, std::vector<ExceptionMessage>,                                         \
        "what exceptions of a type say: the first different ones")                                                   \
  TABLE(throws, Throw, std::vector<Throw>, "an exception that was thrown")                                           \
  TABLE(aborts, Abort, std::vector<Abort>, "the end of a process that its runtime aborted")                          \
  TABLE(code_counts, CodeCount, std::vector<CodeCount>, "what a process loaded and compiled")                        \
  TABLE(option_changes, OptionChange, std::vector<OptionChange>,                                                     \
        "options of a module: those that it began with, later ones, and that it was stopped")                        \
  TABLE(marks, Mark, std::vector<Mark>, "a moment that the program or a person marked")                              \
  TABLE(paces, Pace, std::vector<Pace>, "a change of the pace of sampling, to keep Oriel within its budget")         \
  TABLE(usages, Usage, std::vector<Usage>, "what a process had used at a time")                                      \
  TABLE(counters, Counter, std::vector<Counter>, "a counter of the profiler's own")                                  \
  TABLE(lost, Lost, std::vector<Lost>, "a reason for which data is not in the log, and how much of it")              \
  TABLE(lost_by_thread, LostOfThread, std::vector<LostOfThread>,                                                     \
        "a thread whose data did not all get to the log's writer, and how much of it")                               \
  TABLE(covered_images, CoveredImage, std::vector<CoveredImage>, "a version of an assembly whose code was counted")  \
  TABLE(covered_methods, CoveredMethod, std::vector<CoveredMethod>,                                                  \
        "a method whose code was counted, and what of it ran")                                                       \
  TABLE(covered_tests, CoveredTest, std::vector<CoveredTest>, "a test of which is known what it ran")                \
  TABLE(covered_by_tests, CoveredByTest, std::vector<CoveredByTest>, "a method of which a test ran code, and what")

namespace oriel::profile {

struct Tables {
#define ORIEL_TABLE(name, Row, Rows, help) Rows name;
  ORIEL_TABLES(ORIEL_TABLE)
#undef ORIEL_TABLE
};

struct TableName {
  const char* name;
  const char* help;  // what a row is
};
// Calls `visit` with each table's name and its member of Tables.
template <typename Visit>
void each_table(Visit visit) {
#define ORIEL_TABLE(name, Row, Rows, help) visit(TableName{#name, help}, &Tables::name);
  ORIEL_TABLES(ORIEL_TABLE)
#undef ORIEL_TABLE
}

enum class TableNumber : uint32_t {
#define ORIEL_TABLE(name, Row, Rows, help) name,
  ORIEL_TABLES(ORIEL_TABLE)
#undef ORIEL_TABLE
      kCount
};
inline constexpr auto kTables = static_cast<uint32_t>(TableNumber::kCount);

// The table with that row; if several have it, the first.
template <typename Wanted>
consteval uint32_t number_of_table() {
#define ORIEL_TABLE(name, Row, Rows, help) \
  if (std::is_same_v<Wanted, Row>) return static_cast<uint32_t>(TableNumber::name);
  ORIEL_TABLES(ORIEL_TABLE)
#undef ORIEL_TABLE
  return kTables;
}
template <typename Wanted>
inline constexpr uint32_t kTableOf = number_of_table<Wanted>();

// A table's rows, to be modified.
template <typename Row>
std::vector<Row>& rows_of(std::vector<Row>& rows) {
  return rows;
}
inline std::vector<Sample>& rows_of(Samples& samples) { return samples.change(); }

}  // namespace oriel::profile
