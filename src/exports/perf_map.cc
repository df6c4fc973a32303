// Where compiled code lies, as `perf report` reads it from /tmp/perf-PID.map: a line for each method, with address,
// size and name. A jitdump file has the code itself too, so it is the module jitdump that writes one.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "exports/export.h"
#include "exports/text.h"
#include "imports/imports.h"
#include "log/decoder.h"
#include "oriel/oriel.h"
#include "profile/build/names.h"

namespace oriel::exports {
namespace {

struct CodeTold {
  uint64_t counter = 0;
  uint64_t method = 0;
  uint64_t address = 0;
  uint64_t size = 0;  // 0: the method's code goes away
};

class CodeSink : public log::EventSink {
 public:
  void on_image(const log::ImageName& image) override { names.add(image); }
  void on_class(const log::ClassName& klass) override { names.add(klass); }
  void on_method(const log::MethodName& method) override { names.add(method); }
  void on_event(const log::Event& event) override {
    if (event.number == oriel_event_jit_done && event.values[2] > 0)
      told.push_back({event.counter, event.values[0], event.values[1], event.values[2]});
    if (event.number == oriel_event_method_free) told.push_back({event.counter, event.values[0], 0, 0});
  }

  profile::Names names;
  std::vector<CodeTold> told;
};

// What lies where when the log ends: an address may have had the code of several methods.
class CodeMap {
 public:
  void add(const CodeTold& code) {
    if (code.size == 0) return remove_method(code.method);
    const uint64_t end = code.address + std::min(code.size, UINT64_MAX - code.address);
    auto at = ranges_.upper_bound(code.address);
    if (at != ranges_.begin() && std::prev(at)->second.end > code.address) --at;
    while (at != ranges_.end() && at->first < end) at = ranges_.erase(at);
    ranges_[code.address] = {end, code.method};
    of_method_[code.method].push_back(code.address);
  }

  void write(const profile::Names& names, std::ostream& to) const {
    BufferedText out(to);
    for (const auto& [address, range] : ranges_)
      out << fmt::format("{:x} {:x} {}\n", address, range.end - address, clean_text(names.method_name(range.method)));
  }

  bool empty() const { return ranges_.empty(); }

 private:
  struct Range {
    uint64_t end = 0;
    uint64_t method = 0;
  };

  void remove_method(uint64_t method) {
    for (const uint64_t address : of_method_[method])
      if (const auto range = ranges_.find(address); range != ranges_.end() && range->second.method == method)
        ranges_.erase(range);
    of_method_.erase(method);
  }

  std::map<uint64_t, Range> ranges_;  // by address, none within another
  std::map<uint64_t, std::vector<uint64_t>> of_method_;
};

Status write_perf_map(const profile::Profile& profile, const Options&, std::ostream& out) {
  if (profile.processes.size() > 1) return Status::error("a perf map is of one process: name its log alone");
  const std::string& file = profile.processes.empty() ? profile.file : profile.processes.front().file;
  const Result<std::string> log = imports::log_of(file);
  if (!log) return log.status();
  CodeSink sink;
  const Result<log::DecodeOutcome> outcome = log::decode_file(*log, sink);
  if (!outcome) return outcome.status();
  std::ranges::stable_sort(sink.told, {}, &CodeTold::counter);
  CodeMap map;
  for (const CodeTold& code : sink.told) map.add(code);
  if (map.empty())
    return Status::error(
        "nothing to export: the log does not tell where compiled code lies; record it with oriel run --module "
        "log:events=jit");
  map.write(sink.names, out);
  return Status::ok();
}

}  // namespace

extern const Export kPerfMapExport = {
    .name = "perf-map",
    .description = "where compiled methods lie, as /tmp/perf-PID.map, so that perf report names them",
    .extension = ".map",
    .of_code = true,
    .write = write_perf_map,
};

}  // namespace oriel::exports
