#include "sample_writer.h"

namespace oriel::log_module {
namespace {

// Oriel's id of a thread; 0: it has none.
uint64_t thread_of(uint32_t os_id) {
  oriel_thread* thread = oriel_thread_by_os_id(os_id);
  return thread ? oriel_thread_id(thread) : 0;
}

}  // namespace

unsigned SampleWriter::drain() {
  return rings_.drain([this](const SampleView& sample) { take(sample); },
                      [this](uint32_t thread, uint32_t count) { lost_.of(thread_of(thread)).samples += count; });
}

void SampleWriter::take(const SampleView& sample) {
  if (sample.counter < since_) return;
  log::Sample logged;
  logged.counter = sample.counter;
  logged.periods = sample.periods;
  logged.node = stacks_.node_of(sample);
  SamplesOfThread& of_thread = samples_[thread_of(sample.os_thread)];
  of_thread.samples.push_back(logged);
  if (!sample.waits) ++of_thread.running;
  if (sample.compiled == 0) return;
  names_.need(log::FieldKind::kMethod, sample.compiled);
  of_thread.compiling.push_back({sample.counter, sample.compiled, sample.compiled_again, sample.periods});
}

void SampleWriter::need_threads() {
  for (const auto& [thread, samples] : samples_) names_.need_thread(thread);
}

void SampleWriter::copy_to_tail() {
  for (const auto& [thread, taken] : samples_) writer_.samples(thread, taken.samples, taken.compiling);
}

void SampleWriter::write() {
  copy_to_tail();
  samples_.clear();
}

size_t SampleWriter::bytes() const {
  constexpr size_t kUsual = 8;
  size_t all = 0;
  for (const auto& [thread, taken] : samples_) all += taken.running * kUsual;
  return all;
}

}  // namespace oriel::log_module
