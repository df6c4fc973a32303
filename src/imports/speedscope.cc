// speedscope's JSON. It is read as a stream of values: a document in memory would take ten times the file.
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/text/utf8.h"
#include "imports/formats.h"
#include "imports/sampled_frames.h"
#include "log/properties.h"
#include "profile/hashed_rows.h"

namespace oriel::imports {
namespace {

using Json = nlohmann::json;

constexpr uint32_t kNoFrame = UINT32_MAX;
constexpr double kMostWeight = 9e15;  // doubles have whole numbers up to here

struct ScopeFrame {
  std::string name;
  std::string file;
  std::string module;  // Oriel's own exports have it where the file is a source file
};

// Stacks of frames' numbers; what the frames are may come later in the file.
struct ScopeNode {
  uint32_t parent = 0;
  uint32_t frame = 0;
  uint64_t hash() const { return profile::mix(parent, frame); }
  bool same(const ScopeNode& other) const { return parent == other.parent && frame == other.frame; }
};

struct ScopeSample {
  uint32_t node = 0;
  double at = 0;
  double weight = 0;
};

struct ScopeProfile {
  std::string name, unit;
  double start = 0;
  std::optional<double> end;
  double from = 0, until = 0;  // of its samples, and of times without a stack before and after them
  std::vector<ScopeSample> samples;
};

struct ScopeFile {
  std::string name, exporter;
  std::string mode;  // as an Oriel that wrote the file has it
  uint64_t hz = 0;
  std::vector<ScopeFrame> frames;
  profile::HashedRows<ScopeNode> nodes;  // their numbers are from 1
  std::vector<ScopeProfile> profiles;
  // What of it is not in the log, counted.
  uint64_t idle = 0;       // samples with an empty stack
  uint64_t not_open = 0;   // ends of frames that are not open
  uint64_t overtaken = 0;  // frames that are open when their caller ends
  uint64_t backwards = 0;  // events before the event before them
};

// The handler of the parser's events. `path_` are the keys of the open objects, "[]" for arrays' elements.
class ScopeReader : public nlohmann::json_sax<Json> {
 public:
  explicit ScopeReader(ScopeFile& file) : file_(file) {}
  const std::string& problem() const { return problem_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) override { return number(value); }
  bool binary(binary_t&) override { return true; }
  bool string(string_t& value) override {
    if (!is_near()) return true;
    if (std::string* const to = text_at()) *to = std::move(value);
    if (where_ == Where::kEvent && key_ == "type") event_opens_ = value.starts_with('O'), event_known_ = true;
    return true;
  }
  bool key(string_t& value) override {
    key_ = std::move(value);
    return true;
  }
  bool start_object(size_t) override { return open(false); }
  bool start_array(size_t) override { return open(true); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception&) override {
    problem_ = "it is no JSON, or is cut, at byte " + std::to_string(position);
    return false;
  }

 private:
  enum class Where : uint8_t {
    kStart,
    kFile,
    kOriel,
    kShared,
    kFrames,
    kFrame,
    kProfiles,
    kProfile,
    kSamples,
    kStack,
    kWeights,
    kEvents,
    kEvent
  };

  // Whether the value is directly in what is known, not below something that is not.
  bool is_near() const { return unknown_ == 0; }

  std::string* text_at() {
    switch (where_) {
      case Where::kFile:
        return key_ == "name" ? &file_.name : key_ == "exporter" ? &file_.exporter : nullptr;
      case Where::kOriel:
        return key_ == "mode" ? &file_.mode : nullptr;
      case Where::kFrame: {
        ScopeFrame& frame = file_.frames.back();
        return key_ == "name" ? &frame.name : key_ == "file" ? &frame.file : key_ == "module" ? &frame.module : nullptr;
      }
      case Where::kProfile: {
        ScopeProfile& profile = file_.profiles.back();
        return key_ == "name" ? &profile.name : key_ == "unit" ? &profile.unit : nullptr;
      }
      default:
        return nullptr;
    }
  }

  bool number(double value) {
    if (!is_near()) return true;
    switch (where_) {
      case Where::kOriel:
        if (key_ == "hz" && value >= 1 && value <= 1e9) file_.hz = static_cast<uint64_t>(value);
        break;
      case Where::kProfile:
        if (key_ == "startValue") file_.profiles.back().start = value;
        if (key_ == "endValue") file_.profiles.back().end = value;
        break;
      case Where::kStack:
        node_ = child(node_, frame_number(value));
        break;
      case Where::kWeights:
        weights_.push_back(value);
        break;
      case Where::kEvent:
        if (key_ == "frame") event_frame_ = frame_number(value);
        if (key_ == "at") event_at_ = value;
        break;
      default:
        break;
    }
    return true;
  }

  static uint32_t frame_number(double value) {
    return value >= 0 && value < kNoFrame ? static_cast<uint32_t>(value) : kNoFrame;
  }
  uint32_t child(uint32_t parent, uint32_t frame) { return file_.nodes.find_or_add({parent, frame}) + 1; }

  std::optional<Where> below(bool array) const {
    const auto if_array = [&](Where where) { return array ? std::optional(where) : std::nullopt; };
    const auto if_object = [&](Where where) { return array ? std::nullopt : std::optional(where); };
    switch (where_) {
      case Where::kStart:
        return if_object(Where::kFile);
      case Where::kFile:
        if (key_ == "shared") return if_object(Where::kShared);
        if (key_ == "profiles") return if_array(Where::kProfiles);
        return key_ == "oriel" ? if_object(Where::kOriel) : std::nullopt;
      case Where::kShared:
        return key_ == "frames" ? if_array(Where::kFrames) : std::nullopt;
      case Where::kFrames:
        return if_object(Where::kFrame);
      case Where::kProfiles:
        return if_object(Where::kProfile);
      case Where::kProfile:
        if (key_ == "samples") return if_array(Where::kSamples);
        if (key_ == "weights") return if_array(Where::kWeights);
        return key_ == "events" ? if_array(Where::kEvents) : std::nullopt;
      case Where::kSamples:
        return if_array(Where::kStack);
      case Where::kEvents:
        return if_object(Where::kEvent);
      default:
        return std::nullopt;
    }
  }

  bool open(bool array) {
    const std::optional<Where> into = unknown_ > 0 ? std::nullopt : below(array);
    if (!into) {
      ++unknown_;
      return true;
    }
    open_.push_back(where_);
    where_ = *into;
    if (where_ == Where::kFrame) file_.frames.emplace_back();
    if (where_ == Where::kProfile) begin_profile();
    if (where_ == Where::kStack) node_ = 0;
    if (where_ == Where::kEvent) event_frame_ = kNoFrame, event_at_ = 0, event_known_ = false;
    return true;
  }

  bool close() {
    if (unknown_ > 0) {
      --unknown_;
      return true;
    }
    if (where_ == Where::kStack) stacks_.push_back(node_);
    if (where_ == Where::kEvent && event_known_) take_event();
    if (where_ == Where::kProfile) end_profile();
    where_ = open_.back();
    open_.pop_back();
    return true;
  }

  void begin_profile() {
    file_.profiles.emplace_back();
    stacks_.clear();
    weights_.clear();
    frames_.assign(1, 0);
    open_frames_.clear();
    last_at_ = 0;
    has_event_ = false;
  }

  void take_event() {
    if (has_event_ && event_at_ < last_at_) ++file_.backwards;
    take_time_to(event_at_);
    if (event_opens_) {
      frames_.push_back(child(frames_.back(), event_frame_));
      ++open_frames_[event_frame_];
    } else {
      close_frame();
    }
  }

  // Between two events the frames that are open take the time.
  void take_time_to(double at) {
    if (has_event_ && frames_.back() != 0 && at > last_at_)
      file_.profiles.back().samples.push_back({frames_.back(), last_at_, at - last_at_});
    last_at_ = has_event_ ? std::max(last_at_, at) : at;
    has_event_ = true;
  }

  // Frames that it has called end with it.
  void close_frame() {
    uint64_t& open = open_frames_[event_frame_];
    if (open == 0) {
      ++file_.not_open;
      return;
    }
    for (uint64_t ended = 0;; ++ended) {
      const uint32_t frame = file_.nodes[frames_.back() - 1].frame;
      frames_.pop_back();
      --open_frames_[frame];
      if (frame != event_frame_) continue;
      file_.overtaken += ended;
      return;
    }
  }

  void end_profile() {
    ScopeProfile& profile = file_.profiles.back();
    if (has_event_ && profile.end) take_time_to(*profile.end);  // of frames that no event ends
    const bool has_samples = !stacks_.empty() && profile.samples.empty();
    profile.from = has_samples || profile.samples.empty() ? profile.start : profile.samples.front().at;
    double at = profile.start;
    for (size_t i = 0; i < stacks_.size(); ++i) {
      const double weight = i < weights_.size() ? weights_[i] : weights_.empty() ? 1 : 0;
      if (stacks_[i] != 0)
        profile.samples.push_back({stacks_[i], at, weight});
      else
        ++file_.idle;
      at += std::max(weight, 0.0);
    }
    profile.until = has_event_ ? std::max(at, last_at_) : at;
  }

  ScopeFile& file_;
  std::string problem_;
  std::string key_;
  Where where_ = Where::kStart;
  std::vector<Where> open_;
  uint64_t unknown_ = 0;
  std::vector<uint32_t> stacks_;  // of the profile
  std::vector<double> weights_;
  uint32_t node_ = 0;
  std::vector<uint32_t> frames_;                        // open ones, as nodes
  std::unordered_map<uint32_t, uint64_t> open_frames_;  // how often each is open
  bool event_opens_ = false, event_known_ = false, has_event_ = false;
  uint32_t event_frame_ = kNoFrame;
  double event_at_ = 0, last_at_ = 0;
};

// Nanoseconds of a unit of time; 0 for other units.
double nanoseconds_of(const std::string& unit) {
  static const std::map<std::string, double> kTimes = {
      {"nanoseconds", 1}, {"microseconds", 1e3}, {"milliseconds", 1e6}, {"seconds", 1e9}};
  const auto known = kTimes.find(unit);
  return known == kTimes.end() ? 0 : known->second;
}

bool is_library(const std::string& file) { return file.ends_with(".so") || file.find(".so.") != std::string::npos; }
bool is_assembly(const std::string& file) { return file.ends_with(".dll") || file.ends_with(".exe"); }

class ScopeWriter {
 public:
  ScopeWriter(const ScopeFile& file, LogMaker& maker)
      : file_(file), maker_(maker), is_of_runtime_(file.exporter.starts_with("Microsoft.Diagnostics.Tracing.")) {}

  Status write() {
    choose_unit();
    for (const ScopeFrame& frame : file_.frames) frames_.push_back(frame_of(frame));
    // A node's parent has a lower number.
    nodes_.resize(file_.nodes.size() + size_t{1});
    for (uint32_t i = 0; i < file_.nodes.size(); ++i) nodes_[i + 1] = node_of(file_.nodes[i]);
    for (const ScopeProfile& profile : file_.profiles) write_profile(profile);
    describe();
    leave_out();
    if (maker_.samples() > 0) return Status::ok();
    const std::string left_out = maker_.left_out();
    return Status::error("it has no stacks with a weight" + (left_out.empty() ? "" : "; left out: " + left_out));
  }

 private:
  struct Frame {
    bool shown = true;  // false: it says nothing of code, such as the frames for process and thread
    log::FrameKind kind = log::FrameKind::kNative;
    uint64_t id = 0;
    bool outside = false;  // of a thread outside of managed code
    bool waits = false, stops = false;
  };

  // All weights of a log count the same thing: what the first profile with samples counts.
  void choose_unit() {
    const auto first = std::ranges::find_if(file_.profiles, [](const auto& one) { return !one.samples.empty(); });
    if (first == file_.profiles.end()) return;
    is_time_ = nanoseconds_of(first->unit) > 0;
    unit_ = unit_of(*first);
    double earliest = INFINITY;
    for (const ScopeProfile& profile : file_.profiles)
      if (is_of_unit(profile) && !profile.samples.empty()) earliest = std::min(earliest, profile.from * scale(profile));
    begin_ = std::isfinite(earliest) ? earliest : 0;
    if (file_.hz > 0 && is_time_)
      period_ = 1e9 / static_cast<double>(file_.hz);
    else
      choose_period();
  }

  static std::string unit_of(const ScopeProfile& profile) {
    if (nanoseconds_of(profile.unit) > 0) return "time";
    return profile.unit.empty() ? "none" : profile.unit;
  }
  bool is_of_unit(const ScopeProfile& profile) const { return unit_of(profile) == unit_; }
  double scale(const ScopeProfile& profile) const { return is_time_ ? nanoseconds_of(profile.unit) : 1; }

  struct Weights {
    double sum = 0, least = INFINITY;
    uint64_t common = 0;  // the largest number of which all are multiples, if they are whole
    bool whole = true;
  };

  // But for what sums of decimal fractions are off.
  static bool is_whole(double value) { return std::abs(value - std::round(value)) <= 1e-3 * std::min(value, 1.0); }

  // In units of `unit`.
  Weights weights_in(double unit) const {
    Weights all;
    for (const ScopeProfile& profile : file_.profiles) {
      if (!is_of_unit(profile)) continue;
      for (const ScopeSample& sample : profile.samples) {
        const double weight = sample.weight * scale(profile) / unit;
        if (!(weight > 0 && weight < kMostWeight / unit)) continue;
        all.sum += weight;
        all.least = std::min(all.least, weight);
        all.whole = all.whole && is_whole(weight);
        if (weight < kMostWeight) all.common = std::gcd(all.common, static_cast<uint64_t>(std::llround(weight)));
      }
    }
    return all;
  }

  void choose_period() {
    if (is_time_)
      choose_period_of_time();
    else
      choose_part();
  }

  // Samples taken at a rate weigh multiples of its period. Other times are counted in microseconds, or in less if one
  // of them needs it.
  void choose_period_of_time() {
    constexpr uint64_t kShortest = 100'000, kMicrosecond = 1000;
    const Weights weights = weights_in(1);
    is_sampled_ = weights.whole && weights.common >= kShortest;
    uint64_t period = is_sampled_ ? weights.common : kMicrosecond;
    const bool is_fine = weights.whole && weights.common > 0;
    while (!is_sampled_ && period > 1 && weights.sum < kMostWeight && (!is_fine || weights.common % period != 0))
      period /= 10;
    period_ = static_cast<double>(period);
    part_ = period == kMicrosecond ? "microseconds" : "nanoseconds";
  }

  // What is no time is counted in whole numbers, or in the largest parts that keep three digits of each weight.
  void choose_part() {
    struct Part {
      double of_one;
      const char* name;
    };
    constexpr Part kParts[] = {{1, ""}, {1e-3, "thousandths"}, {1e-6, "millionths"}, {1e-9, "billionths"}};
    constexpr double kDigits = 1000;
    for (const Part& part : kParts) {
      const Weights weights = weights_in(part.of_one);
      if (weights.sum >= kMostWeight && part.of_one < 1) return;
      period_ = part.of_one;
      part_ = part.name;
      if (weights.whole || (part.of_one < 1 && weights.least >= kDigits)) return;
    }
  }

  Frame frame_of(const ScopeFrame& frame) {
    if (is_of_runtime_) {
      if (frame.name == "CPU_TIME" || frame.name == "Threads" || frame.name == "(Non-Activities)" ||
          frame.name.starts_with("Thread ("))
        return {.shown = false};
      if (frame.name.starts_with("Process")) {
        take_process(frame.name);
        return {.shown = false};
      }
      if (frame.name == "UNMANAGED_CODE_TIME") return {.id = outside_frame(maker_), .outside = true};
    }
    if (const auto method = method_of_trace(frame.name); method && frame.file.empty())
      return managed(method->method, method->module + ".dll");
    const std::string& module = frame.module.empty() ? frame.file : frame.module;
    if (is_assembly(module))
      if (const auto name = split_name(frame.name)) return managed(*name, module);
    if (is_outside_frame(frame.name)) return {.id = outside_frame(maker_)};
    return {.id = maker_.native(frame.name, frame.name.starts_with('[') && !is_library(module) ? "" : module)};
  }

  // "Process64 dotnet (4711) Args: Shop.dll"
  void take_process(const std::string& name) {
    constexpr std::string_view kArguments = " Args: ";
    const size_t arguments = name.find(kArguments), begin = name.find(' ');
    const std::string process = name.substr(0, arguments);
    const size_t end = process.rfind(" (");
    if (end == std::string::npos || begin >= end) return;
    if (const uint64_t pid = id_in_name(process); pid != 0)
      maker_.properties.emplace_back(log::property::kPid, std::to_string(pid));
    std::string command = process.substr(begin + 1, end - begin - 1);
    if (arguments != std::string::npos) command += ' ' + name.substr(arguments + kArguments.size());
    maker_.properties.emplace_back(log::property::kCommand, command);
  }

  Frame managed(const ManagedName& name, const std::string& module) {
    return {.kind = log::FrameKind::kManaged,
            .id = method_id(name, module, maker_),
            .waits = only_waits(name),
            .stops = stops_for_samples(name)};
  }

  // A node of the log, and the frame that it ends with.
  struct Node {
    uint64_t id = 0;
    uint32_t frame = kNoFrame;
  };
  Node node_of(const ScopeNode& told) {
    const Node& above = nodes_[told.parent];
    if (told.frame >= frames_.size()) {
      ++unknown_frames_;
      return above;
    }
    const Frame& frame = frames_[told.frame];
    if (!frame.shown) return above;
    uint64_t id = frame.id;
    if (frame.outside && above.frame != kNoFrame) {
      if (frames_[above.frame].stops) return above;
      if (frames_[above.frame].waits) id = waiting_frame(maker_);
    }
    return {maker_.node(above.id, frame.kind, id), told.frame};
  }

  void write_profile(const ScopeProfile& profile) {
    if (profile.samples.empty()) return;
    if (!is_of_unit(profile))
      return maker_.leave_out("profile of another unit than the first", "profiles of another unit than the first");
    const uint64_t os_id = id_in_name(profile.name);
    const bool is_named = !(is_of_runtime_ && os_id != 0);
    const uint64_t thread = maker_.thread(os_id, is_named ? name_of(profile.name, os_id) : "", is_of_runtime_);
    double left = 0;  // less than a period, of samples before
    uint64_t until = 0;
    for (const ScopeSample& sample : profile.samples) {
      const double weight = sample.weight * scale(profile);
      if (!(weight >= 0 && weight < kMostWeight)) {
        maker_.leave_out("sample whose weight is negative or too large",
                         "samples whose weight is negative or too large");
        continue;
      }
      if (!is_whole(weight / period_) && file_.hz == 0) ++rounded_;
      left += weight / period_;
      const double periods = std::round(left);
      if (periods < 1) continue;
      left -= periods;
      maker_.sample(thread, since_begin(sample.at, profile), nodes_[sample.node].id, static_cast<uint64_t>(periods));
      until = std::max(until, since_begin(sample.at + sample.weight, profile));
    }
    if (!is_time_) return;
    if (until > 0) maker_.thread_until(thread, until);
    maker_.seen_until(since_begin(profile.until, profile));
  }

  uint64_t since_begin(double at, const ScopeProfile& profile) const {
    return is_time_ ? static_cast<uint64_t>(std::clamp(at * scale(profile) - begin_, 0.0, kMostWeight)) : 0;
  }

  // "Worker" of "Worker (4711)".
  static std::string name_of(const std::string& name, uint64_t os_id) {
    const size_t open = os_id == 0 ? std::string::npos : name.rfind(" (");
    return name.substr(0, open);
  }

  void describe() {
    using namespace log::property;
    const bool of_oriel = file_.mode == "process" || file_.mode == "real";
    if (of_oriel && !file_.name.empty()) maker_.properties.emplace_back(kCommand, file_.name);
    const bool known = of_oriel || (is_time_ && is_sampled_ && is_of_runtime_);
    maker_.properties.emplace_back(kSamplingMode, of_oriel                     ? file_.mode
                                                  : is_of_runtime_ && is_time_ ? "real"
                                                                               : "weights");
    const bool in_parts = !is_time_ && !part_.empty();
    if (!known) maker_.properties.emplace_back(kWeightsOf, in_parts ? unit_ + ", in " + part_ : unit_);
    const double hz = is_time_ ? 1e9 / period_ : 0;
    if (hz >= 0.5) maker_.properties.emplace_back(kSamplingHz, std::to_string(std::llround(hz)));
  }

  void leave_out() {
    maker_.leave_out("sample with an empty stack (idle)", "samples with an empty stack (idle)", file_.idle);
    maker_.leave_out("end of a frame that is not open", "ends of frames that are not open", file_.not_open);
    maker_.leave_out("frame that was open when its caller ended", "frames that were open when their callers ended",
                     file_.overtaken);
    maker_.leave_out("event's step back in time", "events' steps back in time", file_.backwards);
    maker_.leave_out("use of a frame that is not in the file", "uses of frames that are not in the file",
                     unknown_frames_);
    const std::string parts = " to whole " + (part_.empty() ? "numbers" : part_) + ", what is left going to the next";
    maker_.leave_out("weight rounded" + parts, "weights rounded" + parts, rounded_);
  }

  const ScopeFile& file_;
  LogMaker& maker_;
  const bool is_of_runtime_;
  bool is_time_ = false, is_sampled_ = false;
  std::string unit_;  // as the file has it; "time"
  std::string part_;  // in which weights are counted, "" for whole ones
  double begin_ = 0, period_ = 1;
  std::vector<Frame> frames_;
  std::vector<Node> nodes_;
  uint64_t unknown_frames_ = 0, rounded_ = 0;
};

}  // namespace

bool is_speedscope(std::string_view beginning) {
  const size_t first = beginning.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || beginning[first] != '{') return false;
  return beginning.find("speedscope.app/file-format-schema.json") != std::string_view::npos ||
         (beginning.find("\"shared\"") != std::string_view::npos &&
          beginning.find("\"frames\"") != std::string_view::npos);
}

Status parse_speedscope(std::string_view text, LogMaker& maker) {
  ScopeFile file;
  ScopeReader reader(file);
  if (!Json::sax_parse(text.begin(), text.end(), &reader))
    return Status::error(reader.problem().empty() ? "it is no JSON" : reader.problem());
  if (file.profiles.empty()) return Status::error("it has no profiles");
  return ScopeWriter(file, maker).write();
}

Status read_speedscope(const InputFile& file, LogMaker& maker, const ImportOptions&) {
  std::string text(file.size(), '\0');
  if (!file.read(0, text.data(), text.size())) return Status::error("it changes while it is read");
  return parse_speedscope(text, maker);
}

}  // namespace oriel::imports
