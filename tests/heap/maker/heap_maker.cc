#include "heap/maker/heap_maker.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "log/decoder.h"
#include "log/heap_chunk_writer.h"

namespace oriel::heap {
namespace {

std::vector<uint8_t> content_of(int file) {
  std::vector<uint8_t> bytes(static_cast<size_t>(lseek(file, 0, SEEK_END)));
  if (pread(file, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) std::abort();
  return bytes;
}

}  // namespace

uint64_t HeapMaker::type(uint64_t klass, uint64_t bytes, std::vector<std::string> fields, uint64_t element_bytes,
                         std::vector<std::string> element_fields) {
  log::HeapType type;
  type.number = snapshot_.types.size() + 1;
  type.klass = klass;
  type.base_size = bytes;
  type.element_size = element_bytes;
  uint64_t place = 8 + 1;
  for (std::string& field : fields) type.slots.push_back({std::exchange(place, place + 8), std::move(field)});
  place = 1;
  for (std::string& field : element_fields)
    type.element_slots.push_back({std::exchange(place, place + 8), std::move(field)});
  snapshot_.types.push_back(std::move(type));
  return snapshot_.types.size();
}

uint64_t HeapMaker::object(uint64_t type, std::vector<uint64_t> references, uint64_t length) {
  objects_.push_back({type, std::move(references), length});
  return objects_.size() - 1;
}

void HeapMaker::details(uint64_t type, log::HeapTypeKind kind, std::vector<log::HeapValueKind> values, uint64_t storage,
                        std::string made_of) {
  log::HeapTypeDetails& details = details_.types.emplace_back();
  details.type = type;
  details.kind = static_cast<uint64_t>(kind);
  for (const log::HeapValueKind value : values) details.values.push_back(static_cast<uint64_t>(value));
  details.storage = storage;
  details.made_of = std::move(made_of);
}

void HeapMaker::root(log::HeapRootKind kind, uint64_t object, std::string name, uint64_t thread, uint64_t method) {
  snapshot_.roots.push_back({static_cast<uint64_t>(kind), object, 0, thread, method, std::move(name)});
}

void HeapMaker::dependent(uint64_t holder, uint64_t object) {
  snapshot_.roots.push_back({static_cast<uint64_t>(log::HeapRootKind::kDependent), object, holder + 1, 0, 0, ""});
}

void HeapMaker::write(log::Writer& writer) {
  const int file = memfd_create("heap", MFD_CLOEXEC);
  const auto memory = std::make_unique<uint8_t[]>(log::HeapChunkWriter::memory_bytes());
  log::HeapChunkWriter chunks(memory.get(), file, snapshot_.number);
  snapshot_.objects = objects_.size();
  snapshot_.bytes = snapshot_.slots = 0;
  for (log::HeapType& type : snapshot_.types) type.objects = type.bytes = 0;
  uint64_t address = 0x7f00'0000'0000;
  for (uint64_t number = 0; number < objects_.size(); ++number) {
    Object& object = objects_[number];
    log::HeapType& type = snapshot_.types[object.type - 1];
    const uint64_t bytes = log::heap_object_bytes(type, object.length);
    chunks.object(object.type, address, bytes, type.element_size != 0, object.length);
    address += bytes;
    ++type.objects;
    type.bytes += bytes;
    snapshot_.bytes += bytes;
    object.references.resize(type.slots.size() + type.element_slots.size() * object.length, kNull);
    snapshot_.slots += object.references.size();
    const auto details = std::ranges::find(details_.types, object.type, &log::HeapTypeDetails::type);
    if (details != details_.types.end()) object.values.resize(details->values.size());
    for (const int64_t value : object.values) chunks.value(value);
    for (const uint64_t target : object.references) chunks.slot(number, target == kNull ? 0 : target + 1);
  }
  chunks.finish();
  writer.whole_blocks(content_of(file));
  close(file);
  details_.snapshot = snapshot_.number;
  if (!details_.types.empty()) writer.heap_details(details_);
  writer.heap(snapshot_);
}

Result<Graph> HeapMaker::graph(uint64_t number, uint64_t most_bytes) {
  char folder[] = "/tmp/oriel-heap-XXXXXX";
  if (mkdtemp(folder) == nullptr) std::abort();
  const std::string path = std::string(folder) + "/log";
  const auto writer = log::Writer::create(path);
  if (!writer) std::abort();
  (*writer)->intro({});
  write(**writer);
  if (!(*writer)->flush({})) std::abort();
  (*writer)->close();
  Result<Graph> graph = graph_told(number, most_bytes, [&](log::EventSink& sink) {
    const auto outcome = log::decode_file(path, sink);
    return outcome ? Status::ok() : outcome.status();
  });
  unlink(path.c_str());
  rmdir(folder);
  return graph;
}

}  // namespace oriel::heap
