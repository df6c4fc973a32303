#include "heap/graph.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/varint.h"
#include "heap/gcdump.h"
#include "log/decoder.h"
#include "log/heap_chunk.h"

namespace oriel::heap {
namespace {

using log::HeapChunk;
using log::HeapSnapshot;

constexpr uint64_t kMostObjects = UINT32_MAX - 1;  // one number is none's

struct KeptChunk {
  HeapChunk chunk;
  std::vector<uint8_t> frame;
};

// The heap block comes after the chunks, which cannot be read without it: they are kept as they are.
class Gatherer : public log::EventSink {
 public:
  explicit Gatherer(uint64_t number) : number_(number) {}
  void on_heap_objects(const HeapChunk& chunk) override { keep(chunk, objects); }
  void on_heap_references(const HeapChunk& chunk) override { keep(chunk, references); }
  void on_heap_values(const HeapChunk& chunk) override { keep(chunk, values); }
  void on_heap_details(const log::HeapDetails& told) override {
    if (told.snapshot == number_) details = told;
  }
  void on_heap(const HeapSnapshot& told) override {
    if (told.number == number_) snapshot = told, found = true;
  }

  std::vector<KeptChunk> objects, references, values;
  HeapSnapshot snapshot;
  log::HeapDetails details;
  bool found = false;

 private:
  void keep(const HeapChunk& chunk, std::vector<KeptChunk>& chunks) const {
    if (chunk.snapshot != number_ || chunk.count == 0) return;
    KeptChunk& kept = chunks.emplace_back();
    kept.frame.assign(chunk.frame.begin(), chunk.frame.end());
    kept.chunk = chunk;
    kept.chunk.frame = {};
  }
  uint64_t number_;
};

uint64_t count_of(const std::vector<KeptChunk>& chunks) {
  uint64_t sum = 0;
  for (const KeptChunk& kept : chunks) sum += std::min(kept.chunk.count, kMostObjects);
  return sum;
}

bool unpack(KeptChunk& kept, std::vector<uint8_t>& raw) {
  kept.chunk.frame = kept.frame;
  const bool is_whole = log::unpack(kept.chunk, raw);
  kept.frame = {};
  return is_whole;
}

// Goes through the pieces of the heap with the objects, by rising address.
class Spaces {
 public:
  explicit Spaces(Graph& graph) : graph_(graph), spaces_(graph.snapshot.spaces) {
    graph_.free.resize(kGenerations);
    std::erase_if(spaces_, [](const log::HeapSpace& space) {
      return space.generation == 0 || space.generation >= kGenerations || space.bytes == 0 ||
             space.start > UINT64_MAX - space.bytes;
    });
    std::ranges::sort(spaces_, {}, &log::HeapSpace::start);
    for (const log::HeapSpace& space : spaces_) graph_.free[space.generation].all += space.bytes;
    enter();
  }

  void object(uint64_t address, uint64_t bytes) {
    while (at_ < spaces_.size() && address >= end_of(spaces_[at_])) leave();
    const bool is_inside = at_ < spaces_.size() && address >= spaces_[at_].start;
    graph_.generations.push_back(is_inside ? static_cast<uint8_t>(spaces_[at_].generation) : 0);
    if (!is_inside) return;
    add_gap(address);
    free_from_ = std::max(free_from_, address + std::min(bytes, UINT64_MAX - address));
  }
  void end() {
    while (at_ < spaces_.size()) leave();
  }

 private:
  static constexpr size_t kGenerations = Graph::kGenerations;
  static uint64_t end_of(const log::HeapSpace& space) { return space.start + space.bytes; }

  void enter() {
    if (at_ < spaces_.size()) free_from_ = std::max(free_from_, spaces_[at_].start);
  }
  void leave() {
    add_gap(end_of(spaces_[at_]));
    ++at_;
    enter();
  }
  void add_gap(uint64_t to) {
    if (to <= free_from_) return;
    FreeSpace& free = graph_.free[spaces_[at_].generation];
    free.free += to - free_from_;
    free.largest = std::max(free.largest, to - free_from_);
    ++free.places;
  }

  Graph& graph_;
  std::vector<log::HeapSpace> spaces_;
  size_t at_ = 0;
  uint64_t free_from_ = 0;
};

class GraphReader {
 public:
  GraphReader(Gatherer& gathered, Addresses addresses, Graph& graph)
      : gathered_(gathered), with_addresses_(addresses == Addresses::kRead), graph_(graph) {}

  Status read(uint64_t most_bytes) {
    graph_.snapshot = std::move(gathered_.snapshot);
    graph_.details = std::move(gathered_.details);
    for (std::vector<KeptChunk>* chunks : {&gathered_.objects, &gathered_.references, &gathered_.values})
      std::ranges::stable_sort(*chunks, {}, [](const KeptChunk& kept) { return kept.chunk.first; });
    const uint64_t objects = count_of(gathered_.objects), slots = count_of(gathered_.references);
    if (objects != graph_.snapshot.objects) return damaged("objects are missing");
    if (objects > kMostObjects || slots > UINT32_MAX) return too_large();
    constexpr uint64_t kBytesAnObject = 61, kBytesASlot = 14;  // dominators included
    const uint64_t values = count_of(gathered_.values);
    if (objects * kBytesAnObject + slots * kBytesASlot + values * sizeof(ObjectValue) > most_bytes) return too_large();
    if (Status status = read_types(); !status) return status;
    if (Status status = read_objects(objects); !status) return status;
    read_references(slots);
    read_values();
    return Status::ok();
  }

 private:
  Status damaged(const std::string& how) const {
    return Status::error("snapshot " + std::to_string(graph_.snapshot.number) + " of the heap is damaged: " + how +
                         ". Its types and their counts can still be read");
  }
  Status too_large() const {
    return Status::error("snapshot " + std::to_string(graph_.snapshot.number) +
                         " of the heap is too large for this machine's memory: read the log on a larger one");
  }

  Status read_types() {
    const std::vector<log::HeapType>& types = graph_.snapshot.types;
    const uint64_t most = 64 * types.size() + 1024;  // the numbers are dense
    for (uint32_t i = 0; i < types.size(); ++i) {
      if (types[i].number > most) return damaged("a type's number is wrong");
      if (types[i].number >= index_.size()) index_.resize(types[i].number + 1, kNoType);
      index_[types[i].number] = i;
    }
    graph_.details_of.assign(types.size(), Graph::kNoDetails);
    for (uint32_t i = 0; i < graph_.details.types.size(); ++i) {
      const uint64_t number = graph_.details.types[i].type;
      if (number < index_.size() && index_[number] != kNoType) graph_.details_of[index_[number]] = i;
    }
    return Status::ok();
  }

  Status read_objects(uint64_t objects) {
    graph_.types.reserve(objects);
    graph_.words.reserve(objects);
    graph_.first_edge.reserve(objects + 1);
    graph_.generations.reserve(objects);
    if (with_addresses_) graph_.addresses.reserve(objects);
    Spaces spaces(graph_);
    for (KeptChunk& kept : gathered_.objects) {
      log::ObjectStreams streams;
      if (kept.chunk.first != graph_.types.size()) return damaged("objects are missing");
      if (!unpack(kept, raw_) || !log::split(raw_, streams) || !take_objects(kept.chunk.count, streams, spaces))
        return damaged("a chunk of objects cannot be read");
    }
    spaces.end();
    return Status::ok();
  }

  // For now, first_edge has each object's number of slots.
  bool take_objects(uint64_t count, const log::ObjectStreams& streams, Spaces& spaces) {
    const uint8_t *gap_at = streams.gaps.data(), *const gaps_end = gap_at + streams.gaps.size();
    uint64_t address = 0;  // behind the object before
    const uint8_t *type_at = streams.types.data(), *const types_end = type_at + streams.types.size();
    const uint8_t *length_at = streams.lengths.data(), *const lengths_end = length_at + streams.lengths.size();
    constexpr uint64_t kMostLength = uint64_t{1} << 40;
    for (uint64_t i = 0; i < count; ++i) {
      uint64_t number = 0, length = 0;
      if ((type_at = read_varint(type_at, types_end, number)) == nullptr) return false;
      if (number >= index_.size() || index_[number] == kNoType) return false;
      const log::HeapType& type = graph_.snapshot.types[index_[number]];
      if (type.element_size != 0 && (length_at = read_varint(length_at, lengths_end, length)) == nullptr) return false;
      if (length > kMostLength || type.element_size > kMostLength >> 20 || type.base_size > kMostLength) return false;
      const uint64_t words = log::heap_object_bytes(type, length) / 8;
      const uint64_t slots = type.slots.size() + length * type.element_slots.size();
      if (words > UINT32_MAX || slots > UINT32_MAX) return false;
      uint64_t gap = 0;
      if ((gap_at = read_varint(gap_at, gaps_end, gap)) == nullptr) return false;
      address += static_cast<uint64_t>(log::from_zigzag(gap)) * 8;
      spaces.object(address, words * 8);
      if (with_addresses_) graph_.addresses.push_back(address);
      address += words * 8;
      graph_.types.push_back(index_[number]);
      graph_.words.push_back(static_cast<uint32_t>(words));
      graph_.first_edge.push_back(static_cast<uint32_t>(slots));
    }
    return true;
  }

  // The next chunk of slots; where one is damaged or missing, its slots are null.
  void next_chunk() {
    std::vector<KeptChunk>& chunks = gathered_.references;
    while (chunk_ < chunks.size() && chunks[chunk_].chunk.first < slot_) ++chunk_, ++bad_chunks_;
    if (chunk_ == chunks.size() || chunks[chunk_].chunk.first > slot_) {
      left_ = chunk_ == chunks.size() ? UINT64_MAX : chunks[chunk_].chunk.first - slot_;
      is_null_ = true;
      ++bad_chunks_;
    } else {
      left_ = chunks[chunk_].chunk.count;
      is_null_ = !unpack(chunks[chunk_], raw_);
      bad_chunks_ += is_null_;
      at_ = raw_.data();
      end_ = at_ + raw_.size();
      ++chunk_;
    }
    slot_ += std::min(left_, UINT64_MAX - slot_);
  }

  static uint8_t place_of(uint64_t slot) {
    return static_cast<uint8_t>(slot < Graph::kDependentHandle ? slot : Graph::kManyPlaces);
  }

  // From the holder to the object, by rising holder.
  std::vector<std::pair<uint32_t, uint32_t>> dependents() const {
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    const uint64_t objects = graph_.types.size();
    for (const log::HeapRoot& root : graph_.snapshot.roots) {
      if (root.kind != static_cast<uint64_t>(log::HeapRootKind::kDependent)) continue;
      if (root.holder == log::kNoHeapObject || root.holder > objects || root.object >= objects) continue;
      edges.emplace_back(static_cast<uint32_t>(root.holder - 1), static_cast<uint32_t>(root.object));
    }
    std::ranges::sort(edges);
    return edges;
  }

  void read_references(uint64_t slots) {
    const std::vector<std::pair<uint32_t, uint32_t>> handles = dependents();
    graph_.targets.reserve(slots + handles.size());  // takes memory only as it is filled
    graph_.places.reserve(slots + handles.size());
    size_t handle = 0;
    for (uint32_t object = 0; object < graph_.objects(); ++object) {
      const uint32_t count = graph_.first_edge[object];
      graph_.first_edge[object] = static_cast<uint32_t>(graph_.targets.size());
      read_slots(object, count);
      for (; handle < handles.size() && handles[handle].first == object; ++handle) {
        graph_.targets.push_back(handles[handle].second);
        graph_.places.push_back(Graph::kDependentHandle);
      }
    }
    graph_.first_edge.push_back(static_cast<uint32_t>(graph_.targets.size()));
    if (bad_chunks_ != 0)
      graph_.problem = "Some references of snapshot " + std::to_string(graph_.snapshot.number) +
                       " are damaged or missing in the file, so objects may look unreachable that are not.";
  }

  // A stretch of null slots costs nothing, however long a damaged length makes it.
  void read_slots(uint32_t object, uint32_t count) {
    for (uint32_t done = 0; done < count;) {
      if (left_ == 0) next_chunk();
      const auto here = static_cast<uint32_t>(std::min<uint64_t>(left_, count - done));
      if (!is_null_ && !read_stretch(object, done, here)) {
        is_null_ = true;
        ++bad_chunks_;
      }
      left_ -= here;
      done += here;
    }
  }

  // So many slots of the object, from one on.
  bool read_stretch(uint32_t object, uint32_t from, uint32_t count) {
    const log::HeapType& type = graph_.type(object);
    const auto own = static_cast<uint32_t>(type.slots.size());
    const auto all = static_cast<uint32_t>(own + type.element_slots.size());
    uint32_t slot = from < own ? from : own + (from - own) % std::max(all - own, 1u);
    for (uint32_t i = 0; i < count; ++i, slot = slot + 1 == all ? own : slot + 1) {
      uint64_t value = 0;
      if ((at_ = read_varint(at_, end_, value)) == nullptr) return false;
      if (value == 0) continue;
      const uint64_t target = object + static_cast<uint64_t>(log::from_zigzag(value - 1));
      if (target >= graph_.types.size()) return false;
      graph_.targets.push_back(static_cast<uint32_t>(target));
      graph_.places.push_back(place_of(slot));
    }
    return true;
  }

  // All of them, or none: each is found only by those before it.
  void read_values() {
    if (read_all_values()) return;
    graph_.values = {};
    graph_.details = {};
    std::ranges::fill(graph_.details_of, Graph::kNoDetails);
    graph_.problem += (graph_.problem.empty() ? "" : " ") +
                      ("Values of objects of snapshot " + std::to_string(graph_.snapshot.number)) +
                      " are damaged or missing in the file.";
  }

  bool read_all_values() {
    if (graph_.details.types.empty()) return true;
    constexpr size_t kMostValues = 8;
    size_t chunk = 0;
    uint64_t next = 0, left = 0;
    const uint8_t *at = nullptr, *end = nullptr;
    for (uint32_t object = 0; object < graph_.objects(); ++object) {
      const uint32_t details = graph_.details_of[graph_.types[object]];
      if (details == Graph::kNoDetails) continue;
      const std::vector<uint64_t>& kinds = graph_.details.types[details].values;
      if (kinds.size() > kMostValues) return false;
      for (const uint64_t kind : kinds) {
        if (left == 0) {
          if (chunk == gathered_.values.size() || gathered_.values[chunk].chunk.first != next) return false;
          left = gathered_.values[chunk].chunk.count;
          if (!unpack(gathered_.values[chunk++], raw_)) return false;
          at = raw_.data();
          end = at + raw_.size();
          next += left;
        }
        --left;
        uint64_t value = 0;
        if ((at = read_varint(at, end, value)) == nullptr) return false;
        if (value != 0 && kind <= UINT8_MAX)
          graph_.values.push_back({object, static_cast<log::HeapValueKind>(kind), log::from_zigzag(value)});
      }
    }
    return true;
  }

  static constexpr uint32_t kNoType = UINT32_MAX;
  Gatherer& gathered_;
  const bool with_addresses_;
  Graph& graph_;
  std::vector<uint32_t> index_;  // of types by number
  std::vector<uint8_t> raw_;
  // Where the references are read.
  size_t chunk_ = 0;
  uint64_t slot_ = 0;  // the first behind the present chunk
  uint64_t left_ = 0;  // in the present chunk
  const uint8_t* at_ = nullptr;
  const uint8_t* end_ = nullptr;
  bool is_null_ = false;
  uint64_t bad_chunks_ = 0;
};

}  // namespace

bool Graph::has_value(uint32_t type, log::HeapValueKind kind) const {
  if (details_of[type] == kNoDetails) return false;
  const std::vector<uint64_t>& kinds = details.types[details_of[type]].values;
  return std::ranges::find(kinds, static_cast<uint64_t>(kind)) != kinds.end();
}

void Graph::leave_out_values() {
  generations.assign(objects(), 0);
  free.assign(kGenerations, {});
  details_of.assign(snapshot.types.size(), kNoDetails);
}

int64_t Graph::value(uint32_t object, log::HeapValueKind kind) const {
  for (auto at = std::ranges::lower_bound(values, object, {}, &ObjectValue::object);
       at != values.end() && at->object == object; ++at)
    if (at->kind == kind) return at->value;
  return 0;
}

Result<Graph> graph_told(uint64_t number, uint64_t most_bytes, const std::function<Status(log::EventSink&)>& tell,
                         Addresses addresses) {
  Gatherer gathered(number);
  if (Status status = tell(gathered); !status) return status;
  if (!gathered.found)
    return Status::error("the log has no snapshot " + std::to_string(number) + " of the heap that is complete");
  Graph graph;
  if (Status status = GraphReader(gathered, addresses, graph).read(most_bytes); !status) return status;
  return graph;
}

uint64_t most_graph_bytes() {
  const int64_t pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(size) : UINT64_MAX;
}

Result<Graph> load_graph(const std::string& path, uint64_t number, Addresses addresses) {
  if (is_gcdump(path)) {
    Result<Graph> graph = load_gcdump(path);
    if (graph && addresses == Addresses::kLeftOut) graph->addresses = {};
    return graph;
  }
  const auto tell = [&path](log::EventSink& sink) {
    const auto outcome = log::decode_file(path, sink);
    return outcome ? Status::ok() : outcome.status();
  };
  return graph_told(number, most_graph_bytes(), tell, addresses);
}

std::string place_name(const log::HeapType& type, uint8_t place) {
  if (place == Graph::kDependentHandle) return "a dependent handle";
  const size_t own = type.slots.size();
  if (place < own) return type.slots[place].field;
  if (place - own >= type.element_slots.size()) return "";
  const std::string& field = type.element_slots[place - own].field;
  return field.empty() ? "[]" : "[]." + field;
}

}  // namespace oriel::heap
