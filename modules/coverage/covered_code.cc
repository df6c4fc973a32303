#include "covered_code.h"

#include <set>
#include <utility>

#include "base/process/own_program.h"

namespace oriel::coverage_module {
namespace {

// An image without a file may be inside the program's file, so readers look there.
log::CoverageImage image_of(oriel_image* image) {
  const std::string path = oriel_image_path(image);
  return {oriel_image_id(image),   oriel_image_name(image),   path.empty() ? own_program() : path,
          oriel_image_mvid(image), oriel_image_pdb_id(image), oriel_image_pdb_path(image)};
}

// Collects the engine's data, method by method.
class Collector {
 public:
  explicit Collector(const modules::ChosenMethods& methods) : methods_(methods) {}

  void take(const oriel_coverage_data& data) {
    if (data.method != method_) begin(data.method);
    if (covered_ == nullptr) return;
    const bool is_outcome = data.outcome != ORIEL_NO_OUTCOME;
    covered_->points.push_back({is_outcome, data.il_offset, is_outcome ? data.outcome : 0, data.count});
  }
  log::Coverage finish() { return std::move(coverage_); }

 private:
  void begin(oriel_method* method) {
    constexpr uint32_t kRow = 0xffffff;
    method_ = method;
    covered_ = nullptr;
    oriel_image* const image = oriel_method_image(method);
    if (image == nullptr || !methods_.contains(oriel_method_id(method))) return;
    covered_ = &coverage_.methods.emplace_back();
    covered_->image = oriel_image_id(image);
    covered_->row = oriel_method_token(method) & kRow;
    if (*oriel_image_path(image) == '\0') covered_->name = oriel_method_name(method);
    if (images_.insert(oriel_image_id(image)).second) coverage_.images.push_back(image_of(image));
  }

  const modules::ChosenMethods& methods_;
  log::Coverage coverage_;
  std::set<uint32_t> images_;
  oriel_method* method_ = nullptr;
  log::MethodHits* covered_ = nullptr;  // nullptr: the method is not in the set
};

// Set while the calling thread asks the engine.
thread_local Collector* collector = nullptr;

void take(oriel_profiler*, const oriel_coverage_data* data) { collector->take(*data); }

template <typename Ask>
log::Coverage collect(const modules::ChosenMethods& methods, Ask ask) {
  Collector asks(methods);
  collector = &asks;
  ask();
  collector = nullptr;
  return asks.finish();
}

}  // namespace

log::Coverage covered_code(oriel_profiler_handle handle, const modules::ChosenMethods& methods) {
  return collect(methods, [&] {
    const uint32_t count = oriel_method_count();
    std::set<std::pair<const oriel_image*, uint32_t>> asked;  // on Mono each instantiation is a method of its own
    for (uint32_t id = 1; id <= count; ++id) {
      oriel_method* const method = methods.contains(id) ? oriel_method_by_id(id) : nullptr;
      if (method && asked.emplace(oriel_method_image(method), oriel_method_token(method)).second)
        oriel_get_coverage_data(handle, method, take);
    }
  });
}

log::Coverage code_that_ran(oriel_profiler_handle handle, const modules::ChosenMethods& methods) {
  return collect(methods, [&] { oriel_get_coverage_data(handle, nullptr, take); });
}

}  // namespace oriel::coverage_module
