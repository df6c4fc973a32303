// .nettrace files. They are read twice: the names of code come last, and with them it is known what samples mean.
#include <string>

#include "imports/formats.h"
#include "imports/nettrace_blocks.h"
#include "imports/nettrace_events.h"
#include "imports/nettrace_names.h"
#include "log/properties.h"

namespace oriel::imports {
namespace {

void describe(const TraceOutcome& outcome, const TraceNames& names, LogMaker& maker) {
  using namespace log::property;
  const TraceHead& head = outcome.head;
  maker.unix_us = head.unix_us;
  maker.runtime = names.runtime;
  auto& properties = maker.properties;
  if (!names.command.empty()) properties.emplace_back(kCommand, names.command);
  if (head.pid != 0) properties.emplace_back(kPid, std::to_string(head.pid));
  if (head.processors != 0) properties.emplace_back(kCores, std::to_string(head.processors));
  const Looks& looks = names.looks();
  properties.emplace_back(kSamplingMode, looks.empty() ? "none" : "real");
  if (!looks.empty()) properties.emplace_back(kSamplingHz, std::to_string(looks.hz(head.frequency)));
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

Status parse_nettrace(const TraceBytes& bytes, LogMaker& maker, const Progress& progress) {
  const auto in_half = [&](uint64_t first) {
    return [&, first](uint64_t done) {
      if (progress) progress(first + done / 2, bytes.size);
    };
  };
  TraceNames names;
  const Result<TraceOutcome> outcome = read_trace(bytes, names, in_half(0));
  if (!outcome) return outcome.status();
  names.code().seal();
  describe(*outcome, names, maker);
  TraceEvents events(names, outcome->head, maker);
  if (const Result<TraceOutcome> again = read_trace(bytes, events, in_half(bytes.size / 2)); !again)
    return again.status();
  events.finish();
  tell_losses(*outcome, maker);
  return Status::ok();
}

Status read_nettrace(const InputFile& file, LogMaker& maker, const Progress& progress) {
  const TraceBytes bytes{file.size(),
                         [&](uint64_t offset, void* to, size_t size) { return file.read(offset, to, size); }};
  return parse_nettrace(bytes, maker, progress);
}

}  // namespace oriel::imports
