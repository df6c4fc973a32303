// The coverage page: viewer/coverage with the data as JSON. page.js documents the JSON.
#include <algorithm>
#include <map>
#include <ostream>

#include "base/version.h"
#include "coverage/sources.h"
#include "exports/coverage_export.h"
#include "exports/page_parts.h"
#include "exports/text.h"
#include "exports/viewer_files.h"

namespace oriel::exports {
namespace {

using coverage::Coverage;
using coverage::Totals;

// Sources beyond this total are left out; browsers could not show the page.
constexpr size_t kMostText = size_t{64} << 20;

// Expands tabs, which sanitizing would turn into single blanks.
std::string with_blanks(std::string_view line) {
  std::string blanks;
  for (const char c : line) c == '\t' ? blanks.append(4, ' ') : blanks.append(1, c);
  return blanks;
}

class DataWriter {
 public:
  DataWriter(const Coverage& coverage, std::ostream& out) : coverage_(coverage), out_(out) {
    for (uint32_t test = 0; test < coverage.tests.size(); ++test)
      for (const auto& line : coverage.tests[test].lines) tests_[line].push_back(test);
  }

  void write() {
    const Totals all = totals_of(coverage_);
    out_ << "{\"title\":" << safe(title()) << ",\"oriel\":" << safe(version_text())
         << ",\"counts\":" << coverage_.counts << ",\"totals\":[" << all.lines << ',' << all.lines_hit << ','
         << all.branches << ',' << all.branches_hit << ',' << all.methods << ',' << all.methods_hit
         << "],\"problems\":[";
    list(coverage_.problems, [&](const std::string& problem) { out_ << safe(problem); });
    out_ << "],\"tests\":[";
    list(coverage_.tests, [&](const coverage::Test& test) { out_ << safe(test.name); });
    out_ << "],\"files\":[";
    uint32_t index = 0;
    list(coverage_.files, [&](const coverage::File& shown) { file(shown, index++); });
    out_ << "],\"types\":[";
    const std::vector<TypeMethods> types = methods_by_type(coverage_);
    list(types, [&](const TypeMethods& entry) { type(entry); });
    out_ << "],\"assemblies\":[";
    assemblies(types);
    out_ << "]}";
  }

 private:
  template <typename Items, typename Write>
  void list(const Items& items, Write write) {
    const char* separator = "";
    for (const auto& item : items) {
      out_ << separator;
      write(item);
      separator = ",";
    }
  }

  static std::string safe(std::string_view text) { return escape_for_script(json_string(text)); }

  std::string title() const {
    std::string names;
    for (const coverage::Assembly& assembly : coverage_.assemblies)
      names += (names.empty() ? "" : ", ") + assembly.name;
    return names.empty() ? "nothing" : names;
  }

  void file(const coverage::File& shown, uint32_t index) {
    out_ << "{\"path\":" << safe(shown.path) << ",\"url\":" << safe(shown.url) << ",\"lines\":[";
    list(shown.lines, [&](const coverage::FileLine& line) {
      const coverage::ArmCounts ways = ways_of(coverage_, line.branches);
      out_ << '[' << line.number << ',' << line.count << ',' << line.partly << ',' << ways.taken << ',' << ways.all;
      if (const auto tests = tests_.find({index, line.number}); tests != tests_.end())
        for (const uint32_t test : tests->second) out_ << ',' << test;
      out_ << ']';
    });
    out_ << "],\"text\":";
    text(shown);
    out_ << '}';
  }

  void text(const coverage::File& shown) {
    const coverage::SourceText source = coverage::source_of(shown);
    size_t size = 0;
    for (const std::string_view line : source.lines) size += line.size() + 1;
    written_ += size;
    if (source.lines.empty() || written_ > kMostText) {
      out_ << "null,\"note\":"
           << safe(source.lines.empty() ? "Its source is not on this machine."
                                        : "Its source is left out: the page would be too large.");
      return;
    }
    // Line by line, because sanitized text has no line breaks.
    out_ << '"';
    const char* separator = "";
    for (const std::string_view line : source.lines) {
      const std::string quoted = safe(line.find('\t') == line.npos ? line : with_blanks(line));
      out_ << separator << std::string_view(quoted).substr(1, quoted.size() - 2);
      separator = "\\n";
    }
    out_ << '"';
    if (source.changed())
      out_ << ",\"note\":" << safe("This file has changed since it was compiled: the text may not be what ran.");
  }

  void totals(const Totals& shown) {
    out_ << ",\"totals\":[" << shown.lines << ',' << shown.lines_hit << ',' << shown.branches << ','
         << shown.branches_hit << ']';
  }

  void type(const TypeMethods& entry) {
    const coverage::Type& shown = coverage_.types[entry.type];
    const size_t before = shown.name_space.empty() ? 0 : shown.name_space.size() + 1;
    const std::string_view name = shown.name;
    out_ << "{\"name\":" << safe(name.substr(std::min(before, name.size())))
         << ",\"before\":" << safe(name.substr(0, std::min(before, name.size())));
    totals(totals_of(coverage_, entry.methods));
    const coverage::Line* first = nullptr;
    for (const uint32_t index : entry.methods)
      for (const coverage::Line& line : coverage_.methods[index].lines)
        if (!first || (line.file == first->file && line.number < first->number)) first = &line;
    if (first) out_ << ",\"file\":" << first->file << ",\"line\":" << first->number;
    out_ << '}';
  }

  void assemblies(const std::vector<TypeMethods>& types) {
    std::map<uint32_t, std::vector<uint32_t>> methods;
    for (const TypeMethods& entry : types) {
      std::vector<uint32_t>& of_assembly = methods[coverage_.types[entry.type].assembly];
      of_assembly.insert(of_assembly.end(), entry.methods.begin(), entry.methods.end());
    }
    list(methods, [&](const auto& entry) {
      out_ << "{\"name\":" << safe(coverage_.assemblies[entry.first].name) << ",\"before\":\"\"";
      totals(totals_of(coverage_, entry.second));
      out_ << '}';
    });
  }

  const Coverage& coverage_;
  BufferedText out_;
  std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> tests_;  // by file and line
  size_t written_ = 0;
};

void write_html(const Coverage& coverage, std::ostream& out) {
  PageParts page(kCoverageHtml, out);
  page.up_to("/*oriel:style*/");
  out << kCoverageCss;
  page.up_to("/*oriel:data*/");
  DataWriter(coverage, out).write();
  page.up_to("/*oriel:script*/");
  out << kCoverageScript;
  page.rest();
}

}  // namespace

extern const CoverageExport kCoverageHtmlExport = {.name = "html",
                                                   .description = "a web page with the sources, which works offline",
                                                   .file = "coverage.html",
                                                   .write = write_html};

}  // namespace oriel::exports
