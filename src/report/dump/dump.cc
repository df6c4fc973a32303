// Every record of a log as a line. Two passes over the file: the first for clock, names and threads, the second writes.
#include <limits>
#include <set>

#include "imports/imports.h"
#include "log/counters_file.h"
#include "report/dump/dump_fields.h"
#include "report/dump/dump_line.h"
#include "report/dump/dump_stacks.h"
#include "report/dump/dump_survey.h"
#include "report/report.h"

namespace oriel::report {

using profile::Filter;

namespace {

class DumpWriter : public log::EventSink {
 public:
  DumpWriter(const DumpSurvey& survey, const Filter& filter, const Options& options, std::ostream& out)
      : survey_(survey),
        filter_(filter),
        json_(options.json),
        left_(options.limit == 0 ? std::numeric_limits<size_t>::max() : options.limit),
        everything_(filter.thread.empty() && filter.method.empty() && filter.from_ns <= 0 &&
                    filter.to_ns == std::numeric_limits<int64_t>::max()),
        out_(out) {}

#define ORIEL_BLOCK(code, symbol, name, since, Record, doc)
#define ORIEL_PLAIN_BLOCK(code, symbol, name, since, Record, doc) \
  void on_##name(const log::Record& record) override { tell(#name, record); }
#include "log/blocks.def"
#define ORIEL_RECORD(function, name, Record) \
  void on_##function(const log::Record& record) override { tell(#name, record); }
#include "log/records.def"
  void on_event(const log::Event& event) override { tell(log::describe_event(event.number)->name, event); }
  void on_stack_node(const log::StackNode& node) override { stacks_.add(node); }
  void on_sample(uint64_t thread, const log::Sample& sample) override { tell("sample", sample, on_thread(thread)); }
  void on_compiling(uint64_t thread, const log::Compiling& compiling) override {
    tell("compiling", compiling, on_thread(thread));
  }
  void on_coverage(const log::Coverage& coverage) override;
  void on_problem(uint64_t offset, const std::string& message) override;

  // Of the file beside the log, what the log does not have.
  void add_counters(const std::vector<log::Coverage>& periods);

  // Whether the filter left no line.
  bool chose_nothing() const { return !everything_ && !wrote_; }

 private:
  static Moment on_thread(uint64_t thread) {
    Moment moment;
    moment.thread = thread;
    return moment;
  }

  // A line with the record's fields. `moment`: when and where it happened, as far as the record does not say itself.
  template <typename Record>
  void tell(std::string_view kind, const Record& record, const Moment& moment = {});
  void tell(std::string_view kind, const log::CallGraph& graph);
  void tell(std::string_view kind, const log::CallNode& node) { tell<log::CallNode>(kind, node, graph_); }
  void tell(std::string_view kind, const log::CallTiming& timing) { tell<log::CallTiming>(kind, timing, graph_); }
  void tell(std::string_view kind, const log::CallEntries& entries) { tell<log::CallEntries>(kind, entries, graph_); }
  void tell(std::string_view kind, const log::Load& load);
  void tell(std::string_view kind, const log::MethodName& method);
  void tell(std::string_view kind, const log::NativeName& native);
  void tell(std::string_view kind, const log::HeapSnapshot& heap);
  void tell(std::string_view kind, const log::HeapDetails& details);

  bool shows(const Moment& moment) const;
  void write(const DumpLine& line);

  const DumpSurvey& survey_;
  const Filter& filter_;
  bool json_;
  size_t left_;  // lines
  bool everything_;
  bool wrote_ = false;
  std::ostream& out_;
  DumpStacks stacks_;
  Moment graph_;  // of the present call graph
  std::set<uint64_t> covered_periods_;
};

void DumpWriter::write(const DumpLine& line) {
  wrote_ = true;
  if (left_ == 0) return;
  --left_;
  json_ ? write_json_line(line, out_) : write_text_line(line, out_);
}

// What is about the whole log is not wanted by who asks for a part of it.
bool DumpWriter::shows(const Moment& moment) const {
  if (!moment.counter) return everything_;
  const int64_t ns = survey_.ns(*moment.counter);
  return ns >= filter_.from_ns && ns <= filter_.to_ns &&
         (moment.thread ? survey_.wants_thread(*moment.thread) : filter_.thread.empty());
}

template <typename Record>
void DumpWriter::tell(std::string_view kind, const Record& record, const Moment& moment) {
  Moment its = moment;
  fields(its, record);
  if (!shows(its)) return;
  DumpLine line;
  line.kind = kind;
  DumpFields to(survey_, stacks_, line);
  if (moment.thread) to.integer("thread", *moment.thread, "", log::FieldKind::kThread);
  if (moment.counter) to.integer("counter", *moment.counter, "", log::FieldKind::kCounter);
  fields(to, record);
  to.finish();
  if (filter_.method.empty() || line.mentions(filter_.method)) write(line);
}

void DumpWriter::tell(std::string_view kind, const log::Load& load) {
  tell<log::Load>(load.unload ? "unloaded" : kind, load);
}

// Its nodes, timings and entries are of its time and thread.
void DumpWriter::tell(std::string_view kind, const log::CallGraph& graph) {
  graph_ = {};
  fields(graph_, graph);
  tell<log::CallGraph>(kind, graph);
}

// With its whole name, which says the class.
void DumpWriter::tell(std::string_view kind, const log::MethodName& method) {
  log::MethodName whole = method;
  whole.name = survey_.names().method_name(method.id);
  whole.klass = 0;
  tell<log::MethodName>(kind, whole);
}

// With what stands for a name where the log has none.
void DumpWriter::tell(std::string_view kind, const log::NativeName& native) {
  log::NativeName whole = native;
  whole.name = survey_.names().native_name(native.id);
  tell<log::NativeName>(kind, whole);
}

// Its types and roots, a line each, are of its time.
void DumpWriter::tell(std::string_view kind, const log::HeapSnapshot& heap) {
  tell<log::HeapSnapshot>(kind, heap);
  Moment moment;
  moment.counter = heap.counter;
  for (const log::HeapSpace& space : heap.spaces) tell<log::HeapSpace>("heap_space", space, moment);
  for (const log::HeapType& type : heap.types) tell<log::HeapType>("heap_type", type, moment);
  for (const log::HeapRoot& root : heap.roots) tell<log::HeapRoot>("heap_root", root, moment);
}

// Its types and texts, a line each.
void DumpWriter::tell(std::string_view, const log::HeapDetails& details) {
  for (const log::HeapTypeDetails& type : details.types) tell<log::HeapTypeDetails>("heap_type_details", type);
  for (const log::HeapText& text : details.texts) tell<log::HeapText>("heap_text", text);
}

// A method a line, each with what holds of all.
void DumpWriter::on_coverage(const log::Coverage& coverage) {
  covered_periods_.insert(coverage.period);
  if (!everything_) return;
  DumpLine common;
  common.kind = "coverage";
  DumpFields to(survey_, stacks_, common);
  fields(to, coverage);
  for (const log::MethodHits& method : coverage.methods) {
    DumpLine line = common;
    to.into(line);
    fields(to, method);
    write(line);
  }
}

void DumpWriter::add_counters(const std::vector<log::Coverage>& periods) {
  const std::set<uint64_t> in_log = covered_periods_;
  for (const log::Coverage& block : periods)
    if (!in_log.contains(block.period)) on_coverage(block);
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
  const Result<std::string> log = imports::log_of(path);
  if (!log) return log.status();
  DumpSurvey survey;
  if (const auto outcome = log::decode_file(*log, survey); !outcome) return outcome.status();
  if (Status status = survey.finish(filter.thread); !status) return status;
  DumpWriter writer(survey, filter, options, out);
  if (const auto outcome = log::decode_file(*log, writer); !outcome) return outcome.status();
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
