// Any bytes may come to the decoder. It must neither crash nor tell the sink what a caller could trip over.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "base/text/utf8.h"
#include "log/decoder.h"

namespace oriel::log {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

// What sink.h and event.h promise of every log.
class StrictSink : public EventSink {
 public:
  explicit StrictSink(size_t size) : size_(size) {}

  void on_intro(const Intro& r) override { valid(r.runtime), valid(r.properties); }
  void on_options(const OptionChange& r) override { valid(r.module), valid(r.options), valid(r.properties); }
  void on_coverage(const Coverage& r) override {
    valid(r.label);
    for (const CoverageImage& image : r.images) valid(image.name), valid(image.path), valid(image.pdb_path);
    for (const MethodHits& method : r.methods) valid(method.name);
  }
  void on_load(const Load& r) override { valid(r.name); }
  void on_image(const ImageName& r) override { valid(r.name), valid(r.path), valid(r.assembly); }
  void on_class(const ClassName& r) override { valid(r.name); }
  void on_method(const MethodName& r) override { valid(r.name), valid(r.raw_name); }
  void on_library(const LibraryName& r) override { valid(r.path); }
  void on_native(const NativeName& r) override { valid(r.name); }
  void on_thread(const ThreadName& r) override { valid(r.name); }
  void on_event(const Event& e) override {
    require(e.value_count <= kMaxFields);
    const EventDescription* known = describe_event(e.number);
    require(known != nullptr && e.value_count <= known->fields.size());
    require(is_valid_utf8(e.text));
  }
  void on_stack_node(const StackNode& r) override {
    require(r.id != 0 && r.parent < r.id && r.id <= kMaxRatioOfFile * size_);
  }
  void on_node_il(uint64_t node, uint32_t il) override {
    require(node != 0 && node <= kMaxRatioOfFile * size_ && il != kNoIl);
  }
  void on_image_symbols(const ImageSymbols& r) override { valid(r.pdb_id), valid(r.pdb_path); }
  void on_call_node(const CallNode& r) override {
    require(r.id != 0 && r.parent < r.id && r.id <= kMaxRatioOfFile * size_);
  }
  void on_lost(const Lost& r) override { valid(r.reason); }
  void on_problem(uint64_t offset, const std::string& message) override {
    require(offset <= size_ && !message.empty());
    require(message.find('\n') == std::string::npos);
  }

 private:
  static constexpr uint64_t kMaxRatioOfFile = 65;  // compressed blocks
  void valid(const std::string& text) { require(is_valid_utf8(text)); }
  void valid(const std::vector<std::pair<std::string, std::string>>& properties) {
    for (const auto& [key, value] : properties) {
      require(!key.empty());
      valid(key);
      valid(value);
    }
  }

  size_t size_;
};

}  // namespace
}  // namespace oriel::log

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  oriel::log::StrictSink sink(size);
  const auto outcome = oriel::log::decode_bytes(data, size, sink);
  if (outcome.is_ok()) {
    oriel::log::require(outcome->bytes == size && outcome->torn_bytes <= size);
  } else {
    oriel::log::require(!outcome.message().empty());
  }
  return 0;
}
