// .nettrace files. They are read twice: the names of code come last, and with them it is known what samples mean.
#include <algorithm>
#include <string>

#include "imports/formats.h"
#include "imports/nettrace_blocks.h"
#include "imports/nettrace_events.h"
#include "imports/nettrace_names.h"
#include "log/properties.h"

namespace oriel::imports {
namespace {

// How often a second samples were taken; 0: never.
uint64_t hz_of(const TraceHead& head, TraceNames& names) {
  constexpr uint64_t kSecond = 1'000'000'000;
  if (!names.looks().empty()) return names.looks().hz(head.frequency);
  if (names.process().samples == 0 || head.sampling_ns == 0) return 0;
  return std::max<uint64_t>((kSecond + head.sampling_ns / 2) / head.sampling_ns, 1);
}

void describe(const TraceOutcome& outcome, TraceNames& names, LogMaker& maker) {
  using namespace log::property;
  const TraceHead& head = outcome.head;
  maker.unix_us = head.unix_us;
  maker.runtime = names.runtime;
  auto& properties = maker.properties;
  if (!names.command.empty()) properties.emplace_back(kCommand, names.command);
  const uint64_t pid = names.chosen() != 0 ? names.chosen() : head.pid;
  if (pid != 0) properties.emplace_back(kPid, std::to_string(pid));
  if (head.processors != 0) properties.emplace_back(kCores, std::to_string(head.processors));
  const bool of_processor = names.process().samples > 0;
  properties.emplace_back(kSamplingMode, !names.looks().empty() ? "real" : of_processor ? "process" : "none");
  if (const uint64_t hz = hz_of(head, names)) properties.emplace_back(kSamplingHz, std::to_string(hz));
  if (const TraceNames::Others others = names.others(); others.processes > 0) {
    const std::string of = " of " + std::to_string(others.processes) +
                           (others.processes == 1 ? " other process" : " other processes") +
                           ", of which oriel convert --process takes one";
    maker.leave_out("sample" + of, "samples" + of, others.samples);
  }
}

void tell_losses(const TraceOutcome& outcome, LogMaker& maker) {
  if (!outcome.ended) {
    const std::string rest = std::to_string(outcome.cut_bytes) + " bytes are no whole block";
    maker.say_cut("The file has no end" + (outcome.cut_bytes == 0 ? "" : ", and its last " + rest) +
                  ": recording was broken off, or the file was cut");
  }
  if (outcome.lost > 0) maker.lost.push_back({log::lost::IMPORTED_EVENTS, outcome.lost});
  maker.leave_out("block of which a part is damaged", "blocks of which a part is damaged", outcome.damaged);
  maker.leave_out("block of an unknown kind", "blocks of an unknown kind", outcome.unknown);
}

}  // namespace

bool is_nettrace(std::string_view beginning) { return beginning.starts_with("Nettrace"); }

Status parse_nettrace(const TraceBytes& bytes, LogMaker& maker, const ImportOptions& options) {
  const auto in_half = [&](uint64_t first) {
    return [&, first](uint64_t done) {
      if (options.progress) options.progress(first + done / 2, bytes.size);
    };
  };
  TraceNames names;
  const Result<TraceOutcome> outcome = read_trace(bytes, names, in_half(0));
  if (!outcome) return outcome.status();
  if (Status status = names.choose(options.process, outcome->head.pid); !status) return status;
  describe(*outcome, names, maker);
  TraceEvents events(names, outcome->head, maker);
  if (const Result<TraceOutcome> again = read_trace(bytes, events, in_half(bytes.size / 2)); !again)
    return again.status();
  events.finish();
  tell_losses(*outcome, maker);
  return Status::ok();
}

Status read_nettrace(const InputFile& file, LogMaker& maker, const ImportOptions& options) {
  const TraceBytes bytes{file.size(),
                         [&](uint64_t offset, void* to, size_t size) { return file.read(offset, to, size); }};
  return parse_nettrace(bytes, maker, options);
}

}  // namespace oriel::imports
