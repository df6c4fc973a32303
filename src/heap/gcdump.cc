// The serialization is PerfView's FastSerialization: numbers are little endian; an object stands between tags, behind
// its class. The graph is an array of places in a blob, one a node; at each place there are the node's type, its size
// if that is not the type's, and how far the numbers of the nodes below it are from its own.
#include "heap/gcdump.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <utility>

#include "base/files/input_file.h"
#include "base/text/path.h"
#include "base/text/utf8.h"
#include "heap/compressed_int.h"
#include "heap/fast_serialization.h"
#include "heap/gcdump_roots.h"
#include "log/properties.h"

namespace oriel::heap {
namespace {

constexpr uint64_t kMostFileBytes = uint64_t{4} << 30;  // places in it have 32 bits

// Takes one thing after another. Once something is not there, nothing is: zeros and empty texts.
class DumpBytes {
 public:
  explicit DumpBytes(std::span<const uint8_t> bytes) : rest_(bytes), size_(bytes.size()) {}

  bool failed() const { return failed_; }
  size_t left() const { return rest_.size(); }
  size_t position() const { return size_ - rest_.size(); }
  void fail() {
    failed_ = true;
    rest_ = {};
  }

  std::span<const uint8_t> take(uint64_t size) {
    if (size > rest_.size()) {
      fail();
      return {};
    }
    const std::span<const uint8_t> taken = rest_.first(size);
    rest_ = rest_.subspan(size);
    return taken;
  }
  uint8_t byte() { return static_cast<uint8_t>(little_endian<1>()); }
  int32_t int32() { return static_cast<int32_t>(little_endian<4>()); }
  uint64_t int64() { return little_endian<8>(); }
  // A count of things that take so many bytes each, at least.
  uint32_t count(uint64_t bytes_each) {
    const int32_t value = int32();
    if (value >= 0 && static_cast<uint64_t>(value) * bytes_each <= rest_.size()) return static_cast<uint32_t>(value);
    fail();
    return 0;
  }

  // Its length is that of UTF-16, -1 for none; each unit is encoded by itself.
  std::string text() {
    const int32_t length = int32();
    if (length < 0) return "";
    if (static_cast<size_t>(length) > rest_.size()) fail();
    std::string text;
    char32_t high = 0;
    for (int32_t i = 0; i < length && !failed_; ++i) {
      char32_t unit = byte();
      if (unit >= 0xE0) {
        unit = (unit & 0xF) << 6 | six_bits();
        unit = unit << 6 | six_bits();
      } else if (unit >= 0x80) {
        unit = (unit & 0x1F) << 6 | six_bits();
      }
      const bool is_low = unit >= 0xDC00 && unit < 0xE000;
      if (is_low && high != 0) unit = 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00);
      high = unit >= 0xD800 && unit < 0xDC00 ? unit : 0;
      if (high == 0) append_utf8(unit, text);
    }
    make_valid_utf8(text);
    return text;
  }

  bool is_next(FastTag tag) const { return !rest_.empty() && rest_.front() == static_cast<uint8_t>(tag); }
  bool take(FastTag tag) {
    if (!is_next(tag)) return false;
    rest_ = rest_.subspan(1);
    return true;
  }
  void need(FastTag tag) {
    if (!take(tag)) fail();
  }

 private:
  template <unsigned kBytes>
  uint64_t little_endian() {
    uint64_t value = 0;
    const std::span<const uint8_t> bytes = take(kBytes);
    for (size_t i = 0; i < bytes.size(); ++i) value |= uint64_t{bytes[i]} << (8 * i);
    return value;
  }
  char32_t six_bits() { return byte() & 0x3F; }

  std::span<const uint8_t> rest_;
  size_t size_;
  bool failed_ = false;
};

struct DumpClass {
  std::string name;
  int32_t version = 0;
  int32_t oldest_reader = 0;
};

// "System.Byte[] (Bytes > 100K)" is a System.Byte[].
std::string without_size(std::string name) {
  constexpr std::string_view kBefore = " (Bytes > ";
  const size_t at = name.rfind(kBefore);
  if (at == std::string::npos || !(name.ends_with("K)") || name.ends_with("M)"))) return name;
  const std::string_view number = std::string_view(name).substr(at + kBefore.size());
  const bool is_number = number.find_first_not_of("0123456789") == number.size() - 2;
  return is_number && at != 0 ? name.substr(0, at) : name;
}

class GcdumpReader {
 public:
  GcdumpReader(std::span<const uint8_t> bytes, uint64_t most_bytes, Gcdump& dump)
      : bytes_(bytes), most_bytes_(most_bytes), dump_(dump), graph_(dump.graph) {}

  Status read() {
    if (bytes_.text() != kFastSignature) return Status::error("it does not begin as a .gcdump file does");
    const DumpClass whole = begin_object();
    if (bytes_.failed() || whole.name != "GCHeapDump") return Status::error("it has no heap dump");
    const DumpClass graph = begin_object();
    constexpr int32_t kNewestKnown = 10;
    if (whole.oldest_reader > kNewestKnown || graph.oldest_reader > 0)
      return Status::error("it was made by a later tool, or of native code, and is laid out in another way");
    if (graph.name != "Graphs.MemoryGraph") return Status::error("it has no graph of objects");
    if (Status status = read_graph(); !status) return status;
    if (whole.version >= 9) read_rest();
    return Status::ok();
  }

 private:
  static constexpr uint32_t kNoObject = UINT32_MAX;

  struct DumpType {
    std::string name, module;
    int32_t size = 0;
    bool is_root = false;       // if its nodes have no size
    bool is_undefined = false;  // likewise: stands for objects that are referred to, but are not in the dump
    uint32_t index = UINT32_MAX;
  };

  struct NodeHead {
    uint32_t type = 0;
    uint32_t size = 0;
    uint32_t below = 0;
    std::span<const uint8_t> rest = {};  // from the nodes below it on
  };

  DumpClass begin_object() {
    bytes_.need(FastTag::kBeginObject);
    if (bytes_.take(FastTag::kReference)) {
      const auto at = static_cast<uint32_t>(bytes_.int32());
      const auto known = std::ranges::find(classes_, at, &std::pair<size_t, DumpClass>::first);
      if (known != classes_.end()) return known->second;
      bytes_.fail();
      return {};
    }
    const size_t at = bytes_.position();
    bytes_.need(FastTag::kBeginObject);
    bytes_.need(FastTag::kNull);
    DumpClass type;
    type.version = bytes_.int32();
    type.oldest_reader = bytes_.int32();
    type.name = bytes_.text();
    bytes_.need(FastTag::kEndObject);
    constexpr size_t kMost = 16;
    if (classes_.size() < kMost) classes_.emplace_back(at, type);
    return type;
  }

  Status read_graph() {
    bytes_.int64();  // bytes of all nodes
    const int32_t root = bytes_.int32();
    read_types();
    const uint32_t nodes = bytes_.count(4);
    places_ = bytes_.take(uint64_t{nodes} * 4);
    const uint32_t blob = bytes_.count(1);
    blob_ = bytes_.take(blob);
    const uint32_t addresses = bytes_.count(8);
    addresses_ = bytes_.take(uint64_t{addresses} * 8);
    if (bytes_.failed()) return Status::error("it ends too early, or is damaged");
    if (root < 0 || static_cast<uint32_t>(root) >= nodes) return Status::error("it is damaged: it has no root");
    if (Status status = read_nodes(nodes); !status) return status;
    if (Status status = read_references(nodes); !status) return status;
    return read_roots(static_cast<uint32_t>(root), nodes);
  }

  void read_types() {
    constexpr uint64_t kLeastBytes = 12;
    const uint32_t count = bytes_.count(kLeastBytes);
    types_.reserve(count);
    for (uint32_t i = 0; i < count && !bytes_.failed(); ++i) {
      DumpType& type = types_.emplace_back();
      type.name = bytes_.text();
      type.size = bytes_.int32();
      type.module = bytes_.text();
      type.is_root = type.name.starts_with('[');
      type.is_undefined = i == 0 && type.name == "UNDEFINED";
      if (!type.is_root) type.name = without_size(std::move(type.name));
    }
  }

  template <typename Number>
  static Number number_at(std::span<const uint8_t> array, uint32_t index) {
    Number value;  // both machines that Oriel is for are little endian
    std::memcpy(&value, array.data() + sizeof value * index, sizeof value);
    return value;
  }

  std::optional<NodeHead> head_of(uint32_t node) const {
    const auto place = number_at<uint32_t>(places_, node);
    if (place >= blob_.size()) return std::nullopt;
    NodeHead head;
    head.rest = blob_.subspan(place);
    int32_t type = 0, size = 0, below = 0;
    if (!read_compressed(head.rest, type) || type < 0) return std::nullopt;
    head.type = static_cast<uint32_t>(type) >> 1;
    if (head.type >= types_.size()) return std::nullopt;
    if ((type & 1) == 0)
      size = types_[head.type].size;
    else if (!read_compressed(head.rest, size))
      return std::nullopt;
    if (size < 0 || !read_compressed(head.rest, below) || below < 0) return std::nullopt;
    if (static_cast<size_t>(below) > head.rest.size()) return std::nullopt;
    head.size = static_cast<uint32_t>(size);
    head.below = static_cast<uint32_t>(below);
    return head;
  }

  bool is_root(const NodeHead& head) const { return head.size == 0 && types_[head.type].is_root; }
  bool is_object(const NodeHead& head) const {
    return !is_root(head) && !(head.size == 0 && types_[head.type].is_undefined);
  }

  static Status damaged() { return Status::error("it is damaged: an object cannot be read"); }

  // Numbers the objects and counts what they refer to. In a file as it should be, each reference has bytes of its own;
  // otherwise a small file could stand for any number of them.
  Status read_nodes(uint32_t nodes) {
    object_of_.assign(nodes, kNoObject);
    uint64_t references = 0, objects = 0;
    for (uint32_t node = 0; node < nodes; ++node) {
      const std::optional<NodeHead> head = head_of(node);
      if (!head || (references += head->below) > blob_.size()) return damaged();
      if (is_object(*head)) object_of_[node] = static_cast<uint32_t>(objects++);
    }
    constexpr uint64_t kBytesAnObject = 68, kBytesAReference = 14;  // dominators and addresses included
    if (objects * kBytesAnObject + references * kBytesAReference > most_bytes_)
      return Status::error("it is too large for this machine's memory: read it on a larger one");
    graph_.types.reserve(objects);
    graph_.words.reserve(objects);
    graph_.addresses.reserve(objects);
    graph_.first_edge.reserve(objects + 1);
    graph_.targets.reserve(references);
    return Status::ok();
  }

  uint32_t index_of(DumpType& type) {
    if (type.index != UINT32_MAX) return type.index;
    type.index = static_cast<uint32_t>(graph_.snapshot.types.size());
    log::HeapType& told = graph_.snapshot.types.emplace_back();
    told.number = told.klass = type.index + 1;
    dump_.names.push_back(type.name);
    dump_.modules.push_back(type.module);
    return type.index;
  }

  Status read_references(uint32_t nodes) {
    log::HeapSnapshot& snapshot = graph_.snapshot;
    const bool has_addresses = addresses_.size() == places_.size() * 2;
    for (uint32_t node = 0; node < nodes; ++node) {
      if (object_of_[node] == kNoObject) continue;
      NodeHead head = *head_of(node);
      const uint32_t type = index_of(types_[head.type]);
      const uint32_t words = head.size / 8 + (head.size % 8 != 0);
      graph_.types.push_back(type);
      graph_.words.push_back(words);
      graph_.addresses.push_back(has_addresses ? number_at<uint64_t>(addresses_, node) : 0);
      graph_.first_edge.push_back(static_cast<uint32_t>(graph_.targets.size()));
      ++snapshot.types[type].objects;
      snapshot.types[type].bytes += uint64_t{words} * 8;
      snapshot.bytes += uint64_t{words} * 8;
      for (uint32_t i = 0; i < head.below; ++i) {
        const std::optional<uint32_t> below = next_below(node, head);
        if (!below) return damaged();
        if (object_of_[*below] != kNoObject) graph_.targets.push_back(object_of_[*below]);
      }
    }
    graph_.first_edge.push_back(static_cast<uint32_t>(graph_.targets.size()));
    graph_.places.assign(graph_.targets.size(), Graph::kManyPlaces);
    snapshot.number = 1;
    snapshot.objects = graph_.types.size();
    snapshot.slots = graph_.targets.size();
    return Status::ok();
  }

  std::optional<uint32_t> next_below(uint32_t node, NodeHead& head) const {
    int32_t distance = 0;
    if (!read_compressed(head.rest, distance)) return std::nullopt;
    const int64_t below = int64_t{node} + distance;
    if (below < 0 || below >= static_cast<int64_t>(object_of_.size())) return std::nullopt;
    return static_cast<uint32_t>(below);
  }

  // What the nodes above say of one: of which kind its objects' roots are, and the name of their group.
  struct AboveObjects {
    uint32_t node = 0;
    log::HeapRootKind kind = log::HeapRootKind::kStrongHandle;
    std::string name = {};
  };

  static AboveObjects named(uint32_t node, const std::string& name, const AboveObjects& above) {
    for (const GcdumpRoots& roots : kGcdumpRoots)
      if (name == roots.node) return {node, roots.kind};
    for (const GcdumpRoots& roots : kGcdumpRoots) {
      if (roots.of_group == nullptr || !name.starts_with(roots.of_group) || !name.ends_with(']')) continue;
      if (above.kind != roots.kind) continue;
      const size_t begin = std::strlen(roots.of_group);
      return {node, roots.kind, name.substr(begin, name.size() - begin - 1)};
    }
    return {node, above.kind, above.name};
  }

  Status read_roots(uint32_t root, uint32_t nodes) {
    if (object_of_[root] != kNoObject) {
      add_root({root}, object_of_[root]);
      return Status::ok();
    }
    std::vector<bool> known(nodes);
    std::vector<AboveObjects> to_follow = {{root}};
    known[root] = true;
    while (!to_follow.empty()) {
      const AboveObjects above = std::move(to_follow.back());
      to_follow.pop_back();
      NodeHead head = *head_of(above.node);
      for (uint32_t i = 0; i < head.below; ++i) {
        const std::optional<uint32_t> below = next_below(above.node, head);
        if (!below) return damaged();
        if (object_of_[*below] != kNoObject) {
          add_root(above, object_of_[*below]);
        } else if (!known[*below]) {
          known[*below] = true;
          to_follow.push_back(named(*below, types_[head_of(*below)->type].name, above));
        }
      }
    }
    return Status::ok();
  }

  void add_root(const AboveObjects& above, uint32_t object) {
    graph_.snapshot.roots.push_back({static_cast<uint64_t>(above.kind), object, 0, 0, 0, above.name});
  }

  // Behind the graph. What is not understood is left out.
  void read_rest() {
    if (bytes_.take(FastTag::kByte)) bytes_.byte();
    bytes_.need(FastTag::kEndObject);
    bytes_.byte();  // whether addresses have 64 bits
    const int32_t multiplier = bytes_.int32();
    bytes_.int32();
    float objects_an_object = 1;
    std::memcpy(&objects_an_object, &multiplier, sizeof multiplier);
    if (!bytes_.failed() && objects_an_object > 1)
      graph_.snapshot.missing =
          "the dump has a sample of the objects, one of " + std::to_string(objects_an_object) + ".";
    bytes_.need(FastTag::kNull);  // of JavaScript
    if (!bytes_.take(FastTag::kNull)) skip_spaces();
    bytes_.text();  // messages of the collection
    const uint64_t ticks = bytes_.int64();
    std::string host = bytes_.text(), process = bytes_.text();
    const int32_t pid = bytes_.int32();
    if (bytes_.failed()) return;
    constexpr uint64_t kYear3000 = 946'708'128'000'000'000;
    if (ticks > kTicksOfUnixEpoch && ticks < kYear3000) dump_.unix_us = (ticks - kTicksOfUnixEpoch) / 10;
    dump_.host = std::move(host);
    dump_.process = std::move(process);
    dump_.pid = pid > 0 ? static_cast<uint64_t>(pid) : 0;
  }

  void skip_spaces() {
    begin_object();
    bytes_.int64();
    constexpr uint64_t kLeastBytes = 50;
    const uint32_t count = bytes_.count(kLeastBytes);
    for (uint32_t i = 0; i < count && !bytes_.failed(); ++i) {
      const DumpClass type = begin_object();
      bytes_.take(type.version >= 1 ? 7 * 8 : 6 * 8);
      bytes_.need(FastTag::kEndObject);
    }
    bytes_.need(FastTag::kEndObject);
  }

  DumpBytes bytes_;
  const uint64_t most_bytes_;
  Gcdump& dump_;
  Graph& graph_;
  std::vector<std::pair<size_t, DumpClass>> classes_;  // by where they begin
  std::vector<DumpType> types_;
  std::span<const uint8_t> places_, blob_, addresses_;
  std::vector<uint32_t> object_of_;  // by node
};

// When a file was changed last, 0 if that is not known.
uint64_t changed_at(const std::string& path) {
  struct stat file {};
  if (stat(path.c_str(), &file) != 0 || file.st_mtim.tv_sec < 0) return 0;
  return static_cast<uint64_t>(file.st_mtim.tv_sec) * 1'000'000 + static_cast<uint64_t>(file.st_mtim.tv_nsec) / 1000;
}

Result<Gcdump> load_dump(const std::string& path) {
  const auto failed = [&](const std::string& why) { return Status::error("'" + path + "' cannot be read: " + why); };
  try {
    const Result<std::vector<uint8_t>> bytes = read_input(path, kMostFileBytes);
    if (!bytes) return failed(bytes.message());
    Result<Gcdump> dump = parse_gcdump(*bytes, most_graph_bytes());
    if (!dump) return failed(dump.message());
    if (dump->unix_us == 0) dump->unix_us = changed_at(path);  // dotnet-gcdump does not say
    return dump;
  } catch (const std::bad_alloc&) {
    return failed("there is too little memory");
  }
}

}  // namespace

bool is_gcdump(const std::string& path) {
  const Result<InputFile> file = InputFile::open(path, std::numeric_limits<uint64_t>::max());
  uint8_t begin[4 + sizeof kFastSignature - 1];
  return file && file->read(0, begin, sizeof begin) &&
         std::memcmp(begin + 4, kFastSignature, sizeof kFastSignature - 1) == 0;
}

Result<Gcdump> parse_gcdump(std::span<const uint8_t> bytes, uint64_t most_bytes) {
  Gcdump dump;
  if (Status status = GcdumpReader(bytes, most_bytes, dump).read(); !status) return status;
  dump.graph.leave_out_values();
  return dump;
}

Result<log::DecodeOutcome> tell_gcdump(const std::string& path, log::EventSink& sink) {
  const Result<Gcdump> dump = load_dump(path);
  if (!dump) return dump.status();
  log::Intro intro;
  intro.clock = {dump->unix_us * 1000, dump->unix_us};
  intro.properties.emplace_back(log::property::kCounter, "monotonic-ns");
  if (!dump->host.empty()) intro.properties.emplace_back(log::property::kHost, dump->host);
  if (!dump->process.empty()) intro.properties.emplace_back(log::property::kCommand, dump->process);
  if (dump->pid != 0) intro.properties.emplace_back(log::property::kPid, std::to_string(dump->pid));
  sink.on_intro(intro);
  sink.on_clock(intro.clock);
  std::vector<std::string> images;
  for (size_t i = 0; i < dump->names.size(); ++i) {
    const std::string& module = dump->modules[i];
    uint64_t image = 0;
    if (!module.empty()) {
      const auto known = std::ranges::find(images, module);
      image = static_cast<uint64_t>(known - images.begin()) + 1;
      if (known == images.end()) {
        images.push_back(module);
        sink.on_image({image, recorded_file_name(module), module, ""});
      }
    }
    sink.on_class({i + 1, 0, image, dump->names[i]});
  }
  log::HeapSnapshot snapshot = dump->graph.snapshot;
  snapshot.counter = intro.clock.counter;
  snapshot.cause = log::kHeapDumpCause;
  sink.on_heap(snapshot);
  return log::DecodeOutcome{.bytes = 0, .blocks = 1, .ended = true};
}

Result<Graph> load_gcdump(const std::string& path) {
  Result<Gcdump> dump = load_dump(path);
  if (!dump) return dump.status();
  return std::move(dump->graph);
}

}  // namespace oriel::heap
