#include "imports/nettrace_names.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "imports/trace_cursor.h"

namespace oriel::imports {

void Looks::sampled(uint64_t thread, uint64_t time) {
  if (!threads_.insert(thread).second || times_.empty()) {
    threads_ = {thread};
    times_.push_back(time);
  }
}

uint32_t Looks::hz(uint64_t frequency) const {
  std::vector<uint64_t> gaps;
  for (size_t i = 1; i < times_.size(); ++i)
    if (times_[i] > times_[i - 1]) gaps.push_back(times_[i] - times_[i - 1]);
  if (gaps.empty()) return 1;
  const auto middle = gaps.begin() + static_cast<ptrdiff_t>(gaps.size() / 2);
  std::ranges::nth_element(gaps, middle);
  const double hz = static_cast<double>(frequency) / static_cast<double>(*middle);
  return static_cast<uint32_t>(std::clamp(std::round(hz), 1.0, 1e6));
}

std::vector<uint32_t> Looks::periods(uint32_t hz, uint64_t frequency) const {
  constexpr double kMostPeriods = 1e9, kMostDebt = 4;
  std::vector<uint32_t> periods(times_.size(), 1);
  double due = 0;
  for (size_t i = 0; i + 1 < times_.size(); ++i) {
    const uint64_t gap = times_[i + 1] > times_[i] ? times_[i + 1] - times_[i] : 0;
    due += static_cast<double>(gap) * hz / static_cast<double>(frequency);
    const double now = std::clamp(std::floor(due + 0.5), 1.0, kMostPeriods);
    periods[i] = static_cast<uint32_t>(now);
    due = std::max(due - now, -kMostDebt);
  }
  return periods;
}

void TraceNames::on_event(const TraceEvent& event) {
  const TraceKinds::Known* const kind = kinds_.find(event);
  if (kind == nullptr) return;
  TraceProcess& process = processes_[event.process];
  const TraceCursor in(event.payload);
  switch (kind->what) {
    case TraceWhat::kSample:
      return looks_.sampled(event.thread, event.time);
    case TraceWhat::kCpuSample:
      ++process.samples;
      return;
    case TraceWhat::kMethodThere:
      return process.take_method(in, event.time, CodeEvent::What::kThere);
    case TraceWhat::kMethodLoaded:
      return process.take_method(in, event.time, CodeEvent::What::kLoaded);
    case TraceWhat::kMethodUnloaded:
      return process.take_method(in, event.time, CodeEvent::What::kUnloaded);
    case TraceWhat::kModuleThere:
    case TraceWhat::kModuleLoaded:
      return process.take_module(in);
    case TraceWhat::kRuntime:
      return take_runtime(event);
    case TraceWhat::kProcess:
      command = TraceCursor(event.payload).text();
      return;
    case TraceWhat::kProcessName:
      return process.take_name(in);
    case TraceWhat::kMapping:
      return process.take_mapping(in);
    case TraceWhat::kSymbol:
      return process.take_symbol(in, event.time);
    default:
      return;
  }
}

// The processes, those of .NET first, and of these and of the others the ones with the most samples.
std::vector<uint64_t> TraceNames::most_samples_first() const {
  std::vector<uint64_t> ids;
  for (const auto& [id, process] : processes_) ids.push_back(id);
  std::ranges::stable_sort(ids, std::greater(), [this](uint64_t id) {
    const TraceProcess& process = processes_.at(id);
    return std::pair(process.has_runtime, process.samples);
  });
  return ids;
}

Status TraceNames::choose(uint64_t process, uint64_t only) {
  const std::vector<uint64_t> ids = most_samples_first();
  const bool is_of_one = ids.empty() || (ids.size() == 1 && ids.front() == 0);
  chosen_ = ids.empty() ? 0 : ids.front();
  if (process != 0 && is_of_one && process != only)
    return Status::error("it is of one process" + (only == 0 ? "" : ", " + std::to_string(only)));
  if (process != 0 && !is_of_one) {
    if (!processes_.contains(process)) return Status::error(none_of(process, ids));
    chosen_ = process;
  }
  if (command.empty()) command = this->process().name;
  this->process().code().seal();
  return Status::ok();
}

// "it has nothing of process 9; the most samples have 4711 (dotnet), 4712 (Shop)"
std::string TraceNames::none_of(uint64_t process, const std::vector<uint64_t>& ids) const {
  constexpr size_t kMostNamed = 5;
  std::string text = "it has nothing of process " + std::to_string(process) + "; most of its samples are of";
  for (size_t i = 0; i < std::min(ids.size(), kMostNamed); ++i) {
    const std::string& name = processes_.at(ids[i]).name;
    text += (i == 0 ? " " : ", ") + std::to_string(ids[i]) + (name.empty() ? "" : " (" + name + ")");
  }
  return text;
}

TraceNames::Others TraceNames::others() const {
  Others others;
  for (const auto& [id, process] : processes_) {
    if (id == chosen_ || process.samples == 0) continue;
    ++others.processes;
    others.samples += process.samples;
  }
  return others;
}

// Runtime's number, kind, version of the class library in four numbers, version of the runtime in four (16 bits each),
// of which the third is the build's.
void TraceNames::take_runtime(const TraceEvent& event) {
  TraceCursor in(event.payload);
  in.skip(12);
  const auto major = in.number<uint16_t>(), minor = in.number<uint16_t>();
  if (!in.failed() && major != 0) runtime = ".NET " + std::to_string(major) + "." + std::to_string(minor);
}

}  // namespace oriel::imports
