#include "log/writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <exception>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/clock.h"
#include "base/text/utf8.h"
#include "log/block_packer.h"
#include "log/calls_writer.h"
#include "log/class_sizes.h"
#include "log/encoder.h"
#include "log/event_stream.h"
#include "log/framing.h"
#include "log/layout.h"
#include "log/place.h"
#include "log/ring_file.h"
#include "log/stream.h"
#include "log/tail_file.h"
#include "log/whole_block.h"
#include "log/write_all.h"

namespace oriel::log {

struct Writer::State {
  std::string path;
  int file = -1;
  RingFile* ring = nullptr;  // whose file it is; nullptr: the writer's own
  bool begun = false;        // the ring's segment
  bool has_dropped = false;  // a flush that did not fit into the ring
  bool published = true;     // the file has its name
  bool unnamed = false;      // it is to have none
  struct stat identity {};   // of the file
  pid_t owner = getpid();
  ByteBuffer pending;    // complete blocks since the last flush
  Dropped contents;      // of these, for a ring
  Dropped dropped;       // by flushes that did not fit into the ring
  uint64_t flushed = 0;  // bytes in the file
  Status failure = Status::ok();
  StacksBlock stacks;  // kept for its memory
  SamplesBlock samples;
  ClassSizes class_sizes;               // of the classes mapped so far
  std::unique_ptr<CallsWriter> calls;   // made for the first
  std::unique_ptr<BlockPacker> packer;  // made when flushes compress
  std::unique_ptr<TailFile> own_tail;   // a ring has its own
  bool in_tail = false;                 // what is added is for the tail only
  bool tail_failed = false;

  // Appends a block with the output of `encode`. Lack of memory, or too large a block, ends the log but not the
  // program.
  template <typename Encode>
  void block(Block code, Encode encode) {
    // Names and nodes may come between a thread's calls.
    if (!in_tail && code != Block::kMapping && code != Block::kStacks && code != Block::kCalls) end_calls();
    if (!failure.is_ok()) return;
    const size_t start = pending.size();
    try {
      Encoder encoder(pending);
      append_block(pending, code, [&] { encode(encoder); });
    } catch (const std::exception& error) {
      pending.shrink(start);
      if (in_tail)
        tail_failed = true;
      else
        fail(error.what());
    }
  }
  void end_calls() {
    if (calls && calls->is_open()) block(Block::kCalls, [&](Encoder& encoder) { calls->end(encoder, pending); });
  }
  template <typename Record>
  void record(Block code, const Record& value) {
    block(code, [&](Encoder& encoder) { fields(encoder, value); });
  }

  void pack_pending() {
    if (!packer || !failure.is_ok()) return;
    end_calls();
    packer->pack(pending);
  }

  // Hashes of the pending blocks, so that damage to one costs no other. Of little it would cost more than it saves.
  void add_sums() {
    constexpr size_t kLeast = 4096;
    if (in_tail) return;
    end_calls();
    const size_t end = pending.size();
    if (end < kLeast) return;
    block(Block::kSums, [&](Encoder& encoder) {
      SumsBlock sums;
      BlockView its;
      for (size_t at = 0; read_block(pending.data(), end, at, its); at = end_of(its))
        sums.blocks.push_back({end_of(its) - at, XXH64(pending.data() + at, end_of(its) - at, 0)});
      fields(encoder, std::as_const(sums));
    });
    if (failure.is_ok()) seal(end + kBlockHeaderSize);
  }

  // Ends the pending bytes with a check block over them.
  void add_check(std::span<const Lost> lost) {
    add_sums();
    block(Block::kCheck, [&](Encoder& encoder) {
      CheckBlock check;
      check.lost.assign(lost.begin(), lost.end());
      fields(encoder, std::as_const(check));
    });
    if (failure.is_ok() && !(in_tail && tail_failed)) seal(0);
  }

  // Writes the hash of the pending bytes from there on into their last field.
  void seal(size_t from) {
    const size_t end = pending.size() - sizeof(uint64_t);
    const uint64_t hash = XXH64(pending.data() + from, end - from, 0);
    pending.shrink(end);
    Encoder(pending).fixed64("hash", hash, "");
  }

  // Whether `file` is still the log: a forked child must not write into its parent's. Without a separate descriptor
  // table (base/files/own_files.h), a program that closes files it did not open may have reused the number for one of
  // its own.
  bool is_ours() const {
    struct stat now {};
    return getpid() == owner && fstat(file, &now) == 0 && now.st_dev == identity.st_dev &&
           now.st_ino == identity.st_ino;
  }

  void release() {
    const bool closes = !ring && is_ours();
    if (closes && own_tail) own_tail->remove();
    own_tail.reset();
    if (closes && !published) remove_unpublished(file, path);
    if (closes) close_log(file);
    file = -1;
  }

  void write_pending() {
    if (!failure.is_ok()) return;
    if (!is_ours()) return fail("the program has closed it, or is a fork of the one that opened it");
    if (is_removed()) return fail_removed();
    const int error = ring ? append_to_ring() : write_all(file, pending.data(), pending.size());
    if (error != 0) return fail(error == EAGAIN ? "nobody takes it out" : std::strerror(error));
    if (own_tail && flushed == 0) own_tail->set_front({pending.data(), pending.size()});
    flushed += pending.size();
    pending.shrink(0);
  }

  // What does not fit is dropped, and the segment with it goes no further, because names in it are missing.
  int append_to_ring() {
    has_dropped = has_dropped || !ring->fits(pending.size(), !begun);
    if (has_dropped) dropped.add(contents);
    contents = {};
    if (has_dropped) return 0;
    return ring->append(pending.data(), pending.size(), !std::exchange(begun, true), clock_monotonic_ns());
  }

  void count_calls(uint64_t thread, uint64_t base, std::span<const CallRecord> records) {
    Dropped::Calls& its = contents.calls[thread];
    its.count += static_cast<uint64_t>(
        std::ranges::count_if(records, [](const CallRecord& record) { return record.kind <= CallKind::kAllocation; }));
    its.counter = base;
  }

  // nullptr: there is none.
  TailFile* tail() const { return ring ? ring->tail() : own_tail.get(); }

  // Counts what is added for the case that it does not fit into the ring.
  bool counts_contents() const { return ring && !in_tail; }

  // Whether it goes into a pipe or a socket.
  bool is_stream() const { return !ring && !unnamed && !S_ISREG(identity.st_mode); }

  bool is_removed() const {
    struct stat now {};
    return !unnamed && fstat(file, &now) == 0 && S_ISREG(now.st_mode) && now.st_nlink == 0;
  }

  // Of the pending bytes, up to the last whole block of those that got into the file.
  size_t whole_in_file() const {
    struct stat now {};
    if (fstat(file, &now) != 0 || static_cast<uint64_t>(now.st_size) <= flushed) return 0;
    const size_t written = std::min(pending.size(), static_cast<size_t>(now.st_size) - flushed);
    size_t at = 0;
    for (BlockView whole; read_block(pending.data(), written, at, whole);) at = end_of(whole);
    return at;
  }

  // Truncates the file to its last complete block; nothing is written from now on.
  void fail(const char* reason) {
    // A file that is no longer the log's must not be truncated.
    const bool streams = is_stream(), ours = is_ours();
    if (!ring && !streams && ours) flushed += whole_in_file();
    const bool cut = !ring && !streams && flushed != 0 && (!ours || ftruncate(file, static_cast<off_t>(flushed)) == 0);
    pending.shrink(0);
    release();
    try {
      const std::string left = ring         ? "what it held until then can be read"
                               : !published ? "nothing of it is left"
                               : streams    ? "its reader has what came before"
                               : cut        ? "it ends after " + std::to_string(flushed) + " bytes, which can be read"
                                            : "give another path with -o";
      failure = Status::error("cannot write the log " + path + ": " + reason + "; " + left);
    } catch (const std::exception&) {
      failure = Status::error("out of memory");  // short enough to need no memory
    }
  }

  // Further writes would only fill the disk, invisibly, until the program's end.
  void fail_removed() {
    pending.shrink(0);
    release();
    try {
      failure = Status::error("the log " + path + " was removed while the program ran, and its contents are lost");
    } catch (const std::exception&) {
      failure = Status::error("out of memory");
    }
  }
};

Writer::Writer() : state_(std::make_unique<State>()) {}

Writer::~Writer() { state_->release(); }

void Writer::close() { state_->release(); }

Result<std::unique_ptr<Writer>> Writer::create_by(Result<int> (*create)(const std::string&), const std::string& path,
                                                  bool published) {
  try {
    std::unique_ptr<Writer> writer(new Writer());
    writer->state_->path = path;
    writer->state_->published = published;
    const Result<int> file = create(path);
    if (!file) return file.status();
    writer->state_->file = *file;
    fstat(*file, &writer->state_->identity);
    return writer;
  } catch (const std::exception&) {
    return Status::error("out of memory");
  }
}

Result<std::unique_ptr<Writer>> Writer::create(const std::string& path) {
  return create_by(is_stream(path) ? open_stream : create_log, path, true);
}

Result<std::unique_ptr<Writer>> Writer::create_unpublished(const std::string& path) {
  return create_by(create_unpublished_log, path, false);
}

Status Writer::publish() {
  State& state = *state_;
  if (!state.failure.is_ok()) return state.failure;
  if (Status status = publish_log(state.file, state.path); !status) return status;
  state.published = true;
  return Status::ok();
}

Result<std::unique_ptr<Writer>> Writer::create_unnamed(int file) {
  try {
    std::unique_ptr<Writer> writer(new Writer());
    const int copy = fcntl(file, F_DUPFD_CLOEXEC, 0);
    if (copy < 0) return Status::error(std::string("the log cannot be written: ") + std::strerror(errno));
    writer->state_->file = copy;
    writer->state_->unnamed = true;
    fstat(copy, &writer->state_->identity);
    return writer;
  } catch (const std::exception&) {
    return Status::error("out of memory");
  }
}

Result<std::unique_ptr<Writer>> Writer::create_in(RingFile& ring) {
  try {
    std::unique_ptr<Writer> writer(new Writer());
    writer->state_->file = ring.number();
    writer->state_->ring = &ring;
    writer->state_->path = ring.path();
    fstat(ring.number(), &writer->state_->identity);
    return writer;
  } catch (const std::exception&) {
    return Status::error("out of memory");
  }
}

bool Writer::has_dropped() const { return state_->has_dropped; }

const Dropped& Writer::dropped() const { return state_->dropped; }

void Dropped::add(const Dropped& more) {
  samples += more.samples;
  events += more.events;
  for (const auto& [thread, its] : more.calls) {
    calls[thread].count += its.count;
    calls[thread].counter = its.counter;
  }
}

Status Writer::copy(const RingFile& ring, const std::function<void()>& between) {
  State& state = *state_;
  const int error = ring.copy_to(state.file, clock_monotonic_ns(), between);
  if (error != 0) state.fail(std::strerror(error));
  return state.failure;
}

void Writer::compress() {
  if (!state_->packer) state_->packer = std::make_unique<BlockPacker>();
}

void Writer::intro(const Intro& intro) { state_->record(Block::kIntro, intro); }

void Writer::load(const Load& load) { state_->record(load.unload ? Block::kUnloaded : Block::kLoaded, load); }

void Writer::mapping(const Mapping& mapping) {
  if (mapping.classes.empty() && mapping.methods.empty() && mapping.images.empty() && mapping.libraries.empty() &&
      mapping.natives.empty() && mapping.threads.empty()) {
    return;
  }
  state_->record(Block::kMapping, mapping);
  for (const ClassName& name : mapping.classes) state_->class_sizes.set(name.id, name.instance_size);
}

void Writer::events(uint64_t thread, std::span<const RawEvent> events, std::optional<ClockPair> clock) {
  if (events.empty()) return;
  const uint64_t base = events.front().counter;
  if (state_->counts_contents()) state_->contents.events += events.size();
  state_->block(Block::kEvents, [&](Encoder& encoder) {
    const EventsHead head{clock ? *clock : clock_pair(), thread, base};
    fields(encoder, head);
    encode_events(base, events, state_->pending);
    encoder.byte("", 0, "");
    fields(encoder, head.start);
  });
}

void Writer::calls(uint64_t thread, uint64_t base, std::span<const CallRecord> records, const CallsHow& how) {
  State& state = *state_;
  if (records.empty() || !state.failure.is_ok()) return;
  if (state.ring) state.count_calls(thread, base, records);
  try {
    if (!state.calls) state.calls = std::make_unique<CallsWriter>();
    if (!how.goes_on || !state.calls->is_open_for(thread)) {
      state.end_calls();
      state.calls->begin(thread, base);
    }
    while (!(records = state.calls->add(records, state.class_sizes, how.compressed)).empty()) {
      base = state.calls->last();
      state.end_calls();
      state.calls->begin(thread, base);
    }
  } catch (const std::exception& error) {
    state.fail(error.what());
  }
}

void Writer::stacks(std::span<const StackNode> nodes) {
  // A block holds consecutive ids.
  while (!nodes.empty()) {
    size_t count = 1;
    while (count < nodes.size() && nodes[count].id == nodes[count - 1].id + 1) ++count;
    state_->block(Block::kStacks, [&](Encoder& encoder) {
      pack(nodes.first(count), state_->stacks);
      fields(encoder, std::as_const(state_->stacks));
    });
    nodes = nodes.subspan(count);
  }
}

void Writer::samples(uint64_t thread, std::span<const Sample> samples, std::span<const Compiling> compiling) {
  if (samples.empty()) return;
  if (state_->counts_contents()) {
    for (const Sample& sample : samples) state_->contents.samples += sample.periods;
  }
  state_->block(Block::kSamples, [&](Encoder& encoder) {
    pack(thread, samples, compiling, state_->samples);
    fields(encoder, std::as_const(state_->samples));
  });
}

void Writer::call_graph(const CallGraph& graph) { state_->record(Block::kCallgraph, graph); }

void Writer::gc_parts(const GcParts& parts) { state_->record(Block::kGcParts, parts); }

void Writer::coverage(const Coverage& coverage) { state_->record(Block::kCoverage, coverage); }

void Writer::options(const OptionChange& change) { state_->record(Block::kOptions, change); }

void Writer::process(const ProcessUsage& usage) { state_->record(Block::kProcess, usage); }

void Writer::counters(std::span<const Counter> counters) {
  if (counters.empty()) return;
  state_->block(Block::kCounters, [&](Encoder& encoder) {
    CountersBlock block;
    block.counters.assign(counters.begin(), counters.end());
    fields(encoder, std::as_const(block));
  });
}

void Writer::losses(std::span<const LostOfThread> threads) {
  if (threads.empty()) return;
  state_->block(Block::kLosses, [&](Encoder& encoder) {
    LossesBlock block;
    block.threads.assign(threads.begin(), threads.end());
    fields(encoder, std::as_const(block));
  });
}

void Writer::heap(const HeapSnapshot& snapshot) { state_->record(Block::kHeap, snapshot); }
void Writer::heap_details(const HeapDetails& details) { state_->record(Block::kHeapDetails, details); }

void Writer::whole_blocks(std::span<const uint8_t> blocks) {
  State& state = *state_;
  state.end_calls();
  if (!state.failure.is_ok()) return;
  try {
    state.pending.append(blocks.data(), blocks.size());
  } catch (const std::exception& error) {
    state.fail(error.what());
  }
}

void Writer::end(const End& end) { state_->record(Block::kEnd, end); }

Status Writer::flush(std::span<const Lost> lost) {
  State& state = *state_;
  try {
    state.pack_pending();
    state.add_check(lost);
    state.write_pending();
    return state.failure;
  } catch (const std::exception&) {
    return Status::error("out of memory");
  }
}

Status Writer::begin_tail() {
  State& state = *state_;
  if (state.ring) return state.ring->begin_tail();
  if (state.is_stream()) return Status::ok();
  auto tail = TailFile::create(state.path);
  if (!tail) return tail.status();
  state.own_tail = std::move(*tail);
  return Status::ok();
}

bool Writer::has_tail() const {
  const TailFile* const tail = state_->tail();
  return tail != nullptr && tail->works() && !state_->has_dropped && state_->failure.is_ok();
}

bool Writer::write_tail(std::span<const Lost> lost, const std::function<void()>& add) {
  State& state = *state_;
  if (!has_tail() || (!state.ring && state.flushed == 0)) return false;
  bool written = false;
  const size_t kept = state.pending.size();
  state.in_tail = true;
  state.tail_failed = false;
  try {
    if (state.calls && state.calls->is_open())
      state.block(Block::kCalls, [&](Encoder& encoder) { state.calls->copy(encoder, state.pending); });
    add();
    state.add_check(lost);
    const uint64_t at = state.ring ? state.ring->end() | kInRing : state.flushed;
    if (!state.tail_failed) written = state.tail()->write(at, {state.pending.data(), state.pending.size()});
  } catch (const std::exception&) {  // without memory this tail is left out
  }
  state.in_tail = false;
  state.pending.shrink(kept);
  return written;
}

uint64_t Writer::bytes_written() const { return state_->flushed; }

uint64_t Writer::bytes_pending() const { return state_->pending.size() + (state_->calls ? state_->calls->bytes() : 0); }

uint8_t* encode_field(uint8_t* out, const char* text) {
  const std::string_view whole(text, text == nullptr ? 0 : strnlen(text, kMaxFieldBytes));
  const size_t length = utf8_end(whole, kMaxFieldBytes - 1);
  if (length != 0) std::memcpy(out, text, length);
  out[length] = 0;
  return out + length + 1;
}

}  // namespace oriel::log
