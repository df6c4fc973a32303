// The layout of every block, once; those of stacks and samples are in sample_blocks.h, those of
// heap snapshots in heap_blocks.h. codec.h says what visits them.
#pragma once

#include <iterator>

#include "log/codec.h"
#include "log/event.h"
#include "log/format.h"
#include "log/heap_blocks.h"
#include "log/sample_blocks.h"

namespace oriel::log {

// An events block: writer and decoder take its parts one by one, with the stream (event_stream.h) before the end.
struct EventsHead {
  ClockPair start;
  uint64_t thread = 0;
  uint64_t base = 0;
};
struct EventsBlock {
  EventsHead head;
  ClockPair end;
};

// What stands before the streams of a block of calls (calls_block.h).
struct CallsBlock {
  ClockPair clock;
  uint64_t thread = 0;
  uint64_t base = 0;
  uint64_t count = 0;
  uint64_t more_bytes = 0;
  uint64_t ops_frame = 0;
  uint64_t low_frame = 0;
  uint64_t more_frame = 0;
};

// Eight bytes that no other block can hold by accident: where a reader picks up again after damage.
inline constexpr uint64_t kCheckMarker = 0x0a1a00cbe93c00ffu;
struct CheckBlock {
  uint64_t marker = kCheckMarker;
  std::vector<Lost> lost;
  uint64_t hash = 0;  // the block's last eight bytes
};

// Of one block of a flush: what shows that it is whole when another one is damaged.
struct BlockSum {
  uint64_t size = 0;  // with its header
  uint64_t hash = 0;
};
inline constexpr uint64_t kSumsMarker = 0x0a1a00d15c2e00ffu;
struct SumsBlock {
  uint64_t marker = kSumsMarker;
  std::vector<BlockSum> blocks;
  uint64_t hash = 0;  // the block's last eight bytes
};

struct CountersBlock {
  std::vector<Counter> counters;
};

struct LossesBlock {
  std::vector<LostOfThread> threads;
};

struct CompressedBlock {
  uint64_t raw_size = 0;
};

// What the lowest bits of a call node's method say.
inline constexpr uint64_t kCallRuns = 1, kHasExceptions = 2, kHasFolded = 4, kHasAllocations = 8;

// What stands before the fields of an event of events.def, after its code byte.
struct ExtendedHead {
  uint64_t number = 0;
  uint64_t delta = 0;
  uint64_t length = 0;
};

template <typename C, Like<ClockPair> R>
void fields(C& c, R& r) {
  c.integer("counter", r.counter, "raw counter", FieldKind::kCounter);
  c.integer("unix_us", r.unix_us, "microseconds since the Unix epoch");
}

template <typename C, Like<uint64_t> R>
void fields(C& c, R& r) {
  c.integer("id", r, "its id");
}

template <typename C, Like<std::pair<std::string, std::string>> R>
void fields(C& c, R& r) {
  c.string("key", r.first, "what it is: the table of properties below");
  c.string("value", r.second, "as text");
}

template <typename C, Like<Intro> R>
void fields(C& c, R& r) {
  c.integer("version", r.version, "format version");
  c.string("runtime", r.runtime, "the runtime's name");
  c.integer("flags", r.flags, "profiling flags");
  c.record("clock", r.clock, "when the log began");
  c.since(kVersion2, [&] { c.list("properties", r.properties, Ending::kEmptyString, "what is known of the run"); });
}

template <typename C, Like<Load> R>
void fields(C& c, R& r) {
  c.byte("kind", r.kind, "bits: 1 module, 2 assembly, 4 app domain, 8 success, 16 failure", FieldKind::kLoaded);
  c.integer("start", r.start_counter, "counter when it began", FieldKind::kCounter);
  c.integer("end", r.end_counter, "counter when it ended", FieldKind::kEnd);
  c.integer("thread", r.thread, "thread id", FieldKind::kThread);
  c.string("name", r.name, "its name");
}

template <typename C, Like<ClassName> R>
void fields(C& c, R& r) {
  c.integer("id", r.id, "class id");
  c.string("name", r.name, "name with namespace");
  c.since(kVersion2, [&] {
    c.integer("instance_size", r.instance_size, "bytes of an instance, 0 where instances vary");
    c.integer("image", r.image, "image id, 0 if not known", FieldKind::kImage);
  });
}

template <typename C, Like<MethodName> R>
void fields(C& c, R& r) {
  c.integer("id", r.id, "method id");
  c.integer("class", r.klass, "class id, 0 for none", FieldKind::kClass);
  c.string("name", r.name, "name without its class, as a person wrote it");
  c.since(kVersion2, [&] {
    c.string("raw_name", r.raw_name, "name with its class as metadata has it, empty if no other", FieldKind::kRawName);
  });
}

template <typename C, Like<ImageName> R>
void fields(C& c, R& r) {
  c.integer("id", r.id, "image id");
  c.string("name", r.name, "file name");
  c.string("path", r.path, "path, empty if it is no file");
  c.string("assembly", r.assembly, "its assembly's name");
}

template <typename C, Like<LibraryName> R>
void fields(C& c, R& r) {
  c.integer("id", r.id, "library id");
  c.string("path", r.path, "path");
}

template <typename C, Like<NativeName> R>
void fields(C& c, R& r) {
  c.integer("id", r.id, "native function id");
  c.integer("library", r.library, "library id, 0 for generated code", FieldKind::kLibrary);
  c.string("name", r.name, "name, empty where the library has no symbol");
}

template <typename C, Like<ThreadName> R>
void fields(C& c, R& r) {
  uint8_t managed = r.managed ? 1 : 0;
  c.integer("id", r.id, "thread id", FieldKind::kThread);
  c.integer("os_id", r.os_id, "the operating system's id");
  c.byte("managed", managed, "1 if it runs managed code", FieldKind::kFlag);
  c.string("name", r.name, "name, empty if it has none");
  if constexpr (!std::is_const_v<R>) r.managed = managed != 0;
}

template <typename C, Like<ImageOrigin> R>
void fields(C& c, R& r) {
  auto origin = static_cast<uint8_t>(r.origin);
  c.integer("image", r.image, "image id");
  c.byte("origin", origin, "1 a project, 2 a package, 3 a framework or SDK");
  c.string("name", r.name, "its name, and version where it has one");
  if constexpr (!std::is_const_v<R>) r.origin = static_cast<Origin>(origin <= 3 ? origin : 0);
}

template <typename C, Like<LibraryBuild> R>
void fields(C& c, R& r) {
  c.integer("library", r.library, "library id");
  c.string("build_id", r.build_id, "its build id, in hexadecimal digits");
}

template <typename C, Like<NativeAddress> R>
void fields(C& c, R& r) {
  c.integer("native", r.native, "native function id");
  c.integer("address", r.address, "its first address, as its library was linked");
}

template <typename C, Like<MethodDefinition> R>
void fields(C& c, R& r) {
  c.integer("method", r.method, "method id");
  c.integer("image", r.image, "image id");
  c.integer("row", r.row, "row of its definition in the image's table of methods, from 1");
}

template <typename C, Like<ImageSymbols> R>
void fields(C& c, R& r) {
  c.integer("image", r.image, "image id");
  c.string("pdb_id", r.pdb_id, "id of the portable PDB made with it, 40 hexadecimal digits; of an .mdb the MVID, 32");
  c.string("pdb_path", r.pdb_path, "where that was when the image was compiled");
}

template <typename C, Like<MethodBox> R>
void fields(C& c, R& r) {
  c.integer("method", r.method, "method id");
  c.integer("il", r.il, "offset of an instruction of its that boxes a value");
}

template <typename C, Like<UnoptimizedImage> R>
void fields(C& c, R& r) {
  c.integer("image", r.image, "image id");
}

template <typename C, Like<Mapping> R>
void fields(C& c, R& r) {
  c.record("start", r.start, "when the writer began with it");
  c.integer("thread", r.thread, "thread id of the writer", FieldKind::kThread);
  c.list("classes", r.classes, Ending::kInt0, "classes");
  c.list("methods", r.methods, Ending::kInt0, "methods");
  c.since(kVersion2, [&] {
    c.list("images", r.images, Ending::kInt0, "images (modules)");
    c.list("libraries", r.libraries, Ending::kInt0, "native libraries");
    c.list("natives", r.natives, Ending::kInt0, "native functions");
    c.list("threads", r.threads, Ending::kInt0, "threads");
  });
  c.record("end", r.end, "when it had it");
  c.added([&] { c.list("origins", r.origins, Ending::kInt0, "where the code of images comes from"); });
  c.added([&] {
    c.list("builds", r.builds, Ending::kInt0, "which files native libraries were");
    c.list("addresses", r.addresses, Ending::kInt0, "where native functions lie in them");
  });
  c.added([&] { c.list("definitions", r.definitions, Ending::kInt0, "where methods are in their images"); });
  c.added([&] { c.list("symbols", r.symbols, Ending::kInt0, "images' portable PDBs"); });
  c.added([&] { c.list("boxes", r.boxes, Ending::kInt0, "where methods of the program's own code box values"); });
  c.added(
      [&] { c.list("unoptimized", r.unoptimized, Ending::kInt0, "the program's own images that are debug builds"); });
}

template <typename C, Like<EventsHead> R>
void fields(C& c, R& r) {
  c.record("start", r.start, "when the block was begun");
  c.integer("thread", r.thread, "thread id", FieldKind::kThread);
  c.integer("base", r.base, "counter to which the first event's difference is");
}

template <typename C, Like<EventsBlock> R>
void fields(C& c, R& r) {
  fields(c, r.head);
  c.stream("events", "events, ended by a BYTE 0");
  c.record("end", r.end, "when the block was ended");
}

template <typename C, Like<CallsBlock> R>
void fields(C& c, R& r) {
  c.record("clock", r.clock, "when the block was made");
  c.integer("thread", r.thread, "thread id", FieldKind::kThread);
  c.integer("base", r.base, "counter to which the first difference is");
  c.integer("count", r.count, "how many records, 65,536 at most");
  c.integer("more_bytes", r.more_bytes, "bytes of the stream `more`");
  c.integer("ops_frame", r.ops_frame, "bytes of the zstd frame that the stream `ops` is in; 0: in none");
  c.integer("low_frame", r.low_frame, "likewise of `low`");
  c.integer("more_frame", r.more_frame, "likewise of `more`; behind this field are the three streams");
}

template <typename C, Like<ExtendedHead> R>
void fields(C& c, R& r) {
  c.integer("number", r.number, "its number in events.def");
  c.integer("delta", r.delta, "counter, less that of the event before");
  c.integer("length", r.length, "bytes of the fields that follow");
}

template <typename C, Like<Statistical> R>
void fields(C& c, R& r) {
  c.integer("start", r.start, "start counter", FieldKind::kCounter);
  c.list("methods", r.methods, Ending::kInt0, "managed methods, a hit each", FieldKind::kMethod);
  c.list("natives", r.natives, Ending::kInt0, "native functions, a hit each", FieldKind::kNative);
  c.integer("end", r.end, "end counter", FieldKind::kEnd);
}

template <typename C, Like<End> R>
void fields(C& c, R& r) {
  c.integer("version", r.version, "format version");
  c.record("clock", r.clock, "when the program ended");
}

template <typename C, Like<ProcessUsage> R>
void fields(C& c, R& r) {
  c.record("clock", r.clock, "when");
  c.integer("user_us", r.user_us, "CPU time in the program so far, microseconds");
  c.integer("system_us", r.system_us, "CPU time in the kernel so far, microseconds");
  c.integer("max_rss_kb", r.max_rss_kb, "largest resident memory so far, KiB");
}

template <typename C, Like<Lost> R>
void fields(C& c, R& r) {
  c.string("reason", r.reason, "why");
  c.integer("count", r.count, "how many since the program began");
}

template <typename C, Like<Counter> R>
void fields(C& c, R& r) {
  c.string("name", r.name, "what is counted: the table of counters below");
  c.integer("count", r.count, "how many since the program began");
}

template <typename C, Like<CountersBlock> R>
void fields(C& c, R& r) {
  c.list("counters", r.counters, Ending::kEmptyString, "counts");
}

template <typename C, Like<LostOfThread> R>
void fields(C& c, R& r) {
  c.integer("thread", r.thread, "thread", FieldKind::kThread);
  c.integer("samples", r.samples, "lost samples");
  c.integer("events", r.events, "lost events, but for those of calls and allocations");
  c.integer("calls", r.calls, "lost enters and leaves of methods");
  c.integer("allocations", r.allocations, "lost allocations");
}

template <typename C, Like<LossesBlock> R>
void fields(C& c, R& r) {
  c.list("threads", r.threads, Ending::kInt0, "threads that lost something");
}

template <typename C, Like<CheckBlock> R>
void fields(C& c, R& r) {
  c.fixed64("marker", r.marker, "always 0x0a1a00cbe93c00ff");
  c.list("lost", r.lost, Ending::kEmptyString, "what was lost so far");
  c.fixed64("hash", r.hash, "XXH64, seed 0, of the bytes between the check block before and this field");
}

template <typename C, Like<BlockSum> R>
void fields(C& c, R& r) {
  c.integer("size", r.size, "of the block, with its header");
  c.fixed64("hash", r.hash, "XXH64, seed 0, of these bytes");
}

template <typename C, Like<SumsBlock> R>
void fields(C& c, R& r) {
  c.fixed64("marker", r.marker, "always 0x0a1a00d15c2e00ff");
  c.list("blocks", r.blocks, Ending::kInt0, "the blocks since the check block before, in order");
  c.fixed64("hash", r.hash, "XXH64, seed 0, of this block's bytes between its header and this field");
}

template <typename C, Like<CompressedBlock> R>
void fields(C& c, R& r) {
  c.integer("raw_size", r.raw_size, "bytes of the blocks within; the rest of this block is one zstd frame of them");
}

template <typename C, Like<CallAllocation> R>
void fields(C& c, R& r) {
  c.integer("class", r.klass, "class id", FieldKind::kClass);
  c.integer("objects", r.objects, "how many");
  c.integer("bytes", r.bytes, "of what size together");
}

inline uint64_t packed_method(const CallNode& node) {
  return node.method << 4 | (node.running ? kCallRuns : 0u) | (node.exceptions != 0 ? kHasExceptions : 0u) |
         (node.folded != 0 ? kHasFolded : 0u) | (!node.allocations.empty() ? kHasAllocations : 0u);
}

// Reading leaves the distance in `parent`: only who counts the nodes knows their ids.
template <typename C, Like<CallNode> R>
void fields(C& c, R& r) {
  uint64_t up = r.id - r.parent;
  uint64_t method = packed_method(r);
  if constexpr (!std::is_const_v<R>) r = {};
  c.integer("up", up, "its number less its caller's; never 0");
  c.integer("method", method,
            "method id * 16, + 1 if a call still runs, + 2, 4, 8 if exceptions, folded, allocations follow");
  if constexpr (!std::is_const_v<R>) {
    r.parent = up;
    r.method = method >> 4;
    r.running = (method & kCallRuns) != 0;
  }
  c.integer("calls", r.calls, "calls, with one that still runs");
  c.integer("ticks", r.ticks, "time in it and what it called, in counts of the counter", FieldKind::kTicks);
  c.when((method & kHasExceptions) != 0, "if method & 2",
         [&] { c.integer("exceptions", r.exceptions, "calls that an exception ended"); });
  c.when((method & kHasFolded) != 0, "if method & 4",
         [&] { c.integer("folded", r.folded, "calls from it that have no node: their time is its own"); });
  c.when((method & kHasAllocations) != 0, "if method & 8",
         [&] { c.list("allocations", r.allocations, Ending::kInt0, "what its own code allocated, by class"); });
}

template <typename C, Like<CallTiming> R>
void fields(C& c, R& r) {
  c.integer("node", r.node, "the node's number");
  c.integer("timed", r.timed, "segments of its own code, from one probe to the next, that were timed apart");
  c.integer("timed_ticks", r.timed_ticks, "their time, in counts of the counter", FieldKind::kTicks);
  c.integer("longs", r.longs, "segments of more than 4,096 counts");
  c.integer("long_ticks", r.long_ticks, "their time, in counts of the counter", FieldKind::kTicks);
  c.integer("waited_ns", r.waited_ns, "nanoseconds of it in which the thread had no processor");
}

template <typename C, Like<CallEntries> R>
void fields(C& c, R& r) {
  c.integer("node", r.node, "the node's number");
  c.integer("self_ticks", r.self_ticks, "time of its own code, without what measuring took", FieldKind::kTicks);
  c.integer("specialized", r.specialized, "calls of code that was specialized, for the interpreter");
  c.integer("compiled", r.compiled, "calls of code that was compiled");
  c.integer("inlined", r.inlined, "of both, those that are part of the caller's code");
  c.integer("replaced", r.replaced, "times that such code took over in a running call (OSR)");
  c.integer("deoptimized", r.deoptimized, "times that a call went back to the interpreter");
  c.integer("deoptimized_all", r.deoptimized_all, "times that it did so with all of its callers");
}

template <typename C, Like<CallGraph> R>
void fields(C& c, R& r) {
  c.integer("dump", r.dump, "number of the dump; of a log's dumps the highest counts");
  c.integer("thread", r.thread, "thread id; 0: of threads that have ended", FieldKind::kThread);
  c.integer("threads", r.threads, "how many threads it is about");
  c.integer("counter", r.counter, "when it was taken; calls that still run are counted until then",
            FieldKind::kCounter);
  c.integer("frames_closed", r.frames_closed, "calls that ended only because their caller did");
  c.integer("leaves_ignored", r.leaves_ignored, "exits of methods that nobody saw enter");
  c.integer("allocations_lost", r.allocations_lost, "allocations not counted, for want of memory");
  c.list("nodes", r.nodes, Ending::kInt0, "nodes, numbered from 1, each after its caller; 0 is the root");
  c.added([&] { c.list("timings", r.timings, Ending::kInt0, "of nodes, how the time of their own code passed"); });
  c.added([&] { c.list("entries", r.entries, Ending::kInt0, "of nodes, what another tool's file says itself"); });
}

template <typename C, Like<GcPart> R>
void fields(C& c, R& r) {
  uint8_t responsible = r.responsible ? 1 : 0;
  c.integer("thread", r.thread, "thread id", FieldKind::kThread);
  c.integer("number", r.number, "number of the collection");
  c.integer("counter", r.counter, "when it began", FieldKind::kCounter);
  c.integer("ns", r.ns, "nanoseconds that it took");
  c.byte("responsible", responsible, "1 if this thread led the others");
  if constexpr (!std::is_const_v<R>) r.responsible = responsible != 0;
  c.integer("kept_bytes", r.kept_bytes, "bytes of its young objects that stayed young");
  c.integer("promoted_bytes", r.promoted_bytes, "bytes of those that became old");
  c.integer("freed_bytes", r.freed_bytes, "bytes of its young objects that were freed");
  c.integer("roots", r.roots, "old objects that refer to its young ones");
}

template <typename C, Like<GcParts> R>
void fields(C& c, R& r) {
  c.list("parts", r.parts, Ending::kInt0, "parts");
}

template <typename C, Like<CoverageImage> R>
void fields(C& c, R& r) {
  c.integer("number", r.number, "from 1, of this block only");
  c.string("name", r.name, "file name");
  c.string("path", r.path, "path, empty if it is no file");
  c.string("mvid", r.mvid, "the GUID of its version as it stands in the metadata, 32 hexadecimal digits");
  c.string("pdb_id", r.pdb_id,
           "id of the portable PDB made with it, 40 hexadecimal digits; of an .mdb the MVID, 32; empty: there is none");
  c.string("pdb_path", r.pdb_path, "where that was when the image was compiled");
}

template <typename C, Like<CoverageHit> R>
void fields(C& c, R& r) {
  uint64_t place = uint64_t{r.il} << 2 | (r.is_outcome ? 2u : 0u) | 1, outcome = r.outcome;
  if constexpr (!std::is_const_v<R>) r = {};
  c.integer("place", place, "offset in its IL * 4, + 2 if an outcome of a branch or switch, + 1");
  if constexpr (!std::is_const_v<R>) {
    r.il = fitting(place >> 2, CoverageHit::kMostIl) & CoverageHit::kMostIl;
    r.is_outcome = (place & 2) != 0;
  }
  c.when((place & 2) != 0, "if place & 2",
         [&] { c.integer("outcome", outcome, "0 taken or case 0, 1 the next, …; the last one: it fell through"); });
  if constexpr (!std::is_const_v<R>) r.outcome = r.is_outcome ? fitting(outcome) : 0;
  c.integer("count", r.count, "how often it ran, or whether");
}

template <typename C, Like<MethodHits> R>
void fields(C& c, R& r) {
  if constexpr (!std::is_const_v<R>) r = {};
  c.integer("image", r.image, "its image's number", FieldKind::kCoverageImage);
  c.integer("row", r.row, "row of its definition in the image's table of methods, from 1");
  c.string("name", r.name, "of a method whose image is no file, its name with class");
  c.list("points", r.points, Ending::kInt0, "its code in runs, each where it begins, and outcomes of its branches");
}

template <typename C, Like<Coverage> R>
void fields(C& c, R& r) {
  uint8_t counts = r.counts ? 1 : 0;
  c.string("label", r.label,
           "what ran meanwhile: the names of tests that ran at the same time, joined by \\n; or empty");
  c.integer("period", r.period,
            "number of the time that it is about; a block without methods only says whose that is, as it begins");
  c.byte("counts", counts, "1 if it says how often code ran, 0 if only that it did", FieldKind::kFlag);
  if constexpr (!std::is_const_v<R>) r.counts = counts != 0;
  c.list("images", r.images, Ending::kInt0, "images");
  c.list("methods", r.methods, Ending::kInt0, "methods, those too of which nothing ran");
}

template <typename C, Like<OptionChange> R>
void fields(C& c, R& r) {
  uint8_t running = r.running ? 1 : 0;
  c.record("clock", r.clock, "since when");
  c.string("module", r.module, "the module's name");
  c.byte("running", running, "0 if it was stopped", FieldKind::kFlag);
  if constexpr (!std::is_const_v<R>) r.running = running != 0;
  c.string("options", r.options, "the options that were given, as the module's text has them, without the file");
  c.list("properties", r.properties, Ending::kEmptyString,
         "the intro's properties as they are now; none in the first such block");
}

template <typename C, Like<RingHead> R>
void fields(C& c, R& r) {
  c.fixed64("bytes", r.bytes, "size of the ring, which is the rest of the block");
  c.fixed64("begin", r.begin, "position of the oldest segment: how many bytes had been appended before it");
  c.fixed64("end", r.end, "position behind the last byte");
}

struct BlockDescription {
  Block code;
  uint64_t since;  // version
  const char* name;
  const char* doc;
};

inline constexpr BlockDescription kBlocks[] = {
#define ORIEL_BLOCK(code, symbol, name, since, Record, doc) {Block::k##symbol, since, #name, doc},
#include "log/blocks.def"
};

inline constexpr Block kLastBlock = kBlocks[std::size(kBlocks) - 1].code;

// "events"; "unknown" for a code that no version has.
inline const char* block_name(Block code) {
  for (const BlockDescription& block : kBlocks) {
    if (block.code == code) return block.name;
  }
  return "unknown";
}

}  // namespace oriel::log
