#include "log_maker.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <unordered_map>
#include <vector>

#include "log/writer.h"
#include "pdb_maker.h"

namespace oriel::bench {
namespace {

#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) constexpr uint32_t k_##name = number;
#include "oriel/events.def"
#undef ORIEL_EVENT

constexpr const char* kPdbId = "0123456789abcdef0123456789abcdef01234567";
constexpr uint64_t kTicksPerSecond = 2'500'000'000;
constexpr uint32_t kMaxDepth = 200;

// Of ten classes so many are each's: the program's own, a package's, the framework's.
struct ImageShape {
  const char* name;
  const char* space;
  log::Origin origin;
  const char* from;
  uint32_t classes;
};
constexpr ImageShape kImages[] = {
    {"Shop", "Shop.Area", log::Origin::kProject, "Shop", 3},
    {"Lists.Fast", "Lists.Fast.Part", log::Origin::kPackage, "Lists.Fast 2.1.0", 2},
    {"System.Private.CoreLib", "System.Part", log::Origin::kFramework, "Microsoft.NETCore.App 10.0.0", 5},
};

constexpr const char* kLibraries[] = {"/usr/share/dotnet/libcoreclr.so", "/usr/share/dotnet/libclrjit.so",
                                      "/usr/lib/libc.so.6"};
struct NativeShape {
  uint64_t library;  // from 1, 0: none
  const char* name;
};
// What the program's methods run into, then what the runtime's own threads do.
constexpr NativeShape kNatives[] = {
    {1, "[PGO counting]"},
    {1, "[write barrier]"},
    {1, "[allocation]"},
    {1, "[look-up]"},
    {1, ""},
    {3, "memmove"},
    {0, "[kernel]"},
    {2, ""},
    {0, "[call thunk]"},
};
constexpr uint32_t kNativeCount = std::size(kNatives);

const ImageShape& image_of_class(uint32_t klass, uint64_t& id) {
  uint32_t place = klass % 10;
  id = 1;
  for (const ImageShape& image : kImages) {
    if (place < image.classes) return image;
    place -= image.classes;
    ++id;
  }
  return kImages[0];
}

class Maker {
 public:
  Maker(log::Writer& writer, const LogShape& shape) : writer_(writer), shape_(shape), stacks_(shape.threads) {}
  Result<uint64_t> run();

 private:
  void write_intro();
  void write_names();
  // A second of the program.
  void write_second();
  void write_samples(uint32_t thread, uint64_t from);
  void write_events(uint32_t thread, uint64_t from);
  // A frame: a method's id, and where in it the thread is.
  struct Frame {
    uint64_t method = 0;
    uint32_t il = 0;
    uint64_t node = 0;  // 0: not known yet
  };
  using Stack = std::vector<Frame>;

  void write_images(log::Mapping& mapping) const;
  void move(Stack& stack);
  static void set_place(Frame& frame, uint32_t point) { frame = {frame.method, point * kIlAPoint, 0}; }
  uint64_t callee_of(const Stack& stack);
  uint64_t node_of(Stack& stack);
  // The node of a native function that the code of node `caller` runs into.
  uint64_t native_node(uint64_t caller, uint32_t native);
  uint64_t child(uint64_t parent, log::FrameKind kind, uint64_t id, uint32_t il);
  uint64_t sampled_node(uint32_t thread);
  uint64_t known_node();
  // Threads of the runtime's own run no managed code.
  bool is_runtimes(uint32_t thread) const { return thread > 1 && thread + 2 >= shape_.threads; }
  uint32_t random(uint32_t below) { return static_cast<uint32_t>(random_() % below); }
  ClockPair clock(uint64_t counter) const {
    return {counter, start_.unix_us + (counter - start_.counter) / (kTicksPerSecond / 1'000'000)};
  }

  // The writer reads the clock for blocks of events: the samples' counters are to be of the same, and run ahead of it.
  const ClockPair start_ = clock_pair();
  log::Writer& writer_;
  const LogShape& shape_;
  std::mt19937 random_{42};
  std::vector<Stack> stacks_;  // of each thread, outermost first
  std::unordered_map<uint64_t, uint64_t> nodes_;
  std::vector<log::StackNode> new_nodes_;
  std::vector<uint64_t> sampled_;  // nodes, while there are not too many
  uint64_t now_ = start_.counter;
  uint64_t samples_ = 0;
  uint32_t collections_ = 0;
};

void Maker::write_intro() {
  log::Intro intro;
  intro.runtime = ".NET 10.0.0";
  intro.clock = start_;
  intro.properties = {{"command", "dotnet exec generated.dll"},
                      {"counter", "tsc"},
                      {"cores", std::to_string(shape_.threads)},
                      {"sampling.mode", "process"},
                      {"sampling.hz", std::to_string(shape_.hz)}};
  writer_.intro(intro);
}

void Maker::write_images(log::Mapping& mapping) const {
  for (uint64_t id = 1; id <= std::size(kImages); ++id) {
    const ImageShape& image = kImages[id - 1];
    const std::string name = image.name;
    mapping.images.push_back({id, name + ".dll", "/srv/" + name + ".dll", name});
    mapping.origins.push_back({id, image.origin, image.from});
  }
  if (!shape_.pdb.empty()) mapping.symbols.push_back({1, kPdbId, shape_.pdb});
  for (uint64_t id = 1; id <= std::size(kLibraries); ++id) mapping.libraries.push_back({id, kLibraries[id - 1]});
  for (uint64_t id = 1; id <= kNativeCount; ++id)
    mapping.natives.push_back({id, kNatives[id - 1].library, kNatives[id - 1].name});
}

void Maker::write_names() {
  log::Mapping mapping;
  mapping.start = mapping.end = start_;
  write_images(mapping);
  const uint32_t classes = shape_.methods / 10 + 1;
  for (uint32_t i = 1; i <= classes; ++i) {
    uint64_t image = 0;
    const std::string space = image_of_class(i, image).space;
    mapping.classes.push_back({i, 24, image, space + std::to_string(i % 37) + ".Class" + std::to_string(i)});
  }
  for (uint32_t i = 1; i <= shape_.methods; ++i) {
    const uint32_t klass = i % classes + 1;
    uint64_t image = 0;
    image_of_class(klass, image);
    mapping.methods.push_back({i, klass, "Method" + std::to_string(i) + "(System.String, int)", ""});
    mapping.definitions.push_back({i, image, i});
  }
  for (uint32_t i = 1; i <= shape_.threads; ++i) {
    const bool runtimes = is_runtimes(i - 1);
    const char* own = i == shape_.threads ? ".NET Tiered Com" : ".NET Server GC";
    mapping.threads.push_back({i, 4000 + i, !runtimes, runtimes ? own : "Worker " + std::to_string(i)});
  }
  writer_.mapping(mapping);
}

// A method calls few others, mostly the same, so that stacks repeat as real ones do; those far out always the same.
uint64_t Maker::callee_of(const Stack& stack) {
  constexpr uint32_t kWork = 30, kRequests = 50;
  const uint64_t caller = stack.empty() ? 0 : stack.back().method;
  uint32_t choice = 0;
  if (stack.size() == 1) choice = random(kRequests);
  if (stack.size() >= kWork && random(8) == 0) choice = 1 + random(2);
  return (caller * 2'654'435'761u + choice * 40'503u) % shape_.methods + 1;
}

// Leaves a few frames and enters others; now and then a request is done and another begins.
void Maker::move(Stack& stack) {
  const size_t leave = random(64) == 0 ? shape_.mean_depth : 1 + random(5);
  stack.resize(stack.size() - std::min(stack.size(), leave));
  if (stack.empty()) stack.push_back({1});
  const uint32_t goal = shape_.mean_depth + random(5) - 2;
  while (stack.size() < goal && stack.size() < kMaxDepth) {
    const uint64_t callee = callee_of(stack);
    set_place(stack.back(), static_cast<uint32_t>(callee % kPointsAMethod));
    stack.push_back({callee});
  }
  set_place(stack.back(), random(4) == 0 ? random(kPointsAMethod) : 2);
}

uint64_t Maker::child(uint64_t parent, log::FrameKind kind, uint64_t id, uint32_t il) {
  const uint64_t place = kind == log::FrameKind::kManaged ? il / kIlAPoint + 1 : 0;
  const uint64_t key = parent << 32 | place << 24 | id;  // 16 M methods, 4 G nodes
  const auto [at, made] = nodes_.try_emplace(key, nodes_.size() + 1);
  if (made) new_nodes_.push_back({at->second, parent, kind, id, false, il});
  return at->second;
}

uint64_t Maker::node_of(Stack& stack) {
  uint64_t node = 0;
  for (Frame& frame : stack) {
    if (frame.node == 0) frame.node = child(node, log::FrameKind::kManaged, frame.method, frame.il);
    node = frame.node;
  }
  return node;
}

uint64_t Maker::native_node(uint64_t caller, uint32_t native) {
  return child(caller, log::FrameKind::kNative, native + 1, log::kNoIl);
}

uint64_t Maker::sampled_node(uint32_t thread) {
  constexpr uint32_t kRuntime = 4, kJit = 7;  // of kNatives
  if (is_runtimes(thread))
    return native_node(native_node(0, thread + 1 == shape_.threads ? kJit : kRuntime), random(kNativeCount));
  if (nodes_.size() >= shape_.most_nodes) return known_node();
  move(stacks_[thread]);
  uint64_t node = node_of(stacks_[thread]);
  if (random(4) == 0) node = native_node(node, random(kNativeCount));
  sampled_.push_back(node);
  return node;
}

// One of those sampled before: half of the time one of a sixteenth of them.
uint64_t Maker::known_node() {
  const double at = random_() / 4294967296.0;
  return sampled_[static_cast<size_t>(at * at * at * at * static_cast<double>(sampled_.size()))];
}

void Maker::write_samples(uint32_t thread, uint64_t from) {
  std::vector<log::Sample> samples;
  const uint64_t step = kTicksPerSecond / shape_.hz;
  for (uint32_t i = 0; i < shape_.hz; ++i) {
    samples.push_back({from + i * step + random(static_cast<uint32_t>(step / 8)), sampled_node(thread), 1});
  }
  samples_ += samples.size();
  writer_.stacks(new_nodes_);
  new_nodes_.clear();
  writer_.samples(thread + 1, samples);
}

void Maker::write_events(uint32_t thread, uint64_t from) {
  std::vector<std::vector<uint8_t>> fields;
  std::vector<std::pair<uint64_t, uint32_t>> heads;
  uint64_t at = from;
  const auto add = [&](uint32_t event, std::initializer_list<uint64_t> values) {
    uint8_t bytes[log::kMaxFieldBytes];
    uint8_t* end = bytes;
    for (const uint64_t value : values) end = log::encode_field(end, value);
    fields.emplace_back(bytes, end);
    heads.emplace_back(at += 250'000, event);
  };
  for (uint32_t i = 0; i < shape_.collections; ++i) {
    const uint32_t generation = i == 9 ? 2 : i % 3 == 0 ? 1 : 0;
    add(k_suspend_begin, {1});
    add(k_gc_begin, {++collections_, generation, 0});
    add(k_gc_end, {collections_, generation});
    add(k_resume_end, {1, 300'000});
    add(k_exception_throw, {1 + random(5)});
    add(k_exception_clause, {1 + random(100), 0, 1 + random(5), 0});
    add(k_jit_done, {1 + random(shape_.methods), 0x7f00'0000'0000u + random(1u << 30), 200});
  }
  std::vector<log::RawEvent> events;
  for (size_t i = 0; i < fields.size(); ++i) events.push_back({heads[i].first, heads[i].second, fields[i]});
  writer_.events(thread + 1, events);
}

void Maker::write_second() {
  for (uint32_t thread = 0; thread < shape_.threads; ++thread) write_samples(thread, now_);
  write_events(0, now_);
  now_ += kTicksPerSecond;
  log::ProcessUsage usage;
  usage.clock = clock(now_);
  usage.user_us = (now_ - start_.counter) / (kTicksPerSecond / 1'000'000) * shape_.threads;
  usage.max_rss_kb = 400'000;
  writer_.process(usage);
}

Result<uint64_t> Maker::run() {
  write_intro();
  write_names();
  while (writer_.bytes_written() < shape_.bytes) {
    write_second();
    if (const Status status = writer_.flush({}); !status) return status;
  }
  const ClockPair end = clock(now_);
  writer_.end({log::kVersion2, end.counter, end.unix_us});
  if (const Status status = writer_.flush({}); !status) return status;
  return samples_;
}

}  // namespace

Result<uint64_t> make_log(const std::string& path, const LogShape& shape) {
  const auto writer = log::Writer::create(path);
  if (!writer) return writer.status();
  if (!shape.pdb.empty()) {
    if (const Status status = make_pdb(shape.pdb, kPdbId, shape.methods); !status) return status;
  }
  return Maker(**writer, shape).run();
}

}  // namespace oriel::bench
