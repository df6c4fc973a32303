// The log format's vocabulary: the kinds of blocks, event codes, and the records that blocks carry. docs/FORMAT.md says
// the same in prose. Writer (writer.h) and decoder (decoder.h) share these, so that what one writes the other reads.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"

namespace oriel::log {

// Of waits for locks that are shorter, in nanoseconds, a log has each with the chance that is its part of this.
inline constexpr uint64_t kWholeLockWait = 1'000'000;

inline constexpr uint64_t kVersion1 = 1;
inline constexpr uint64_t kVersion2 = 2;  // what the writer writes

enum class Block : uint16_t {
#define ORIEL_BLOCK(code, symbol, name, since, Record, doc) k##symbol = code,
#include "log/blocks.def"
};

inline constexpr size_t kBlockHeaderSize = 6;  // code: 2 bytes, length of what follows: 4 bytes; little endian

// Intro block. Version 2 adds `properties` (properties.h).
struct Intro {
  uint64_t version = kVersion2;
  std::string runtime;
  uint64_t flags = 0;
  ClockPair clock;
  std::vector<std::pair<std::string, std::string>> properties;
};

// Loaded and unloaded blocks.
enum LoadKind : uint8_t { kLoadModule = 1, kLoadAssembly = 2, kLoadDomain = 4, kLoadSuccess = 8, kLoadFailure = 16 };
struct Load {
  bool unload = false;
  uint8_t kind = 0;
  uint64_t start_counter = 0;
  uint64_t end_counter = 0;
  uint64_t thread = 0;
  std::string name;
};

// Mapping block: what ids mean. A later entry for the same id replaces the earlier one (a thread that is renamed).
struct ImageName {
  uint64_t id = 0;
  std::string name;  // file name
  std::string path;
  std::string assembly;
};
struct ClassName {
  uint64_t id = 0;
  uint64_t instance_size = 0;  // bytes, 0 where instances vary
  uint64_t image = 0;          // 0: not known
  std::string name;
};
struct MethodName {
  uint64_t id = 0;
  uint64_t klass = 0;    // 0: none (dynamic methods)
  std::string name;      // without class, as a person wrote it, with parameter types
  std::string raw_name;  // with class, as metadata has it; "" if it is class + "." + name
};
struct LibraryName {
  uint64_t id = 0;
  std::string path;
};
struct NativeName {
  uint64_t id = 0;
  uint64_t library = 0;  // 0: no library (generated code)
  std::string name;      // "" if the library has no symbol for it
};
struct ThreadName {
  uint64_t id = 0;  // Oriel's, never used again
  uint64_t os_id = 0;
  bool managed = false;
  std::string name;
};
// Where the code of an image comes from, as who builds a program counts it.
enum class Origin : uint8_t {
  kUnknown = 0,
  kProject = 1,    // the program's own: name is the project's
  kPackage = 2,    // a library's of its: name and version
  kFramework = 3,  // comes with .NET: name and version of the framework or SDK
};
struct ImageOrigin {
  uint64_t image = 0;
  Origin origin = Origin::kUnknown;
  std::string name;
};
// What finds the symbols of a library when the log is read: which file it was, and where its functions lie in it.
struct LibraryBuild {
  uint64_t library = 0;
  std::string build_id;  // in hexadecimal digits
};
struct NativeAddress {
  uint64_t native = 0;
  uint64_t address = 0;  // its first, as linked
};
// Where a method's code is in the metadata of its image: its row in the table of methods, from 1.
struct MethodDefinition {
  uint64_t method = 0;
  uint64_t image = 0;
  uint64_t row = 0;
};
// Which portable PDB was made with an image.
struct ImageSymbols {
  uint64_t image = 0;
  std::string pdb_id;    // GUID and stamp as they stand in the PDB, 40 hexadecimal digits
  std::string pdb_path;  // where it was when the image was compiled
};
// An image whose code the compiler may not optimize: a debug build.
struct UnoptimizedImage {
  uint64_t image = 0;
};
// Where a method boxes a value.
struct MethodBox {
  uint64_t method = 0;
  uint64_t il = 0;  // offset of the instruction
};
struct Mapping {
  ClockPair start;
  uint64_t thread = 0;
  std::vector<ClassName> classes;
  std::vector<MethodName> methods;
  std::vector<ImageName> images;
  std::vector<LibraryName> libraries;
  std::vector<NativeName> natives;
  std::vector<ThreadName> threads;
  ClockPair end;
  std::vector<ImageOrigin> origins;
  std::vector<LibraryBuild> builds;
  std::vector<NativeAddress> addresses;
  std::vector<MethodDefinition> definitions;
  std::vector<ImageSymbols> symbols;
  std::vector<MethodBox> boxes;
  std::vector<UnoptimizedImage> unoptimized;
};

// What a frame of a sampled stack is.
enum class FrameKind : uint8_t {
  kManaged = 0,  // id: a method
  kNative = 1,   // id: a native function
};

inline constexpr uint32_t kNoIl = UINT32_MAX;

// A node of the tree of sampled stacks: a frame below its caller, at one place of its method. Node 0 is the root, above
// every thread's start.
struct StackNode {
  uint64_t id = 0;      // from 1, each one more than the one before
  uint64_t parent = 0;  // the caller's node; always less than id
  FrameKind kind = FrameKind::kManaged;
  uint64_t frame = 0;      // method id or native function id
  bool truncated = false;  // the walk broke here: callers are missing (only where parent is 0)
  uint32_t il = kNoIl;     // of a method: offset of the instruction in its IL, if that is known
};

struct Sample {
  uint64_t counter = 0;  // absolute
  uint64_t node = 0;     // the leaf; 0: no frame could be read
  uint64_t periods = 1;  // sampling periods it stands for
};

// What the thread was compiling when a sample was taken.
struct Compiling {
  uint64_t counter = 0;  // the sample's
  uint64_t method = 0;
  bool again = false;  // the method had code before
  uint64_t periods = 1;
};

// Call graph block: what one thread called, added up to a tree whose nodes stand for a method as called by those above.
// A log may hold several dumps of it, each with a block a thread; the last replaces those before.
struct CallAllocation {
  uint64_t klass = 0;
  uint64_t objects = 0;
  uint64_t bytes = 0;
};
struct CallNode {
  uint64_t id = 0;      // from 1, each one more than the one before; of its block only
  uint64_t parent = 0;  // the caller's node, always less than id; 0: called from outside of what is counted
  uint64_t method = 0;  // 0: outside of any method that is counted, for allocations
  bool running = false;
  uint64_t calls = 0;       // the running one too
  uint64_t ticks = 0;       // in it and what it called, in counts of the counter
  uint64_t exceptions = 0;  // calls that an exception ended
  uint64_t folded = 0;      // calls from it that have no node, for want of memory: their time is its own
  std::vector<CallAllocation> allocations;
};
// How the time of a node's own code passes: in segments from one probe to the next (module/segments.h). A node without
// any of these has no timing.
struct CallTiming {
  uint64_t node = 0;
  uint64_t timed = 0;  // segments that were timed apart, by chance, and
  uint64_t timed_ticks = 0;
  uint64_t longs = 0;  // long segments, and
  uint64_t long_ticks = 0;
  uint64_t waited_ns = 0;  // in these without a processor
};
struct CallGraph {
  uint64_t dump = 1;              // its number; the blocks of one dump have the same
  uint64_t thread = 0;            // 0: of threads that have ended
  uint64_t threads = 1;           // how many it is about
  uint64_t counter = 0;           // when it was taken: until then calls are counted that still run
  uint64_t frames_closed = 0;     // calls taken as ended because their caller had: nobody saw them leave
  uint64_t leaves_ignored = 0;    // of methods that nobody saw enter
  uint64_t allocations_lost = 0;  // not counted, for want of memory
  std::vector<CallNode> nodes;    // callers first
  std::vector<CallTiming> timings;
};

// What a field has room for; a log that is damaged may have any number.
constexpr uint32_t fitting(uint64_t value, uint32_t most = UINT32_MAX) {
  return value < most ? static_cast<uint32_t>(value) : most;
}

// Coverage block: which code ran since the block before. What blocks say of one method adds up.
struct CoverageImage {
  uint64_t number = 0;   // from 1; of its block only
  std::string name;      // file name
  std::string path;      // "" if it was no file
  std::string mvid;      // 32 hexadecimal digits: the bytes of its version's GUID, as they stand in the metadata
  std::string pdb_id;    // of the portable PDB made with it (ImageSymbols), "" if there is none
  std::string pdb_path;  // where that was when the image was compiled
};
struct CoveragePoint {  // il/probes/coverage_points.h; a log has millions
  bool is_outcome : 1 = false;
  uint32_t il : 31 = 0;
  static constexpr uint32_t kMostIl = INT32_MAX;
  uint32_t outcome = 0;
  uint64_t count = 0;  // of a block that only tells what ran, 1 or 0
};
struct CoveredMethod {
  uint64_t image = 0;  // its number
  uint64_t row = 0;    // of its definition in the image's table of methods, from 1
  std::string name;    // of a method whose image was no file; else ""
  std::vector<CoveragePoint> points;
};
struct Coverage {
  std::string label;    // what ran meanwhile: the name of a test, or ""
  uint64_t period = 0;  // which one it is about, of those that the process's coverage has been counted in, from 0
  bool counts = false;  // how often code ran; else only that it did
  std::vector<CoverageImage> images;
  std::vector<CoveredMethod> methods;
};

// CPU time and memory so far.
struct ProcessUsage {
  ClockPair clock;
  uint64_t user_us = 0;
  uint64_t system_us = 0;
  uint64_t max_rss_kb = 0;
};

// How many of a kind were lost so far: since the program began, not since the last check.
struct Lost {
  std::string reason;  // a fixed name: "buffer-full", …
  uint64_t count = 0;
};

// A count of the profiler's own so far (properties.h).
struct Counter {
  std::string name;
  uint64_t count = 0;
};

// Statistical block: version 1's samples, of all threads together.
struct Statistical {
  uint64_t start = 0;  // counters
  std::vector<uint64_t> methods;
  std::vector<uint64_t> natives;
  uint64_t end = 0;
};

struct End {
  uint64_t version = kVersion2;
  ClockPair clock;
};

// Version 1's packed event codes (bits 1–3 of the code byte); version 2 uses the free 0 for extended events.
enum class Packed : uint8_t {
  kExtended = 0,  // upper five bits: 1 an event of events.def; 2 to 6 of calls and allocations, see event_codes.h
  kEnter = 1,
  kLeaveImplicit = 2,
  kLeaveExplicit = 3,
  kAllocation = 4,
  kMethod = 5,
  kClass = 6,
  kOther = 7,
};

}  // namespace oriel::log
