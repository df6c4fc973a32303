// Heap dumps as dotnet-gcdump writes them, for Visual Studio, PerfView and dotnet-gcdump: a GCHeapDump with a
// MemoryGraph (heap/fast_serialization.h).
//
// The graph has an array with the place of each node in a blob, then the blob: of each node its type, its size if that
// is not the type's, and how far the numbers of the nodes below it are from its own. It is made twice, for the places
// and for the blob, so that it is not held in memory.
#include <algorithm>
#include <ostream>
#include <span>
#include <string_view>

#include "base/text/utf16.h"
#include "exports/heap_view.h"
#include "heap/compressed_int.h"
#include "heap/fast_serialization.h"
#include "log/properties.h"
#include "profile/recorded.h"

namespace oriel::exports {
namespace {

using heap::FastTag;

class FastStream {
 public:
  explicit FastStream(std::ostream& out) : out_(out) { bytes_.reserve(kMost + 16); }
  ~FastStream() { flush(); }
  FastStream(const FastStream&) = delete;
  FastStream& operator=(const FastStream&) = delete;

  // How many bytes there are before.
  uint64_t position() const { return flushed_ + bytes_.size(); }

  void byte(uint8_t value) {
    bytes_.push_back(static_cast<char>(value));
    if (bytes_.size() >= kMost) flush();
  }
  void int32(int64_t value) { little_endian<4>(static_cast<uint64_t>(value)); }
  void int64(uint64_t value) { little_endian<8>(value); }
  void compressed(int32_t value) {
    uint8_t room[heap::kMostCompressedBytes];
    const uint8_t* const end = heap::write_compressed(room, value);
    bytes_.append(reinterpret_cast<const char*>(room), static_cast<size_t>(end - room));
    if (bytes_.size() >= kMost) flush();
  }

  // The length counts UTF-16 units, and each unit is encoded by itself, so that a character of two takes six bytes.
  void text(std::string_view text) {
    const std::u16string units = utf16_of(text);
    int32(static_cast<int64_t>(units.size()));
    for (const char16_t unit : units) {
      if (unit < 0x80) {
        byte(static_cast<uint8_t>(unit));
        continue;
      }
      if (unit < 0x800) {
        byte(static_cast<uint8_t>(0xC0 | (unit >> 6)));
      } else {
        byte(static_cast<uint8_t>(0xE0 | (unit >> 12)));
        byte(static_cast<uint8_t>(0x80 | ((unit >> 6) & 0x3F)));
      }
      byte(static_cast<uint8_t>(0x80 | (unit & 0x3F)));
    }
  }
  void no_text() { int32(-1); }

 private:
  static constexpr size_t kMost = size_t{64} << 10;

  template <unsigned kBytes>
  void little_endian(uint64_t value) {
    for (unsigned i = 0; i < kBytes; ++i) bytes_.push_back(static_cast<char>(value >> (8 * i)));
    if (bytes_.size() >= kMost) flush();
  }

  void flush() {
    out_.write(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
    flushed_ += bytes_.size();
    bytes_.clear();
  }

  std::ostream& out_;
  std::string bytes_;
  uint64_t flushed_ = 0;
};

void write_tag(FastTag tag, FastStream& out) { out.byte(static_cast<uint8_t>(tag)); }

// An object begins with its class: the name, its version, and that of the oldest reader that understands it. The class
// is an object too, whose own class is null.
struct FastClass {
  const char* name;
  int version = 0;
  int oldest_reader = 0;
  uint64_t written_at = 0;  // 0: not yet
};

void begin_object(FastClass& type, FastStream& out) {
  write_tag(FastTag::kBeginObject, out);
  if (type.written_at != 0) {
    write_tag(FastTag::kReference, out);
    return out.int32(static_cast<int64_t>(type.written_at));
  }
  type.written_at = out.position();
  write_tag(FastTag::kBeginObject, out);
  write_tag(FastTag::kNull, out);
  out.int32(type.version);
  out.int32(type.oldest_reader);
  out.text(type.name);
  write_tag(FastTag::kEndObject, out);
}

// The nodes of the graph, one after another: each is handed to `out` as numbers.
class GraphNodes {
 public:
  explicit GraphNodes(const HeapView& view) : view_(view), sizes_(view.type_names.size(), -1) {
    for (uint32_t object = 0; object < view.graph.objects(); ++object) {
      int32_t& size = sizes_[view.graph.types[object]];
      if (view.is_kept(object) && size < 0) size = size_of(object);
    }
  }

  // Of the types: first the one of nodes that are referred to but not defined, then those of roots.
  size_t types() const { return first_type() + view_.type_names.size(); }
  void write_types(FastStream& out) const {
    write_type("UNDEFINED", 0, "", out);
    for (const HeapRootNode& root : view_.roots) write_type(root.bracketed, 0, "", out);
    for (size_t i = 0; i < view_.type_names.size(); ++i)
      write_type(view_.type_names[i], sizes_[i], view_.modules[i], out);
  }

  template <typename Out>
  void each_node(Out&& out) const {
    for (uint32_t number = 0; number < view_.roots.size(); ++number)
      node(
          number, static_cast<int32_t>(1 + number), nullptr, view_.roots[number].nodes, [](uint32_t at) { return at; },
          out);
    for (uint32_t object = 0; object < view_.graph.objects(); ++object) {
      if (!view_.is_kept(object)) continue;
      const uint32_t type = view_.graph.types[object];
      const int32_t size = size_of(object);
      node(
          view_.numbers[object], static_cast<int32_t>(first_type() + type), size == sizes_[type] ? nullptr : &size,
          view_.graph.references(object), [this](uint32_t target) { return view_.numbers[target]; }, out);
    }
  }

 private:
  size_t first_type() const { return 1 + view_.roots.size(); }
  // Readers have no place for more.
  int32_t size_of(uint32_t object) const {
    return static_cast<int32_t>(std::min<uint64_t>(view_.graph.bytes(object), INT32_MAX));
  }

  static void write_type(const std::string& name, int32_t size, const std::string& module, FastStream& out) {
    out.text(name);
    out.int32(size);
    if (module.empty())
      out.no_text();
    else
      out.text(module);
  }

  template <typename NumberOf, typename Out>
  static void node(uint32_t number, int32_t type, const int32_t* size, std::span<const uint32_t> below,
                   NumberOf number_of, Out& out) {
    out.begin_node();
    out.number(type * 2 + (size == nullptr ? 0 : 1));
    if (size != nullptr) out.number(*size);
    out.number(static_cast<int32_t>(below.size()));
    for (const uint32_t target : below) out.number(static_cast<int32_t>(number_of(target) - number));
  }

  const HeapView& view_;
  std::vector<int32_t> sizes_;  // by type: of its first object, -1 if there is none
};

// The node that stands for those that are not defined: type 0, nothing below.
constexpr uint32_t kUndefinedNode = 2;  // bytes

struct NodePlaces {
  FastStream* out = nullptr;  // nullptr: only how long the blob is
  uint64_t at = kUndefinedNode;
  void begin_node() {
    if (out != nullptr) out->int32(static_cast<int64_t>(at));
  }
  void number(int32_t value) { at += heap::compressed_size(value); }
};

struct NodeBlob {
  FastStream& out;
  void begin_node() {}
  void number(int32_t value) { out.compressed(value); }
};

class DumpWriter {
 public:
  DumpWriter(const profile::Profile& profile, const HeapView& view, std::ostream& out)
      : profile_(profile), view_(view), nodes_(view), out_(out) {}

  Status write() {
    NodePlaces blob;
    nodes_.each_node(blob);
    // Sizes and places have 32 bits, some of them signed.
    if (view_.nodes > INT32_MAX || blob.at > INT32_MAX)
      return Status::error("the snapshot has too many objects for a .gcdump file, which ends at 2 GB of them");
    out_.text(heap::kFastSignature);
    begin_object(dump_, out_);
    write_graph(blob.at);
    write_rest();
    write_tag(FastTag::kEndObject, out_);
    write_end();
    return Status::ok();
  }

 private:
  void write_graph(uint64_t blob_bytes) {
    begin_object(graph_, out_);
    out_.int64(view_.bytes);
    out_.int32(0);  // the node of all roots
    out_.int32(static_cast<int64_t>(nodes_.types()));
    nodes_.write_types(out_);
    out_.int32(static_cast<int64_t>(view_.nodes));
    nodes_.each_node(NodePlaces{&out_});
    out_.int32(static_cast<int64_t>(blob_bytes));
    for (uint32_t i = 0; i < kUndefinedNode; ++i) out_.byte(0);
    nodes_.each_node(NodeBlob{out_});
    out_.int32(static_cast<int64_t>(view_.nodes));
    for (size_t i = 0; i < view_.roots.size(); ++i) out_.int64(0);
    for (uint32_t object = 0; object < view_.graph.objects(); ++object)
      if (view_.is_kept(object)) out_.int64(view_.graph.addresses[object]);
    write_tag(FastTag::kByte, out_);
    out_.byte(1);  // addresses have 64 bits
    write_tag(FastTag::kEndObject, out_);
  }

  void write_rest() {
    constexpr uint32_t kOne = 0x3f800000;  // a float
    out_.byte(1);                          // addresses have 64 bits
    out_.int32(kOne);                      // what counts and sizes are to be multiplied by: all objects are here
    out_.int32(kOne);
    write_tag(FastTag::kNull, out_);  // of JavaScript
    write_spaces();
    out_.no_text();  // messages of the collection
    out_.int64(ticks());
    write_property(log::property::kHost);
    const profile::HeapSnapshot& snapshot = profile_.heap_snapshots[view_.row];
    const bool known = snapshot.process < profile_.processes.size();
    out_.text(known ? profile_.processes[snapshot.process].name : "");
    out_.int32(known ? static_cast<int64_t>(profile_.processes[snapshot.process].pid) : 0);
    out_.int64(0);  // committed memory and working set: not known
    out_.int64(0);
    out_.int32(0);  // by type what counts are to be multiplied by
    write_tag(FastTag::kSkipRegion, out_);
    out_.int32(0);
    write_tag(FastTag::kNull, out_);  // of COM
    skipped_to_ = out_.position();
    write_tag(FastTag::kText, out_);
    out_.text("oriel");
  }

  // The pieces of the heap, for the generations of objects. Each has the end of every generation in it, older ones
  // first; readers know pinned objects only since a later version, so these count as large.
  void write_spaces() {
    FastClass spaces{"DotNetHeapInfo"}, space_class{"GCHeapDumpSegment"};
    begin_object(spaces, out_);
    uint64_t bytes = 0;
    for (const log::HeapSpace& space : view_.graph.snapshot.spaces) bytes += space.bytes;
    out_.int64(bytes);
    out_.int32(static_cast<int64_t>(view_.graph.snapshot.spaces.size()));
    for (const log::HeapSpace& space : view_.graph.snapshot.spaces) {
      begin_object(space_class, out_);
      const uint64_t end = space.start + space.bytes;
      out_.int64(space.start);
      out_.int64(end);
      for (const auto generation : {log::HeapGeneration::kGen0, log::HeapGeneration::kGen1, log::HeapGeneration::kGen2,
                                    log::HeapGeneration::kLarge})
        out_.int64(static_cast<uint64_t>(generation) <= space.generation ? end : space.start);
      write_tag(FastTag::kEndObject, out_);
    }
    write_tag(FastTag::kEndObject, out_);
  }

  // Of the snapshot, in 100 ns since the year 1.
  uint64_t ticks() const {
    const int64_t us = profile_.start_unix_us + profile_.heap_snapshots[view_.row].ns / 1000;
    return us <= 0 ? 0 : heap::kTicksOfUnixEpoch + static_cast<uint64_t>(us) * 10;
  }

  void write_property(std::string_view name) {
    const std::string* const value = profile::property(profile_.intro, name);
    if (value == nullptr) return out_.no_text();
    out_.text(*value);
  }

  // The end of what may be skipped, in a table; then where that table and this trailer are.
  void write_end() {
    write_tag(FastTag::kEndObject, out_);
    const uint64_t table = out_.position();
    out_.int32(1);
    out_.int32(static_cast<int64_t>(skipped_to_));
    const uint64_t trailer = out_.position();
    out_.int32(static_cast<int64_t>(table));
    out_.int32(static_cast<int64_t>(trailer));
  }

  const profile::Profile& profile_;
  const HeapView& view_;
  const GraphNodes nodes_;
  FastStream out_;
  FastClass dump_{"GCHeapDump", 10, 8};
  FastClass graph_{"Graphs.MemoryGraph", 1, 0};
  uint64_t skipped_to_ = 0;
};

Status write_gcdump(const profile::Profile& profile, const HeapExportOptions& options, std::ostream& out) {
  const Result<HeapView> view = view_heap(profile, options, heap::Addresses::kRead);
  return view ? DumpWriter(profile, *view, out).write() : view.status();
}

}  // namespace

extern const Export kGcdumpExport = {
    .name = "gcdump",
    .description = "a snapshot of the heap for Visual Studio, PerfView and dotnet-gcdump",
    .extension = ".gcdump",
    .binary = true,
    .options = kHeapExportOptions,
    .own = own_options<HeapExportOptions>,
    .of_heap = true,
    .write = by_own<write_gcdump>,
};

}  // namespace oriel::exports
