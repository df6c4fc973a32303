// The log format's vocabulary: kinds of blocks, event codes, and the records in blocks; docs/FORMAT.md describes them.
// Shared by writer (writer.h) and decoder (decoder.h), so that they agree.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "log/heap_records.h"

namespace oriel::log {

// A shorter lock wait, in nanoseconds, is logged with a probability of its duration divided by this.
inline constexpr uint64_t kWholeLockWait = 1'000'000;

inline constexpr uint64_t kVersion1 = 1;
inline constexpr uint64_t kVersion2 = 2;  // the version that is written

enum class Block : uint16_t {
#define ORIEL_BLOCK(code, symbol, name, since, Record, doc) k##symbol = code,
#include "log/blocks.def"
};

inline constexpr size_t kBlockHeaderSize = 6;  // code: 2 bytes, length of the rest: 4 bytes; little endian

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

// Mapping block: the names of ids. A later entry for an id replaces the earlier one (a renamed thread).
struct ImageName {
  uint64_t id = 0;
  std::string name;  // file name
  std::string path;
  std::string assembly;
};
struct ClassName {
  uint64_t id = 0;
  uint64_t instance_size = 0;  // bytes, 0 if sizes vary
  uint64_t image = 0;          // 0: unknown
  std::string name;
};
struct MethodName {
  uint64_t id = 0;
  uint64_t klass = 0;    // 0: none (dynamic methods)
  std::string name;      // as in source code, without class, with parameter types
  std::string raw_name;  // as in metadata, with class; "" if it is class + "." + name
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
  uint64_t id = 0;  // Oriel's id, never reused
  uint64_t os_id = 0;
  bool managed = false;
  std::string name;
};
// The origin of an image's code, from the point of view of the program's developers.
enum class Origin : uint8_t {
  kUnknown = 0,
  kProject = 1,    // the program itself: `name` is the project's
  kPackage = 2,    // one of its libraries: name and version
  kFramework = 3,  // part of .NET: name and version of the framework or SDK
};
struct ImageOrigin {
  uint64_t image = 0;
  Origin origin = Origin::kUnknown;
  std::string name;
};
// Data for finding a library's symbols when the log is read: its build id, and where its functions are.
struct LibraryBuild {
  uint64_t library = 0;
  std::string build_id;  // in hexadecimal digits
};
struct NativeAddress {
  uint64_t native = 0;
  uint64_t address = 0;  // link-time start address
};
// The location of a method's code in its image's metadata: its row in the method table, from 1.
struct MethodDefinition {
  uint64_t method = 0;
  uint64_t image = 0;
  uint64_t row = 0;
};
// The portable PDB that belongs to an image.
struct ImageSymbols {
  uint64_t image = 0;
  std::string pdb_id;    // GUID and stamp in the PDB's byte order, 40 hexadecimal digits; of an .mdb the MVID, 32
  std::string pdb_path;  // path on the build machine
};
// An image whose code the compiler may not optimize: a debug build.
struct UnoptimizedImage {
  uint64_t image = 0;
};
// Where a method boxes a value.
struct MethodBox {
  uint64_t method = 0;
  uint64_t il = 0;  // IL offset of the instruction
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

// The kind of a frame in a sampled stack.
enum class FrameKind : uint8_t {
  kManaged = 0,  // id: a method
  kNative = 1,   // id: a native function
};

inline constexpr uint32_t kNoIl = UINT32_MAX;

// A node in the tree of sampled stacks: a frame below its caller, at one place in its method. Node 0 is the root, above
// every thread's start.
struct StackNode {
  uint64_t id = 0;      // from 1, ascending by one
  uint64_t parent = 0;  // the caller's node; always less than id
  FrameKind kind = FrameKind::kManaged;
  uint64_t frame = 0;      // method id or native function id
  bool truncated = false;  // the walk was truncated here: callers are missing (only if parent is 0)
  uint32_t il = kNoIl;     // for a method: IL offset of the instruction, if known
};

struct Sample {
  uint64_t counter = 0;  // absolute
  uint64_t node = 0;     // the leaf; 0: no frame could be read
  uint64_t periods = 1;  // number of sampling periods it stands for
};

// The method that the thread was compiling when a sample was taken.
struct Compiling {
  uint64_t counter = 0;  // the sample's
  uint64_t method = 0;
  bool again = false;  // the method had code before
  uint64_t periods = 1;
};

// Call graph block: one thread's calls, aggregated into a tree in which a node is a method as called by those above. A
// log may hold several dumps of it, with a block for each thread; the last dump replaces the others.
struct CallAllocation {
  uint64_t klass = 0;
  uint64_t objects = 0;
  uint64_t bytes = 0;
};
struct CallNode {
  uint64_t id = 0;      // from 1, ascending by one; only within its block
  uint64_t parent = 0;  // the caller's node, always less than id; 0: called from code that is not counted
  uint64_t method = 0;  // 0: outside of any counted method, for allocations
  bool running = false;
  uint64_t calls = 0;       // including a running one
  uint64_t ticks = 0;       // in it and its callees, in counter units
  uint64_t exceptions = 0;  // calls that ended by an exception
  uint64_t folded = 0;      // calls from it without a node, for lack of memory: their time is counted as its own
  std::vector<CallAllocation> allocations;
};
// The times of a node's own code: in segments between two probes (modules/segments.h). A node without any of these has
// no timing.
struct CallTiming {
  uint64_t node = 0;
  uint64_t timed = 0;  // segments that were timed separately, chosen at random, and
  uint64_t timed_ticks = 0;
  uint64_t longs = 0;  // long segments, and
  uint64_t long_ticks = 0;
  uint64_t waited_ns = 0;  // time in these without a processor
};
// What another tool's file says of a node itself: which code its calls ran, and the time of that code.
struct CallEntries {
  uint64_t node = 0;
  uint64_t self_ticks = 0;       // without what measuring took
  uint64_t specialized = 0;      // calls that entered code which the runtime had specialized, for its interpreter
  uint64_t compiled = 0;         // or had compiled
  uint64_t inlined = 0;          // of both, calls that are part of their caller's code
  uint64_t replaced = 0;         // times that such code took over while a call ran (OSR)
  uint64_t deoptimized = 0;      // times that a call went back to the interpreter
  uint64_t deoptimized_all = 0;  // times that it did so with all of its callers
};
struct CallGraph {
  uint64_t dump = 1;              // its number; all blocks of a dump have the same
  uint64_t thread = 0;            // 0: of threads that have ended
  uint64_t threads = 1;           // number of threads in it
  uint64_t counter = 0;           // when it was taken: calls that still run are counted until then
  uint64_t frames_closed = 0;     // calls taken as ended because their caller had, without a leave of their own
  uint64_t leaves_ignored = 0;    // of methods without an observed enter
  uint64_t allocations_lost = 0;  // not counted, for lack of memory
  std::vector<CallNode> nodes;    // callers first
  std::vector<CallTiming> timings;
  std::vector<CallEntries> entries;
};

// Block of the parts of collections: what each thread did, where threads collect their own memory.
struct GcPart {
  uint64_t thread = 0;
  uint64_t number = 0;  // of the collection
  uint64_t counter = 0;
  uint64_t ns = 0;
  bool responsible = false;  // it led the others
  uint64_t kept_bytes = 0;
  uint64_t promoted_bytes = 0;
  uint64_t freed_bytes = 0;
  uint64_t roots = 0;
};
struct GcParts {
  std::vector<GcPart> parts;
};

// Clamps a value to its field's range; a damaged log may have any number.
constexpr uint32_t fitting(uint64_t value, uint32_t most = UINT32_MAX) {
  return value < most ? static_cast<uint32_t>(value) : most;
}

// Coverage block: code that ran since the previous block. Counts of a method in several blocks add up.
struct CoverageImage {
  uint64_t number = 0;   // from 1; only within its block
  std::string name;      // file name
  std::string path;      // "" if it was no file
  std::string mvid;      // 32 hexadecimal digits: its version's GUID, in the metadata's byte order
  std::string pdb_id;    // of its portable PDB (ImageSymbols), "" if there is none
  std::string pdb_path;  // that PDB's path on the build machine
};
struct CoverageHit {  // il/probes/coverage_points.h; a log has millions
  bool is_outcome : 1 = false;
  uint32_t il : 31 = 0;
  static constexpr uint32_t kMostIl = INT32_MAX;
  uint32_t outcome = 0;
  uint64_t count = 0;  // in a block of hits, 1 or 0
};
struct MethodHits {
  uint64_t image = 0;  // its number
  uint64_t row = 0;    // row of its definition in the image's method table, from 1
  std::string name;    // for a method whose image was no file; else ""
  std::vector<CoverageHit> points;
};
struct Coverage {
  std::string label;    // what ran during the period: the name of a test, or ""
  uint64_t period = 0;  // number of the process's coverage period, from 0
  bool counts = false;  // execution counts; else hits
  std::vector<CoverageImage> images;
  std::vector<MethodHits> methods;
};

// CPU time and memory so far.
struct ProcessUsage {
  ClockPair clock;
  uint64_t user_us = 0;
  uint64_t system_us = 0;
  uint64_t max_rss_kb = 0;
};

// Number of losses of a kind: since the program's start, not since the last check.
struct Lost {
  std::string reason;  // a fixed name: "buffer-full", …
  uint64_t count = 0;
};

// What a thread lost on its way to the writer since the block before.
struct LostOfThread {
  uint64_t thread = 0;   // not 0
  uint64_t samples = 0;  // each of one or more periods
  uint64_t events = 0;
  uint64_t calls = 0;  // enters and leaves
  uint64_t allocations = 0;
};

// A counter of the profiler's own, its present value (properties.h).
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

// Ring block: a recorder's file (ring_file.h). Its bytes follow the head. Positions count what was ever appended; they
// are offsets in the ring modulo its bytes.
struct RingHead {
  uint64_t bytes = 0;
  uint64_t begin = 0;
  uint64_t end = 0;
};
inline constexpr size_t kRingHeadBytes = 3 * sizeof(uint64_t);

// Options block: the options of a module from a time on.
struct OptionChange {
  ClockPair clock;
  std::string module;   // "log"
  bool running = true;  // false: the module was stopped, and has no options
  std::string options;  // the given ones, as its `apply` takes them, without the file: "hz=100,calls=Shop.*"
  // What the intro would say if the log began with them; empty in the first block, as the intro says it.
  std::vector<std::pair<std::string, std::string>> properties;
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
