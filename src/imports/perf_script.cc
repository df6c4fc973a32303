// Text of `perf script`: a line for each sample, then a line for each of its frames, innermost first.
#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/trimmed.h"
#include "imports/formats.h"
#include "imports/sampled_frames.h"
#include "log/properties.h"

namespace oriel::imports {
namespace {

constexpr size_t kMostEvents = 1000;  // that are told apart; a hostile text may invent any number

// "dotnet 4711/4712 [001] 13218.350137:    5025125 cpu-clock: "
struct PerfSample {
  std::string name;
  uint64_t pid = 0, tid = 0;
  uint64_t ns = 0;
  uint64_t period = 0;  // 0: not told
  std::string event;
};

struct PerfLines {
  std::string_view rest;
  bool next(std::string_view& line) {
    if (rest.empty()) return false;
    const size_t end = std::min(rest.find('\n'), rest.size());
    line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return true;
  }
};

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

std::optional<uint64_t> leading_number(std::string_view& text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

// "13218.350137" in nanoseconds.
std::optional<uint64_t> time_of_text(std::string_view text) {
  constexpr uint64_t kMostSeconds = 9'000'000'000;
  const std::optional<uint64_t> seconds = leading_number(text);
  if (!seconds || *seconds > kMostSeconds || !text.starts_with('.')) return std::nullopt;
  text.remove_prefix(1);
  uint64_t part = 0, digits = 0;
  for (; digits < text.size() && digits < 9; ++digits) {
    if (!is_digit(text[digits])) return std::nullopt;
    part = part * 10 + static_cast<uint64_t>(text[digits] - '0');
  }
  if (digits == 0) return std::nullopt;
  for (; digits < 9; ++digits) part *= 10;
  return *seconds * 1'000'000'000 + part;
}

// "cpu-clock" of "cpu-clock:u", "cpu-clock:ppp", and "cpu/event=60/" of "cpu/event=60/k": modifiers say where it counts
// and how exactly, and not what it counts. Tracepoints keep their names, such as "sched:sched_switch".
std::string_view without_modifiers(std::string_view event) {
  constexpr std::string_view kModifiers = "ukhGHpPSDIWeb";
  const size_t end = event.find_last_not_of(kModifiers);
  if (end == event.npos || end == 0 || end + 1 == event.size()) return event;
  if (event[end] == ':') return event.substr(0, end);
  return event[end] == '/' && event.find('/') < end ? event.substr(0, end + 1) : event;
}

// The time is the first word of digits and a dot that ends in a colon; ids come before it, a name with any letters
// before these.
std::optional<PerfSample> sample_of(std::string_view line) {
  if (line.empty() || line[0] == '#' || line[0] == '\t') return std::nullopt;
  for (size_t colon = line.find(": "); colon != std::string_view::npos; colon = line.find(": ", colon + 1)) {
    const size_t space = line.rfind(' ', colon);
    if (space == std::string_view::npos) continue;
    PerfSample sample;
    const auto ns = time_of_text(line.substr(space + 1, colon - space - 1));
    if (!ns) continue;
    sample.ns = *ns;
    std::string_view before = trimmed(line.substr(0, space));
    if (before.ends_with(']')) before = trimmed(before.substr(0, std::min(before.rfind('['), before.size())));
    const size_t ids = before.rfind(' ');
    if (ids == std::string_view::npos) return std::nullopt;
    std::string_view numbers = before.substr(ids + 1);
    const auto first = leading_number(numbers);
    if (!first) return std::nullopt;
    sample.pid = sample.tid = *first;
    if (numbers.starts_with('/')) {
      numbers.remove_prefix(1);
      const auto second = leading_number(numbers);
      if (!second) return std::nullopt;
      sample.tid = *second;
    }
    if (!numbers.empty()) return std::nullopt;
    sample.name = trimmed(before.substr(0, ids));
    std::string_view after = trimmed(line.substr(colon + 1));
    std::string_view number = after;
    if (const auto period = leading_number(number); period && number.starts_with(' ')) {
      sample.period = *period;
      after = trimmed(number);
    }
    const size_t end = after.find(": ");
    std::string_view event = trimmed(after.substr(0, end));
    if (event.ends_with(':')) event.remove_suffix(1);
    sample.event = without_modifiers(event);
    return sample;
  }
  return std::nullopt;
}

struct PerfFrame {
  std::string name;
  std::string library;
  bool known = true;
};

// "\t    7f0c2a read+0xd (/usr/lib/libc.so.6)"
std::optional<PerfFrame> frame_of(std::string_view line) {
  if (line.empty() || (line[0] != '\t' && line[0] != ' ')) return std::nullopt;
  line = trimmed(line);
  const size_t space = line.find(' ');
  if (space == std::string_view::npos || line.substr(0, space).find_first_not_of("0123456789abcdef") != line.npos)
    return std::nullopt;
  std::string_view text = trimmed(line.substr(space));
  constexpr std::string_view kDeleted = " (deleted))";  // of a library whose file is gone
  const std::string without =
      text.ends_with(kDeleted) ? std::string(text.substr(0, text.size() - kDeleted.size())) + ")" : "";
  if (!without.empty()) text = without;
  PerfFrame frame;
  if (const size_t open = text.rfind(" ("); open != std::string_view::npos && text.ends_with(')')) {
    frame.library = text.substr(open + 2, text.size() - open - 3);
    text = text.substr(0, open);
  } else if (text.starts_with('(') && text.ends_with(')')) {
    frame.library = text.substr(1, text.size() - 2);
    text = "";
  }
  const size_t plus = text.rfind("+0x");
  if (plus != std::string_view::npos && text.substr(plus + 3).find_first_not_of("0123456789abcdef") == text.npos)
    text = text.substr(0, plus);
  if (frame.library == "[unknown]") frame.library.clear();
  frame.known = !text.empty() && text != "[unknown]";
  frame.name = frame.known ? std::string(text) : "";
  return frame;
}

bool is_cpu_clock(std::string_view event) { return event.starts_with("cpu-clock") || event.starts_with("task-clock"); }

// Calls `on_sample` with each sample and its frames, innermost first, and `on_other` for each line that is neither.
template <typename OnSample, typename OnOther>
void each_sample(std::string_view text, const OnSample& on_sample, const OnOther& on_other) {
  PerfLines lines{text};
  std::string_view line;
  std::vector<PerfFrame> frames;
  std::optional<PerfSample> open;
  while (lines.next(line)) {
    if (auto frame = open ? frame_of(line) : std::nullopt) {
      frames.push_back(std::move(*frame));
      continue;
    }
    if (open) on_sample(*open, frames);
    frames.clear();
    open = sample_of(line);
    if (!open && !trimmed(line).empty() && line[0] != '#') on_other();
  }
  if (open) on_sample(*open, frames);
}

// All samples of a log count the same thing: what most of them count, and of equals the first.
std::string commonest_event(std::string_view text) {
  std::vector<std::pair<std::string, uint64_t>> counts;
  each_sample(
      text,
      [&](const PerfSample& sample, const std::vector<PerfFrame>&) {
        const auto known = std::ranges::find(counts, sample.event, &std::pair<std::string, uint64_t>::first);
        if (known != counts.end())
          ++known->second;
        else if (counts.size() < kMostEvents)
          counts.emplace_back(sample.event, 1);
      },
      [] {});
  const auto most = std::ranges::max_element(counts, {}, &std::pair<std::string, uint64_t>::second);
  return most == counts.end() ? "" : most->first;
}

class PerfReader {
 public:
  explicit PerfReader(LogMaker& maker) : maker_(maker) {}

  Status read(std::string_view text) {
    event_ = commonest_event(text);
    each_sample(
        text, [&](const PerfSample& sample, const std::vector<PerfFrame>& frames) { take(sample, frames); },
        [&] { maker_.leave_out("line that is no sample and no frame", "lines that are no sample and no frame"); });
    if (samples_.empty()) return Status::error("it has no samples");
    write();
    return Status::ok();
  }

 private:
  struct Sample {
    uint64_t thread = 0, ns = 0, node = 0, period = 0;
  };

  void take(const PerfSample& told, const std::vector<PerfFrame>& frames) {
    if (told.event != event_)
      return maker_.leave_out("sample of another event than " + event_, "samples of another event than " + event_);
    pid_ = samples_.empty() || pid_ == told.pid ? told.pid : 0;
    uint64_t node = 0;
    last_managed_ = false;
    for (size_t i = frames.size(); i-- > 0;) node = child(node, frames[i]);
    const bool managed = last_managed_;
    const uint64_t thread = maker_.thread(told.tid, told.name, managed);
    begin_ = std::min(begin_, told.ns);
    samples_.push_back({thread, told.ns, node, told.period});
  }

  uint64_t child(uint64_t parent, const PerfFrame& told) {
    const std::string key = told.name + '\n' + told.library;
    const auto [known, made] = frames_.try_emplace(key);
    if (made) known->second = frame_of_symbol(told.name, told.library, maker_);
    last_managed_ = last_managed_ || known->second.kind == log::FrameKind::kManaged;
    return maker_.node(parent, known->second.kind, known->second.id);
  }

  // Samples of clocks stand for time: the most usual one is the period, and another stands for as many as fit.
  void write() {
    const bool of_cpu = is_cpu_clock(event_), of_time = of_cpu || event_ == "wall-clock";
    std::vector<uint64_t> periods;
    for (const Sample& sample : samples_)
      if (sample.period > 0) periods.push_back(sample.period);
    uint64_t period = 0;
    if (of_time && !periods.empty()) {
      const auto middle = periods.begin() + static_cast<ptrdiff_t>(periods.size() / 2);
      std::ranges::nth_element(periods, middle);
      period = of_cpu ? *middle : *std::ranges::min_element(periods);
    }
    const uint64_t hz = period == 0 ? 0 : std::min<uint64_t>((1'000'000'000 + period / 2) / period, 1'000'000);
    for (const Sample& sample : samples_) {
      const uint64_t times =
          period == 0 || sample.period == 0 ? 1 : std::max<uint64_t>((sample.period + period / 2) / period, 1);
      maker_.sample(sample.thread, sample.ns - begin_, sample.node, times);
    }
    using namespace log::property;
    const bool of_processor = of_cpu || event_.starts_with("cycles") || event_.starts_with("cpu/");
    maker_.properties.emplace_back(kSamplingMode, of_processor ? "process" : of_time ? "real" : "weights");
    if (!of_processor && !of_time) maker_.properties.emplace_back(kWeightsOf, event_.empty() ? "none" : event_);
    if (hz > 0) maker_.properties.emplace_back(kSamplingHz, std::to_string(hz));
    if (pid_ != 0) maker_.properties.emplace_back(kPid, std::to_string(pid_));
  }

  LogMaker& maker_;
  std::string event_;
  uint64_t pid_ = 0;
  uint64_t begin_ = UINT64_MAX;
  bool last_managed_ = false;
  std::vector<Sample> samples_;
  std::map<std::string, NamedFrame> frames_;
};

}  // namespace

// The first line that is no comment is a sample's, and a frame follows.
bool is_perf_script(std::string_view beginning) {
  PerfLines lines{beginning};
  std::string_view line;
  while (lines.next(line)) {
    if (line.starts_with('#') || trimmed(line).empty()) continue;
    if (!sample_of(line)) return false;
    return !lines.next(line) || trimmed(line).empty() || frame_of(line);
  }
  return false;
}

Status parse_perf_script(std::string_view text, LogMaker& maker) { return PerfReader(maker).read(text); }

Status read_perf_script(const InputFile& file, LogMaker& maker, const ImportOptions&) {
  std::string text(file.size(), '\0');
  if (!file.read(0, text.data(), text.size())) return Status::error("it changes while it is read");
  return parse_perf_script(text, maker);
}

}  // namespace oriel::imports
