#include "report/dump/dump_fields.h"

#include <fmt/format.h>

#include <bit>
#include <iterator>

#include "report/words/function_name.h"
#include "report/words/hits_text.h"

namespace oriel::report {

using log::FieldKind;

namespace {

// The key of an id beside its name's: "method_id", "site_id"; of most kinds an event has only one. "" of what is no id.
std::string id_key(FieldKind kind, const char* name) {
  switch (kind) {
    case FieldKind::kDomain:
      return "domain_id";
    case FieldKind::kAssembly:
      return "assembly_id";
    case FieldKind::kImage:
      return "image_id";
    case FieldKind::kClass:
    case FieldKind::kObject:
      return "class_id";
    case FieldKind::kMethod:
      return std::string(name) + "_id";
    case FieldKind::kThread:
      return "which_id";
    default:
      return "";
  }
}

// Of a field in ticks: "took_ns" of "ticks", "long_ns" of "long_ticks".
std::string time_key(std::string_view name) {
  constexpr std::string_view kTicks = "ticks";
  const std::string_view what = name.substr(0, name.size() - kTicks.size());
  return what.empty() ? "took_ns" : std::string(what) + "ns";
}

std::string file_of(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

}  // namespace

std::string DumpFields::name_of(FieldKind kind, uint64_t id) const {
  const profile::Names& names = survey_.names();
  switch (kind) {
    case FieldKind::kImage:
      return names.image_name(id);
    case FieldKind::kClass:
    case FieldKind::kObject:
      return names.class_name(id);
    case FieldKind::kMethod:
      return names.method_name(id);
    case FieldKind::kLibrary:
      return file_of(names.library(id).path);
    case FieldKind::kNative:
      return names.native_name(id);
    case FieldKind::kThread:
      return thread_label(survey_.thread(id));
    default:
      return "";
  }
}

void DumpFields::integer(const char* name, uint64_t value, const char*, FieldKind kind) {
  switch (kind) {
    case FieldKind::kThread:
      line_->thread_id = value;
      line_->thread = name_of(kind, value);
      return;
    case FieldKind::kCounter:
      begin_ = value;
      line_->ns = survey_.ns(value);
      return;
    case FieldKind::kEnd:
      if (value >= begin_) last_.add("took_ns", static_cast<uint64_t>(survey_.ns(value) - survey_.ns(begin_)));
      return;
    case FieldKind::kTicks:
      return line_->add(time_key(name), static_cast<uint64_t>(survey_.duration_ns(value)));
    case FieldKind::kPeriods:
      if (value != 1) line_->add(name, value);
      return;
    case FieldKind::kFlag:
      return line_->add_flag(name, value != 0);
    case FieldKind::kLoaded:
      return add_loaded(value);
    case FieldKind::kNode:
      return add_stack(name, value);
    case FieldKind::kCoverageImage:
      return line_->add(name, coverage_images_[value]);
    case FieldKind::kLibrary:
      if (value != 0) last_.add(name, name_of(kind, value));
      return;
    case FieldKind::kClass:
    case FieldKind::kImage:
    case FieldKind::kMethod:
      if (value != 0) line_->add(name, name_of(kind, value));  // else there is none
      return;
    default:
      return line_->add(name, value);
  }
}

void DumpFields::string(const char* name, const std::string& value, const char*, FieldKind kind) {
  if (kind != FieldKind::kRawName || !value.empty()) line_->add(name, value);
}

void DumpFields::add_loaded(uint64_t bits) {
  constexpr const char* kKinds[] = {"module", "assembly", "domain"};
  for (size_t bit = 0; bit < std::size(kKinds); ++bit)
    if (bits & (1u << bit)) line_->add("what", std::string(kKinds[bit]));
  last_.add_flag("failed", (bits & log::kLoadFailure) != 0);
}

void DumpFields::add_stack(const char* name, uint64_t node) {
  DumpStacks::Stack stack = stacks_.stack(node, survey_.names());
  line_->add(name, std::move(stack.frames));
  if (stack.broken) line_->add_flag("callers_missing", true);
}

void DumpFields::list(const char* name, const std::vector<uint64_t>& ids, log::Ending, const char*, FieldKind kind) {
  std::vector<std::string> names;
  for (const uint64_t id : ids) names.push_back(name_of(kind, id));
  line_->add(name, std::move(names));
}

void DumpFields::list(const char*, const std::vector<std::pair<std::string, std::string>>& properties, log::Ending,
                      const char*, FieldKind) {
  for (const auto& [key, value] : properties) line_->add(key, value);
}

void DumpFields::list(const char* name, const std::vector<log::CoverageHit>& points, log::Ending, const char*,
                      FieldKind) {
  line_->add(name, hits_text(points));
}

void DumpFields::list(const char* name, const std::vector<log::CallAllocation>& allocations, log::Ending, const char*,
                      FieldKind) {
  std::string text;
  for (const log::CallAllocation& one : allocations)
    text += fmt::format("{}{} {} ({} bytes)", text.empty() ? "" : ", ", one.objects,
                        name_of(FieldKind::kClass, one.klass), one.bytes);
  line_->add(name, std::move(text));
}

void DumpFields::list(const char*, const std::vector<log::CoverageImage>& images, log::Ending, const char*, FieldKind) {
  for (const log::CoverageImage& image : images) coverage_images_[image.number] = image.name;
}

void DumpFields::values(const log::Event& event) {
  const auto& described = log::describe_event(event.number)->fields;
  for (size_t i = 0; i < described.size() && i < event.value_count; ++i)
    if (described[i].kind != FieldKind::kContext) add_event_value(described[i].kind, described[i].name, event, i);
}

// Ids have their names beside them: "method" is the name, "method_id" the id.
void DumpFields::add_event_value(FieldKind kind, const char* name, const log::Event& event, size_t index) {
  const uint64_t value = event.values[index];
  if (kind == FieldKind::kText) return line_->add(name, std::string(event.text));
  if (kind == FieldKind::kFlag) return line_->add_flag(name, value != 0);
  if (kind == FieldKind::kNumber) return line_->add(name, fmt::format("{}", std::bit_cast<double>(value)));
  if (kind == FieldKind::kAddress) return line_->add(name, fmt::format("{:#x}", value));
  const std::string_view enumerator = log::enumerator_name(kind, value);
  if (!enumerator.empty()) return line_->add(name, std::string(enumerator));
  const std::string id = id_key(kind, name);
  if (!id.empty() && value == 0) return;  // there is none
  if (kind == FieldKind::kClauseIndex && value == log::kNoClauseIndex) return;
  // "thread" is the key of the thread that an event happened on.
  if (std::string known = name_of(kind, value); !known.empty())
    line_->add(kind == FieldKind::kThread ? "which" : name, std::move(known));
  line_->add(id.empty() ? name : id, value);
}

void DumpFields::finish() {
  line_->fields.insert(line_->fields.end(), std::make_move_iterator(last_.fields.begin()),
                       std::make_move_iterator(last_.fields.end()));
}

}  // namespace oriel::report
