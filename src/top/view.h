// What `oriel top` shows of a program's last seconds, whatever shows it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "profile/profile.h"

namespace oriel::top {

// What /proc tells of the process.
struct ProcessFigures {
  double cpu = 0;             // processors that were busy for it, on average
  uint64_t resident = 0;      // bytes of memory
  uint32_t threads = 0;       // 0: not known
  uint32_t pool_workers = 0;  // of the thread pool
};

struct Program {
  std::string name;
  int64_t pid = 0;
  int64_t age_s = 0;
};

// A period, and what is known of it.
struct Window {
  Program program;
  std::shared_ptr<const profile::Profile> profile;  // what was recorded in it, no more
  double seconds = 0;
  std::optional<ProcessFigures> process;  // averages over it
};

// What lasts longer than a window: passed from one view to the next.
struct Carried {
  bool allocates = false;              // an object was recorded
  std::optional<uint64_t> heap;        // bytes after the last collection
  std::optional<uint32_t> pool_wants;  // threads
};

// Rates are per second; times are seconds per second, which is how many threads were at it on average.
struct Figures {
  std::optional<uint64_t> heap;
  std::optional<double> allocated;         // bytes
  std::map<uint32_t, double> collections;  // by generation
  double paused = 0;
  double exceptions = 0;
  std::string exception;  // the type with most
  double lock_waits = 0;
  double waiting = 0;                                 // all waits but those for work
  std::vector<std::pair<std::string, double>> waits;  // the largest: what for, threads
  std::optional<double> pool_queue;
  std::optional<uint32_t> pool_wants;
  double requests = 0;
  double failed_requests = 0;
  int64_t request_p95_ns = 0;
};

struct Share {
  std::string name;  // "your code", "base library", "GC"
  double part = 0;   // of the program's CPU time, 0 to 1
};

enum class PageId : uint8_t { kMethods, kFunctions, kMemory, kExceptions, kWaits, kThreads, kRequests };
inline constexpr size_t kPages = 7;

enum class Unit : uint8_t { kPercent, kPerSecond, kBytesPerSecond, kThreads, kSeconds, kCount, kNumber };

struct Column {
  const char* title;
  const char* key;  // in JSON
  Unit unit;
};

struct Row {
  std::string key;   // tells it from others, now and in later views
  std::string note;  // a second, shorter name; may be ""
  std::string name;
  std::vector<double> values;  // by column
  uint32_t id = 0;             // into the profile, as the page's details need it
};

struct Page {
  std::string title;  // "methods", for the keys' line and JSON
  std::vector<Column> columns;
  std::string note_title;  // "": rows have no notes
  std::string name_title;
  std::vector<Row> rows;  // by the first column, descending
  std::string why_empty;  // a sentence
};

struct View {
  Window window;
  std::vector<Share> shares;  // largest first
  Figures figures;
  std::array<Page, kPages> pages;

  const Page& page(PageId id) const { return pages[static_cast<size_t>(id)]; }
};

// A profile as views take it: with Oriel's own frames as one.
profile::Profile prepared(profile::Profile profile);

View make_view(Window window, Carried& carried);

// A line of a row's details: the callers of a method, the places that allocate a type.
struct Detail {
  double part = -1;  // of the row; negative: not told
  uint32_t depth = 0;
  std::string name;
};

// At most some hundred lines; empty if nothing more is known of the row.
std::vector<Detail> details(const View& view, PageId page, const std::string& key);

}  // namespace oriel::top
