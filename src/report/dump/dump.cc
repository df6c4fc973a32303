// Every record of a log as a line. Two passes over the file: the first for clock, names and threads, the second writes.
#include <limits>
#include <map>
#include <set>

#include "log/counters_file.h"
#include "report/dump/dump_line.h"
#include "report/dump/dump_survey.h"
#include "report/dump/event_line.h"
#include "report/dump/record_fields.h"
#include "report/report.h"
#include "report/words/function_name.h"

namespace oriel::report {

using profile::Filter;

namespace {

class DumpWriter : public log::EventSink {
 public:
  DumpWriter(const DumpSurvey& survey, const Filter& filter, const Options& options, std::ostream& out)
      : survey_(survey),
        names_(survey.names()),
        filter_(filter),
        json_(options.json),
        left_(options.limit == 0 ? std::numeric_limits<size_t>::max() : options.limit),
        everything_(filter.thread.empty() && filter.method.empty() && filter.from_ns <= 0 &&
                    filter.to_ns == std::numeric_limits<int64_t>::max()),
        out_(out) {}

  // Records as the log has them.
  void on_image(const log::ImageName& image) override { write_fields("image", image); }
  void on_image_origin(const log::ImageOrigin& origin) override { write_fields("origin", origin); }
  void on_image_symbols(const log::ImageSymbols& symbols) override { write_fields("symbols", symbols); }
  void on_unoptimized_image(const log::UnoptimizedImage& image) override { write_fields("unoptimized", image); }
  void on_method_definition(const log::MethodDefinition& method) override { write_fields("definition", method); }
  void on_method_box(const log::MethodBox& box) override { write_fields("box", box); }
  void on_library(const log::LibraryName& library) override { write_fields("library", library); }
  void on_library_build(const log::LibraryBuild& build) override { write_fields("build", build); }
  void on_native_address(const log::NativeAddress& address) override { write_fields("address", address); }
  void on_process(const log::ProcessUsage& usage) override { write_fields("process", usage, &usage.clock); }
  void on_lost(const log::Lost& lost) override { write_fields("lost", lost); }
  void on_counter(const log::Counter& counter) override { write_fields("counter", counter); }

  // With names in place of ids, times in place of counters, or several lines.
  void on_intro(const log::Intro& intro) override;
  void on_load(const log::Load& load) override;
  void on_class(const log::ClassName& klass) override;
  void on_method(const log::MethodName& method) override;
  void on_native(const log::NativeName& native) override;
  void on_thread(const log::ThreadName& thread) override;
  void on_event(const log::Event& event) override;
  void on_stack_node(const log::StackNode& node) override { nodes_.at(node.id) = node; }
  void on_sample(uint64_t thread, const log::Sample& sample) override;
  void on_statistical(const log::Statistical& hits) override;
  void on_compiling(uint64_t thread, const log::Compiling& compiling) override;
  void on_coverage(const log::Coverage& coverage) override;
  void on_end(const log::End& end) override;
  void on_problem(uint64_t offset, const std::string& message) override;

  // Of the file beside the log, what the log does not have.
  void add_counters(const std::vector<log::Coverage>& periods);

  // Whether the filter left no line.
  bool chose_nothing() const { return !everything_ && !wrote_; }

 private:
  bool in_time(uint64_t counter) const;
  DumpLine line(std::string_view kind, uint64_t thread, uint64_t counter) const;
  std::vector<std::string> stack(uint64_t node, bool& broken) const;
  void add_stack(uint64_t node, DumpLine& line) const;
  void write(const DumpLine& line);
  // What is about the whole log, and not wanted by who asks for a part of it.
  void write_record(const DumpLine& line) {
    if (everything_) write(line);
  }

  template <typename Record>
  void write_fields(std::string_view kind, const Record& record, const ClockPair* when = nullptr) {
    DumpLine line;
    line.kind = kind;
    if (when != nullptr) line.ns = survey_.ns(when->counter);
    RecordFields to(line);
    fields(to, record);
    write_record(line);
  }

  const DumpSurvey& survey_;
  const profile::Names& names_;
  const Filter& filter_;
  bool json_;
  size_t left_;  // lines
  bool everything_;
  bool wrote_ = false;
  std::ostream& out_;
  profile::IdMap<log::StackNode> nodes_;
  std::set<uint64_t> covered_periods_;
};

void DumpWriter::write(const DumpLine& line) {
  wrote_ = true;
  if (left_ == 0) return;
  --left_;
  json_ ? write_json_line(line, out_) : write_text_line(line, out_);
}

bool DumpWriter::in_time(uint64_t counter) const {
  const int64_t ns = survey_.ns(counter);
  return ns >= filter_.from_ns && ns <= filter_.to_ns;
}

DumpLine DumpWriter::line(std::string_view kind, uint64_t thread, uint64_t counter) const {
  DumpLine line;
  line.kind = kind;
  line.ns = survey_.ns(counter);
  line.thread_id = thread;
  line.thread = thread_label(survey_.thread(thread));
  return line;
}

void DumpWriter::on_intro(const log::Intro& intro) {
  DumpLine line;
  line.kind = "intro";
  line.ns = 0;
  line.add("version", intro.version);
  line.add("runtime", intro.runtime);
  line.add("unix_us", intro.clock.unix_us);
  for (const auto& [key, value] : intro.properties) line.add(key, value);
  write_record(line);
}

void DumpWriter::on_load(const log::Load& load) {
  DumpLine entry = line(load.unload ? "unloaded" : "loaded", load.thread, load.start_counter);
  const char* kinds[] = {"module", "assembly", "domain"};
  for (size_t bit = 0; bit < std::size(kinds); ++bit)
    if (load.kind & (1u << bit)) entry.add("what", std::string(kinds[bit]));
  entry.add("name", load.name);
  entry.add_flag("failed", (load.kind & log::kLoadFailure) != 0);
  if (load.end_counter >= load.start_counter)
    entry.add("took_ns", static_cast<uint64_t>(survey_.ns(load.end_counter) - survey_.ns(load.start_counter)));
  if (in_time(load.start_counter) && survey_.wants_thread(load.thread) &&
      (filter_.method.empty() || entry.mentions(filter_.method)))
    write(entry);
}

void DumpWriter::on_class(const log::ClassName& klass) {
  DumpLine line;
  line.kind = "class";
  line.add("id", klass.id);
  line.add("name", klass.name);
  line.add("instance_size", klass.instance_size);
  if (klass.image != 0) line.add("image", names_.image_name(klass.image));
  write_record(line);
}

void DumpWriter::on_method(const log::MethodName& method) {
  DumpLine line;
  line.kind = "method";
  line.add("id", method.id);
  line.add("name", names_.method_name(method.id));
  if (!method.raw_name.empty()) line.add("raw_name", method.raw_name);
  write_record(line);
}

void DumpWriter::on_native(const log::NativeName& native) {
  DumpLine line;
  line.kind = "native";
  line.add("id", native.id);
  line.add("name", names_.native_name(native.id));
  if (native.library != 0) line.add("library", names_.native(native.id).module);
  write_record(line);
}

void DumpWriter::on_thread(const log::ThreadName& thread) {
  DumpLine line;
  line.kind = "thread";
  line.thread_id = thread.id;
  line.thread = thread_label(survey_.thread(thread.id));
  line.add("os_id", thread.os_id);
  line.add_flag("managed", thread.managed);
  line.add("name", thread.name);
  write_record(line);
}

void DumpWriter::on_event(const log::Event& event) {
  if (!survey_.wants_thread(event.thread) || !in_time(event.counter)) return;
  DumpLine entry = line(log::describe_event(event.number)->name, event.thread, event.counter);
  add_event_fields(event, names_, survey_, entry);
  if (event.stack != 0) add_stack(event.stack, entry);
  if (filter_.method.empty() || entry.mentions(filter_.method)) write(entry);
}

// The names of a stack's frames, innermost first. A parent's id is less than its child's in any honest log.
std::vector<std::string> DumpWriter::stack(uint64_t id, bool& broken) const {
  std::vector<std::string> frames;
  const log::StackNode* node = nodes_.find(id);
  while (node) {
    frames.push_back(node->kind == log::FrameKind::kManaged ? names_.method_name(node->frame)
                                                            : names_.native_name(node->frame));
    broken = broken || node->truncated;
    if (node->parent == 0) return frames;
    node = node->parent < node->id ? nodes_.find(node->parent) : nullptr;
  }
  frames.push_back("[callers not in the log]");
  return frames;
}

void DumpWriter::add_stack(uint64_t node, DumpLine& line) const {
  bool broken = false;
  line.add("stack", node == 0 ? std::vector<std::string>{} : stack(node, broken));
  if (broken) line.add_flag("callers_missing", true);
}

void DumpWriter::on_sample(uint64_t thread, const log::Sample& sample) {
  if (!survey_.wants_thread(thread) || !in_time(sample.counter)) return;
  DumpLine entry = line("sample", thread, sample.counter);
  if (sample.periods != 1) entry.add("periods", sample.periods);
  add_stack(sample.node, entry);
  if (filter_.method.empty() || entry.mentions(filter_.method)) write(entry);
}

void DumpWriter::on_compiling(uint64_t thread, const log::Compiling& compiling) {
  if (!survey_.wants_thread(thread) || !in_time(compiling.counter)) return;
  DumpLine entry = line("compiling", thread, compiling.counter);
  entry.add("method", names_.method_name(compiling.method));
  entry.add_flag("again", compiling.again);
  if (compiling.periods != 1) entry.add("periods", compiling.periods);
  if (filter_.method.empty() || entry.mentions(filter_.method)) write(entry);
}

void DumpWriter::on_statistical(const log::Statistical& hits) {
  if (!in_time(hits.start) || !filter_.thread.empty()) return;
  DumpLine line;
  line.kind = "statistical";
  line.ns = survey_.ns(hits.start);
  if (hits.end >= hits.start) line.add("took_ns", static_cast<uint64_t>(survey_.ns(hits.end) - *line.ns));
  std::vector<std::string> names;
  for (const uint64_t id : hits.methods) names.push_back(names_.method_name(id));
  line.add("methods", std::move(names));
  names.clear();
  for (const uint64_t id : hits.natives) names.push_back(names_.native_name(id));
  line.add("natives", std::move(names));
  if (filter_.method.empty() || line.mentions(filter_.method)) write(line);
}

// A method a line. Its points: 12:3, what begins at offset 12 ran three times; 12/1:3, so often a branch there went the
// second way.
void DumpWriter::on_coverage(const log::Coverage& coverage) {
  covered_periods_.insert(coverage.period);
  std::map<uint64_t, std::string> images;
  for (const log::CoverageImage& image : coverage.images) images[image.number] = image.name;
  for (const log::CoveredMethod& method : coverage.methods) {
    std::string points;
    for (const log::CoveragePoint& point : method.points) {
      const std::string outcome = point.is_outcome ? "/" + std::to_string(point.outcome) : "";
      if (!points.empty()) points += ' ';
      points += std::to_string(point.il) + outcome + ":" + std::to_string(point.count);
    }
    DumpLine line;
    line.kind = "coverage";
    line.add("label", coverage.label);
    line.add("period", coverage.period);
    line.add_flag("counts", coverage.counts);
    line.add("image", images[method.image]);
    line.add("row", method.row);
    line.add("name", method.name);
    line.add("points", std::move(points));
    write_record(line);
  }
}

void DumpWriter::add_counters(const std::vector<log::Coverage>& periods) {
  const std::set<uint64_t> in_log = covered_periods_;
  for (const log::Coverage& block : periods)
    if (!in_log.contains(block.period)) on_coverage(block);
}

void DumpWriter::on_end(const log::End& end) {
  DumpLine line;
  line.kind = "end";
  line.ns = survey_.ns(end.clock.counter);
  line.add("unix_us", end.clock.unix_us);
  write_record(line);
}

void DumpWriter::on_problem(uint64_t offset, const std::string& message) {
  DumpLine line;
  line.kind = "problem";
  line.add("offset", offset);
  line.add("message", message);
  write(line);
}

}  // namespace

Status write_dump(const std::string& path, const Filter& filter, const Options& options, std::ostream& out) {
  // Read first: it goes once the log has all of it.
  const Result<std::vector<log::Coverage>> counters = log::read_counters_beside(path);
  DumpSurvey survey;
  if (const auto outcome = log::decode_file(path, survey); !outcome) return outcome.status();
  if (Status status = survey.finish(filter.thread); !status) return status;
  DumpWriter writer(survey, filter, options, out);
  if (const auto outcome = log::decode_file(path, writer); !outcome) return outcome.status();
  if (counters)
    writer.add_counters(*counters);
  else
    writer.on_problem(0, log::counters_file_of(path) + " is left out: " + counters.message());
  if (writer.chose_nothing()) return Status::error("nothing in the log is of this time and method");
  out.flush();
  return out.good() ? Status::ok() : Status::error("the dump could not be written: is the disk full?");
}

extern const Report kDumpReport = {
    .name = "dump",
    .help = "every record and event as a line",
    .stream = write_dump,
};

}  // namespace oriel::report
