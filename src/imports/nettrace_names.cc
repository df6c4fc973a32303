#include "imports/nettrace_names.h"

#include <algorithm>
#include <cmath>

#include "imports/sampled_frames.h"
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
  const auto kind = kinds_.find(event.kind);
  if (kind == kinds_.end()) return;
  switch (kind->second.what) {
    case TraceWhat::kSample:
      return looks_.sampled(event.thread, event.time);
    case TraceWhat::kMethodThere:
      return take_method(event, CodeEvent::What::kThere);
    case TraceWhat::kMethodLoaded:
      return take_method(event, CodeEvent::What::kLoaded);
    case TraceWhat::kMethodUnloaded:
      return take_method(event, CodeEvent::What::kUnloaded);
    case TraceWhat::kModuleThere:
    case TraceWhat::kModuleLoaded:
      return take_module(event);
    case TraceWhat::kRuntime:
      return take_runtime(event);
    case TraceWhat::kProcess:
      command = TraceCursor(event.payload).text();
      return;
    default:
      return;
  }
}

// Method's and module's ids, address (64 bits each), size, token, flags (32 each), type, name, signature.
void TraceNames::take_method(const TraceEvent& event, CodeEvent::What what) {
  TraceCursor in(event.payload);
  const auto id = in.number<uint64_t>();
  TraceMethod method;
  method.module = in.number<uint64_t>();
  CodeEvent code{what, event.time, in.number<uint64_t>(), 0, 0};
  code.size = in.number<uint32_t>();
  in.skip(8);
  method.type = in.text();
  method.name = in.text();
  method.signature = in.text();
  if (in.failed() || methods_.size() >= UINT32_MAX) return;
  // Each tier of a method has code of its own, and tells the same name.
  const auto known = last_of_id_.find(id);
  const bool same = known != last_of_id_.end() && methods_[known->second].module == method.module &&
                    methods_[known->second].name == method.name && methods_[known->second].type == method.type &&
                    methods_[known->second].signature == method.signature;
  if (same) {
    code.method = known->second;
  } else {
    code.method = static_cast<uint32_t>(methods_.size());
    methods_.push_back(std::move(method));
    last_of_id_[id] = code.method;
  }
  code_.add(code);
}

// Module's and assembly's ids (64 bits each), flags, a reserved number (32 each), path of its IL.
void TraceNames::take_module(const TraceEvent& event) {
  TraceCursor in(event.payload);
  const auto id = in.number<uint64_t>();
  in.skip(16);
  std::string path = in.text();
  if (!in.failed()) modules_[id] = std::move(path);
}

// Runtime's number, kind, version of the class library in four numbers, version of the runtime in four (16 bits each),
// of which the third is the build's.
void TraceNames::take_runtime(const TraceEvent& event) {
  TraceCursor in(event.payload);
  in.skip(12);
  const auto major = in.number<uint16_t>(), minor = in.number<uint16_t>();
  if (!in.failed() && major != 0) runtime = ".NET " + std::to_string(major) + "." + std::to_string(minor);
}

std::string TraceNames::module_path(uint64_t module) const {
  const auto known = modules_.find(module);
  return known == modules_.end() ? "" : known->second;
}

TraceMethod& TraceNames::method(uint32_t number, LogMaker& maker) {
  TraceMethod& method = methods_[number];
  if (method.id != 0) return method;
  const ManagedName name = managed_name(method.type, method.name, method.signature);
  method.id = imports::method_id(name, module_path(method.module), maker);
  method.only_waits = only_waits(name);
  method.stops_for_samples = stops_for_samples(name);
  return method;
}

uint64_t TraceNames::method_id(uint64_t runtime_id, LogMaker& maker) {
  const auto known = last_of_id_.find(runtime_id);
  return known == last_of_id_.end() ? 0 : method(known->second, maker).id;
}

}  // namespace oriel::imports
