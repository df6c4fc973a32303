// Makes snapshots of small heaps that are known object by object, as blocks of a log.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heap/graph.h"
#include "log/heap_records.h"
#include "log/writer.h"

namespace oriel::heap {

class HeapMaker {
 public:
  explicit HeapMaker(uint64_t number = 1) { snapshot_.number = number; }

  // Returns the type's number. An object takes `bytes`, an element of it `element_bytes`.
  uint64_t type(uint64_t klass, uint64_t bytes, std::vector<std::string> fields, uint64_t element_bytes = 0,
                std::vector<std::string> element_fields = {});
  // Returns the object's number. What it refers to may be made later; kNull is no reference.
  static constexpr uint64_t kNull = UINT64_MAX;
  uint64_t object(uint64_t type, std::vector<uint64_t> references = {}, uint64_t length = 0);
  // Replaces an object's references.
  void refer(uint64_t object, std::vector<uint64_t> references) { objects_[object].references = std::move(references); }
  // What else is known of a type: each of its objects has these values, which `values` sets, 0 at first.
  void details(uint64_t type, log::HeapTypeKind kind, std::vector<log::HeapValueKind> values = {}, uint64_t storage = 0,
               std::string made_of = {});
  void values(uint64_t object, std::vector<int64_t> values) { objects_[object].values = std::move(values); }
  void text(uint64_t object, std::string text) { details_.texts.push_back({object + 1, std::move(text)}); }
  void root(log::HeapRootKind kind, uint64_t object, std::string name = {}, uint64_t thread = 0, uint64_t method = 0);
  // `object` lives while `holder` does.
  void dependent(uint64_t holder, uint64_t object);

  // For what else the heap block says.
  log::HeapSnapshot& snapshot() { return snapshot_; }

  // Writes the chunks and the heap block. The maker may be used again, for a later snapshot with more objects.
  void write(log::Writer& writer);
  // The graph of the snapshot, read out of a log.
  Result<Graph> graph(uint64_t number = 1, uint64_t most_bytes = uint64_t{1} << 30);

 private:
  struct Object {
    uint64_t type = 0;
    std::vector<uint64_t> references;
    uint64_t length = 0;
    std::vector<int64_t> values = {};
  };
  log::HeapSnapshot snapshot_;
  log::HeapDetails details_;
  std::vector<Object> objects_;
};

}  // namespace oriel::heap
