#include "pacing.h"

#include "ears.h"

namespace oriel::log_module {
namespace {

constexpr std::chrono::seconds kOften{1};

void set_pace(const oriel_pace& pace) {
  ears().recorder().pace = pace.pace;
  oriel_set_sampling_pace(ears().handle, &pace);
}

}  // namespace

bool Pacing::keep_to(uint32_t limit) {
  if (limit != (budget_ ? budget_->limit() : 0)) begin(limit);
  if (!budget_ || std::chrono::steady_clock::now() < due_) return false;
  due_ = std::chrono::steady_clock::now() + kOften;
  budget_->take(spending_.take(ears().recorder()));
  set_pace({budget_->pace(), budget_->used(), budget_->limit()});
  return budget_->is_hopeless();
}

void Pacing::begin(uint32_t limit) {
  budget_.reset();
  if (limit != 0) budget_.emplace(limit);
  spending_.take(ears().recorder());
  ears().recorder().counts_time = limit != 0;
  if (limit != 0) oriel_enable_sampling(ears().handle);
  set_pace({kFullPace, 0, limit});
  due_ = std::chrono::steady_clock::now() + kOften;
}

void Pacing::end() { set_pace({kFullPace, 0, 0}); }

}  // namespace oriel::log_module
