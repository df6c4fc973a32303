// The source of a method with shares beside each line; without source only line numbers, without a PDB IL offsets.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "lines/line_totals.h"
#include "lines/source.h"
#include "pdb/find.h"
#include "report/words/function_name.h"
#include "report/words/json.h"
#include "report/words/named_method.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using lines::Lines;
using lines::LineTotals;
using profile::FunctionTotals;
using profile::Profile;

namespace {

// Context lines around lines with samples.
constexpr uint32_t kAround = 3;

// What to show of one file: lines by number, and the extent of the method if known.
struct FilePart {
  uint32_t file = 0;
  std::map<uint32_t, LineTotals> rows;
  uint32_t first = 0;
  uint32_t last = 0;
};

std::vector<FilePart> parts_of(const std::vector<LineTotals>& all, Lines& lines) {
  std::map<uint32_t, FilePart> parts;
  for (const LineTotals& entry : all) {
    if (entry.line.file == 0) continue;
    FilePart& part = parts[entry.line.file];
    part.file = entry.line.file;
    part.rows[entry.line.line] = entry;
    const lines::Extent method = lines.method_of(entry.position);
    const bool here = method.file == part.file;
    const uint32_t first = here ? method.first : entry.line.line, last = here ? method.last : entry.line.line;
    part.first = part.first == 0 ? first : std::min(part.first, first);
    part.last = std::max(part.last, last);
  }
  std::vector<FilePart> result;
  for (auto& [file, part] : parts) result.push_back(std::move(part));
  return result;
}

// Replaces tabs by blanks.
std::string shown_text(const std::string& line) {
  std::string text;
  for (const char c : line) text += c == '\t' ? std::string(4, ' ') : std::string(1, c);
  return clean(text);
}

class PartWriter {
 public:
  PartWriter(const Profile& profile, const Options& options, std::ostream& out)
      : whole_(profile.total_periods()), options_(options), out_(out), style_(options.color) {}

  void write(const FilePart& part, const pdb::Document& document) {
    const std::optional<lines::Source> source = lines::find_source(document);
    out_ << style_.dim(cut_start(clean(lines::shown_path(source ? source->path : document.path)), options_.width))
         << '\n';
    if (source && source->changed)
      write_note("This file has changed since it was compiled: the text may not be what ran.", options_, out_);
    Table table({{"self"}, {"total"}, {"line"}}, source ? "" : "its source is not on this machine");
    uint32_t before = 0;
    for (const uint32_t line : wanted(part, source ? source->lines.size() : 0)) {
      if (before != 0 && line != before + 1) table.add({"", "", "…"}, [](size_t) { return ""; });
      add(part, line, source, table);
      before = line;
    }
    table.write(out_, options_.width, 0, style_);
  }

 private:
  // In ascending order.
  static std::vector<uint32_t> wanted(const FilePart& part, size_t lines_of_file) {
    std::vector<uint32_t> result;
    const auto add = [&](uint32_t line) {
      if (result.empty() || line > result.back()) result.push_back(line);
    };
    for (const auto& [line, totals] : part.rows) {
      const uint32_t from = std::max(line > kAround ? line - kAround : 1, std::min(part.first, line));
      const uint32_t to = std::min(line + kAround, std::max(part.last, line));
      for (uint32_t at = lines_of_file == 0 ? line : from; at <= (lines_of_file == 0 ? line : to); ++at) add(at);
    }
    return result;
  }

  void add(const FilePart& part, uint32_t line, const std::optional<lines::Source>& source, Table& table) const {
    const auto found = part.rows.find(line);
    const uint64_t self = found == part.rows.end() ? 0 : found->second.self;
    const uint64_t total = found == part.rows.end() ? 0 : found->second.total;
    const std::string text = source && line <= source->lines.size() ? shown_text(source->lines[line - 1]) : "";
    table.add(
        {percent_cell(self, whole_), percent_cell(total, whole_), std::to_string(line)},
        [text](size_t width) { return cut_end(text, width); }, share(self, whole_));
  }

  const uint64_t whole_;
  const Options& options_;
  std::ostream& out_;
  const Style style_;
};

// Samples without lines: by offset, the heaviest first.
void write_offsets(std::vector<LineTotals> entries, Lines& lines, const Profile& profile, const Options& options,
                   std::ostream& out) {
  constexpr size_t kOffsets = 10;
  std::erase_if(entries, [](const LineTotals& entry) { return entry.line.file != 0; });
  if (entries.empty()) return;
  std::ranges::stable_sort(entries, std::greater<>(), &LineTotals::total);
  const uint64_t whole = profile.total_periods();
  const bool any = std::ranges::any_of(entries, &LineTotals::known);
  if (!any) {
    const bool of_mono = profile.intro.runtime.starts_with("Mono ");
    return write_note(of_mono ? "Mono tells where in a method samples are only if it runs with --debug."
                              : "The log does not record where in this method the samples are.",
                      options, out);
  }
  const bool made_up =
      std::ranges::all_of(entries, [&](const auto& entry) { return lines.has_symbols(entry.position); });
  write_note(
      made_up
          ? "In compiler-generated code without lines, by IL offset:"
          : "Its PDB was not found beside the assembly, where it was compiled, or in _NT_SYMBOL_PATH. By IL offset:",
      options, out);
  Table table({{"self"}, {"total"}}, "IL");
  for (size_t i = 0; i < std::min(entries.size(), rows(options, kOffsets)); ++i) {
    const LineTotals& entry = entries[i];
    std::string at = entry.known ? fmt::format("0x{:04x}", entry.il) : "unknown";
    table.add(
        {percent_cell(entry.self, whole), percent(entry.total, whole)}, [at = std::move(at)](size_t) { return at; },
        share(entry.self, whole));
  }
  table.write(out, options.width, 0, Style(options.color));
}

void write_lines(const Profile& profile, const NamedOptions& options, std::ostream& out) {
  const std::vector<FunctionTotals> methods = named_methods(profile, options);
  const uint64_t whole = profile.total_periods();
  Lines lines(profile, pdb::symbol_folders());
  write_title(fmt::format("Lines of {}", clean(options.name)), profile, options, out);
  for (size_t i = 0; i < shown_methods(methods, options); ++i) {
    const FunctionTotals& method = methods[i];
    if (i > 0) out << '\n';
    out << Style(options.color).bold(fit_function(profile.functions[method.function], options.width)) << '\n';
    write_note(fmt::format("{} of all samples are in it and its callees, {} in itself.", percent(method.total, whole),
                           percent(method.self, whole)),
               options, out);
    const std::vector<LineTotals> totals = lines::lines_of_function(profile, method.function, lines);
    for (const FilePart& part : parts_of(totals, lines))
      PartWriter(profile, options, out).write(part, lines.file(part.file));
    write_offsets(totals, lines, profile, options, out);
  }
  write_more_methods(methods, options, out);
}

Json line_json(const LineTotals& entry, const Lines& lines) {
  Json json = {{"self", entry.self}, {"total", entry.total}};
  if (entry.line.file != 0) {
    json["file"] = lines.file(entry.line.file).path;
    json["line"] = entry.line.line;
  } else if (entry.known) {
    json["il"] = entry.il;
  }
  return json;
}

void lines_json(const Profile& profile, const NamedOptions& options, Json& json) {
  const std::vector<FunctionTotals> methods = named_methods(profile, options);
  const uint64_t whole = profile.total_periods();
  Lines lines(profile, pdb::symbol_folders());
  json["method"] = options.name;
  json["samples"] = whole;
  json["matching"] = methods.size();
  json["methods"] = Json::array();
  for (size_t i = 0; i < shown_methods(methods, options); ++i) {
    Json method = totals_json(methods[i], profile, whole);
    method["lines"] = Json::array();
    for (const LineTotals& entry : lines::lines_of_function(profile, methods[i].function, lines))
      method["lines"].push_back(line_json(entry, lines));
    json["methods"].push_back(std::move(method));
  }
}

Status check_lines(const Profile& profile, const NamedOptions& options) {
  return check_method("lines", profile, options);
}

}  // namespace

extern const Report kLinesReport = {
    .name = "lines",
    .help = "a method's source with the share of each line",
    .argument = "METHOD",
    .own = own_options<NamedOptions>,
    .check = by_own<check_lines>,
    .text = by_own<write_lines>,
    .json = by_own<lines_json>,
};

}  // namespace oriel::report
