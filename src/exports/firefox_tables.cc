#include "exports/firefox_tables.h"

#include <algorithm>

#include "pdb/find.h"
#include "report/shares.h"

namespace oriel::exports {
namespace {

using Look = std::pair<const char*, const char*>;  // name and color

// Colors are of the viewer's own; grey is for what is not known.
Look look_of(profile::Category category) {
  using enum profile::Category;
  switch (category) {
    case kOwn:
      return {"Own code", "blue"};
    case kPackage:
      return {"Packages", "lightblue"};
    case kFramework:
      return {"Framework", "green"};
    case kGenerated:
      return {"Generated code", "brown"};
    case kJit:
    case kPgo:
    case kTiering:
      return {"JIT compiler", "yellow"};
    case kGc:
      return {"GC", "orange"};
    case kAllocation:
      return {"Allocation", "orange"};
    case kLocks:
      return {"Locks", "red"};
    case kExceptions:
      return {"Exceptions", "lightred"};
    case kTypes:
    case kLookups:
    case kCasts:
    case kStubs:
    case kSuspension:
    case kStart:
    case kRuntime:
      return {"Runtime", "purple"};
    case kWaiting:
      return {"Waiting", "transparent"};
    case kKernel:
      return {"Kernel", "magenta"};
    case kOriel:
    case kGuest:
      return {"Profilers", "darkgrey"};
    case kNative:
      return {"Native code", "magenta"};
    case kUnknown:
      return {"Other", "grey"};
  }
  return {"Other", "grey"};
}

profile::Category category_of(MomentKind kind) {
  switch (kind) {
    case MomentKind::kCollection:
    case MomentKind::kPause:
      return profile::Category::kGc;
    case MomentKind::kLockWait:
      return profile::Category::kLocks;
    case MomentKind::kException:
      return profile::Category::kExceptions;
    case MomentKind::kRequest:
      return profile::Category::kOwn;
    case MomentKind::kMark:
      return profile::Category::kUnknown;
  }
  return profile::Category::kUnknown;
}

// "name":[…] of a column, whose values `value` gives by row.
template <typename Rows, typename Value>
void write_column(const char* name, const Rows& rows, const Value& value, BufferedText& out) {
  out << '"' << name << "\":[";
  const char* separator = "";
  for (const auto& row : rows) {
    out << separator << value(row);
    separator = ",";
  }
  out << "],";
}

std::string or_null(uint32_t number) { return number == UINT32_MAX ? "null" : std::to_string(number); }

}  // namespace

void FirefoxStrings::write(BufferedText& out) const {
  out << '[';
  for (size_t i = 0; i < all_.size(); ++i) out << (i == 0 ? "" : ",") << json_string(*all_[i]);
  out << ']';
}

FirefoxCategories::FirefoxCategories(const std::vector<profile::Share>& purposes) {
  number(profile::Category::kUnknown);
  for (const profile::Share& share : purposes) {
    const uint32_t category = number(share.category);
    std::vector<std::string>& parts = all_[category].parts;
    const std::string name = clean_text(report::share_name(share));
    const auto known = std::ranges::find(parts, name);
    of_purpose_.emplace_back(category, known - parts.begin());
    if (known == parts.end()) parts.push_back(name);
  }
  for (size_t i = 0; i < kMomentKinds; ++i) number(static_cast<MomentKind>(i));
}

uint32_t FirefoxCategories::number(profile::Category category) {
  const auto [name, color] = look_of(category);
  const auto [at, is_new] = numbers_.try_emplace(name, static_cast<uint32_t>(all_.size()));
  if (is_new) all_.push_back({name, color});
  return at->second;
}

uint32_t FirefoxCategories::number(MomentKind kind) { return number(category_of(kind)); }

void FirefoxCategories::write(BufferedText& out) const {
  out << '[';
  for (size_t i = 0; i < all_.size(); ++i) {
    out << (i == 0 ? "" : ",") << "{\"name\":" << json_string(all_[i].name) << ",\"color\":\"" << all_[i].color
        << "\",\"subcategories\":[";
    for (size_t k = 0; k < all_[i].parts.size(); ++k) out << (k == 0 ? "" : ",") << json_string(all_[i].parts[k]);
    out << "]}";
  }
  out << ']';
}

FirefoxTables::FirefoxTables(const profile::Profile& profile, const Moments& moments)
    : profile_(profile),
      frames_table_(make_frames(profile)),
      lines_(profile, pdb::symbol_folders()),
      purposes_(profile.nodes.empty() ? profile::Purposes() : profile::purposes(profile)),
      categories_(purposes_.all),
      stack_of_(profile.nodes.size(), kNone),
      function_of_(frames_table_.frames.size(), kNone) {
  add_files(profile, lines_, frames_table_);
  const std::vector<bool> used = shown_nodes(moments, profile);
  for (uint32_t node = 0; node < used.size(); ++node)
    if (used[node]) stack_of_[node] = row_of(node, purposes_.of_node[node]);
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    const uint32_t node = profile.samples[i].node, purpose = purposes_.of_sample[i];
    if (purpose == purposes_.of_node[node]) continue;
    const auto [at, is_new] = other_stacks_.try_emplace({node, purpose}, 0);
    if (is_new) at->second = row_of(node, purpose);
  }
}

uint32_t FirefoxTables::stack_of_sample(size_t index) const {
  const uint32_t node = profile_.samples[index].node, purpose = purposes_.of_sample[index];
  return purpose == purposes_.of_node[node] ? stack_of_[node] : other_stacks_.at({node, purpose});
}

uint32_t FirefoxTables::add_stack(uint32_t frame, uint32_t prefix) {
  stacks_.push_back({frame, prefix});
  return static_cast<uint32_t>(stacks_.size() - 1);
}

uint32_t FirefoxTables::row_of(uint32_t node, uint32_t purpose) {
  const profile::Node& its = profile_.nodes[node];
  const uint32_t line = lines_.of(its.position).line;
  const uint32_t prefix = prefix_of(node);
  return add_stack(frame_row(frames_table_.of_function[its.function], purpose, line), prefix);
}

uint32_t FirefoxTables::prefix_of(uint32_t node) {
  const profile::Node& its = profile_.nodes[node];
  if (node == 0) return kNone;
  if (its.parent != 0) return stack_of_[its.parent];
  if (!its.truncated) return kNone;
  if (truncated_ == kNone) truncated_ = add_stack(frame_row(frames_table_.truncated, purposes_.of_node[0], 0), kNone);
  return truncated_;
}

uint32_t FirefoxTables::frame_row(uint32_t frame, uint32_t purpose, uint32_t line) {
  const auto [at, is_new] = frame_rows_.try_emplace({frame, purpose, line}, static_cast<uint32_t>(frames_.size()));
  if (is_new) frames_.push_back({function_of(frame), purpose, line});
  return at->second;
}

uint32_t FirefoxTables::function_of(uint32_t frame) {
  uint32_t& known = function_of_[frame];
  if (known != kNone) return known;
  known = static_cast<uint32_t>(functions_.size());
  const auto number = [&](const std::string& text, std::unordered_map<uint32_t, uint32_t>& numbers,
                          std::vector<uint32_t>& all) {
    if (text.empty()) return kNone;
    const uint32_t string = strings_.number(text);
    const auto [at, is_new] = numbers.try_emplace(string, static_cast<uint32_t>(all.size()));
    if (is_new) all.push_back(string);
    return at->second;
  };
  const Frame& its = frames_table_.frames[frame];
  functions_.push_back({strings_.number(its.name), number(its.module, resource_of_, resources_),
                        number(its.file, source_of_, sources_), its.line});
  return known;
}

void FirefoxTables::write(BufferedText& out) const {
  const auto constant = [](const char* value) { return [value](const auto&) { return value; }; };
  const auto length = [&](size_t size) { out << "\"length\":" << size << '}'; };
  const auto text = [](uint32_t number) { return std::to_string(number); };
  out << "\"stackTable\":{";
  write_column(
      "frame", stacks_, [&](const Stack& row) { return text(row.frame); }, out);
  write_column(
      "prefix", stacks_, [](const Stack& row) { return or_null(row.prefix); }, out);
  length(stacks_.size());
  out << ",\n\"frameTable\":{";
  write_column("address", frames_, constant("-1"), out);
  write_column("inlineDepth", frames_, constant("0"), out);
  const auto category = [&](const FrameRow& row) { return categories_.of_purpose(row.purpose); };
  write_column(
      "category", frames_, [&](const FrameRow& row) { return text(category(row).first); }, out);
  write_column(
      "subcategory", frames_, [&](const FrameRow& row) { return text(category(row).second); }, out);
  write_column(
      "func", frames_, [&](const FrameRow& row) { return text(row.function); }, out);
  for (const char* none : {"nativeSymbol", "innerWindowID", "column"})
    write_column(none, frames_, constant("null"), out);
  const auto line = [&](const auto& row) { return row.line == 0 ? "null" : text(row.line); };
  write_column("line", frames_, line, out);
  length(frames_.size());
  out << ",\n\"funcTable\":{";
  write_column(
      "name", functions_, [&](const Function& row) { return text(row.name); }, out);
  for (const char* is_not : {"isJS", "relevantForJS"}) write_column(is_not, functions_, constant("false"), out);
  const auto resource = [&](const Function& row) { return row.resource == kNone ? "-1" : text(row.resource); };
  write_column("resource", functions_, resource, out);
  write_column(
      "source", functions_, [](const Function& row) { return or_null(row.source); }, out);
  write_column("lineNumber", functions_, line, out);
  write_column("columnNumber", functions_, constant("null"), out);
  length(functions_.size());
  out << ",\n\"resourceTable\":{";
  write_column("name", resources_, text, out);
  for (const char* none : {"lib", "host"}) write_column(none, resources_, constant("null"), out);
  constexpr const char* kLibrary = "1";
  write_column("type", resources_, constant(kLibrary), out);
  length(resources_.size());
  out << ",\n\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[],\"length\":0},"
         "\n\"sources\":{";
  write_column("id", sources_, constant("null"), out);
  write_column("filename", sources_, text, out);
  length(sources_.size());
}

}  // namespace oriel::exports
