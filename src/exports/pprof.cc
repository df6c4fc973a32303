// pprof: samples summed by thread and stack, with thread labels; gzipped.
#include <algorithm>
#include <limits>
#include <map>
#include <ostream>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "exports/export.h"
#include "exports/frames.h"
#include "exports/pprof_profile.h"
#include "exports/text.h"
#include "pdb/find.h"

namespace oriel::exports {
namespace {

class PprofBuilder {
 public:
  explicit PprofBuilder(const profile::Profile& profile)
      : profile_(profile),
        frames_(make_frames(profile)),
        lines_(profile, pdb::symbol_folders()),
        function_of_(frames_.frames.size(), 0) {
    add_files(profile, lines_, frames_);
    string("");
  }

  pprof::Profile build() {
    add_header();
    const std::vector<std::string> labels = thread_labels(profile_);
    for (const Weight& weight : sum_samples(profile_)) add_sample(weight, labels[weight.thread]);
    return std::move(out_);
  }

 private:
  int64_t string(const std::string& text) {
    const auto [at, is_new] = strings_.try_emplace(text, static_cast<int64_t>(strings_.size()));
    if (is_new) out_.strings.push_back(text);
    return at->second;
  }

  pprof::ValueType type(const char* name, const char* unit) {
    const int64_t named = string(name);
    return {named, string(unit)};
  }

  void add_header() {
    switch (profile_.unit) {
      case profile::Unit::kPeriods:
        add_sample_types();
        break;
      case profile::Unit::kNanoseconds:
        add_types("calls", "count", "time", "nanoseconds", "time");
        break;
      case profile::Unit::kBytes:
        add_types("alloc_objects", "count", "alloc_space", "bytes", "alloc_space");
        break;
      case profile::Unit::kBytesAlive:
        add_types("inuse_objects", "count", "inuse_space", "bytes", "inuse_space");
        break;
      case profile::Unit::kObjects:
        add_types("alloc_space", "bytes", "alloc_objects", "count", "alloc_objects");
        break;
    }
    const int64_t from = std::clamp<int64_t>(profile_.filter.from_ns, 0, profile_.wall_ns);
    const int64_t to = std::clamp(profile_.filter.to_ns, from, profile_.wall_ns);
    out_.time_nanos = profile_.start_unix_us * 1000 + from;
    out_.duration_nanos = to - from;
    out_.comments.push_back(string(title_of(profile_)));
  }

  // For a weighed profile: a second measure, and the weight.
  void add_types(const char* first, const char* first_unit, const char* second, const char* second_unit,
                 const char* usual) {
    out_.sample_types.push_back(type(first, first_unit));
    out_.sample_types.push_back(type(second, second_unit));
    out_.default_sample_type = string(usual);
  }

  void add_sample_types() {
    out_.sample_types.push_back(type("samples", "count"));
    out_.default_sample_type = string("samples");
    if (const uint64_t period = period_ns(profile_); period != 0) {
      const char* time = counts_cpu(profile_) ? "cpu" : "wall";
      out_.sample_types.push_back(type(time, "nanoseconds"));
      out_.period_type = type(time, "nanoseconds");
      out_.period = static_cast<int64_t>(period);
      out_.default_sample_type = string(time);
    }
  }

  void add_values(const Weight& weight, pprof::Sample& sample) {
    if (profile_.unit != profile::Unit::kPeriods) {
      sample.values.push_back(static_cast<int64_t>(profile_.node_counts[weight.node]));
      sample.values.push_back(static_cast<int64_t>(weight.periods));
      return;
    }
    sample.values.push_back(static_cast<int64_t>(weight.periods));
    if (const uint64_t period = period_ns(profile_); period != 0)
      sample.values.push_back(static_cast<int64_t>(weight.periods * period));
  }

  // Covers all memory from 0, so that readers treat addresses as link-time addresses.
  uint64_t mapping(const std::string& file, const std::string& build_id) {
    if (file.empty()) return 0;
    const auto [at, is_new] = mappings_.try_emplace({file, build_id}, mappings_.size() + 1);
    if (is_new) {
      pprof::Mapping& mapping = out_.mappings.emplace_back();
      mapping.id = at->second;
      mapping.file = string(file);
      mapping.build_id = string(build_id);
      mapping.memory_limit = std::numeric_limits<uint64_t>::max();
      // Makes readers keep the names, without searching for the file.
      mapping.has_functions = true;
    }
    return at->second;
  }

  // Native code maps to the loaded file, where readers find its symbols.
  uint64_t mapping(const Frame& frame, const profile::Position& position) {
    if (position.address == 0) return mapping(frame.module, "");
    const profile::Image& image = profile_.places.images[position.image];
    return mapping(image.path.empty() ? frame.module : clean_text(image.path), image.build_id);
  }

  // One function per frame, made on first use.
  uint64_t function(uint32_t frame_index) {
    uint64_t& id = function_of_[frame_index];
    if (id != 0) return id;
    const Frame& frame = frames_.frames[frame_index];
    pprof::Function& function = out_.functions.emplace_back();
    id = out_.functions.size();
    function.id = id;
    function.name = string(frame.name);
    function.system_name = string(frame.raw_name.empty() ? frame.name : frame.raw_name);
    function.file = string(frame.file.empty() ? frame.module : frame.file);
    function.start_line = frame.line;
    return id;
  }

  // One location per line of a frame, or per native function in it; else one for the frame.
  uint64_t location(uint32_t frame_index, uint32_t position_index) {
    const profile::Position& position = profile_.places.positions[position_index];
    const uint32_t line_number = lines_.of(position_index).line;
    const uint64_t in_image = mapping(frames_.frames[frame_index], position);
    const auto [known, is_new] =
        locations_.try_emplace({frame_index, line_number, in_image, position.address}, locations_.size() + 1);
    if (!is_new) return known->second;
    pprof::Location& location = out_.locations.emplace_back();
    location.id = known->second;
    location.mapping = in_image;
    location.address = position.address;
    location.function = function(frame_index);
    location.line = line_number;
    return known->second;
  }

  void add_sample(const Weight& weight, const std::string& thread) {
    stack_of(profile_, frames_, weight.node, stack_);
    pprof::Sample& sample = out_.samples.emplace_back();
    uint32_t node = weight.node;  // the root, which has no position, if a frame stands for unknown callers
    for (auto frame = stack_.rbegin(); frame != stack_.rend(); ++frame) {
      sample.locations.push_back(location(*frame, profile_.nodes[node].position));
      node = profile_.nodes[node].parent;
    }
    add_values(weight, sample);
    pprof::Label& name = sample.labels.emplace_back();
    name.key = string("thread");
    name.text = string(thread);
    pprof::Label& id = sample.labels.emplace_back();
    id.key = string("tid");
    id.number = static_cast<int64_t>(profile_.threads[weight.thread].os_id);
  }

  const profile::Profile& profile_;
  FrameTable frames_;
  lines::Lines lines_;
  pprof::Profile out_;
  std::unordered_map<std::string, int64_t> strings_;
  std::map<std::pair<std::string, std::string>, uint64_t> mappings_;  // by file and build id
  std::vector<uint64_t> function_of_;                                 // by frame; 0: not made yet
  // By frame, line, mapping and address.
  std::map<std::tuple<uint32_t, uint32_t, uint64_t, uint64_t>, uint64_t> locations_;
  std::vector<uint32_t> stack_;
};

Status write_pprof(const profile::Profile& profile, const Options&, std::ostream& out) {
  const Result<pprof::Profile> message = make_pprof(profile);
  if (!message) return message.status();
  const Result<std::string> packed = pack_pprof(*message);
  if (!packed) return packed.status();
  out.write(packed->data(), static_cast<std::streamsize>(packed->size()));
  return Status::ok();
}

}  // namespace

Result<pprof::Profile> make_pprof(const profile::Profile& profile) {
  if (Status status = check_profile(profile); !status) return status;
  return PprofBuilder(profile).build();
}

extern const Export kPprofExport = {
    .name = "pprof",
    .description = "gzipped protobuf for `go tool pprof` and other readers",
    .extension = ".pb.gz",
    .binary = true,
    .write = write_pprof,
};

}  // namespace oriel::exports
