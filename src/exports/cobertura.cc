// Cobertura's XML (coverage-04.dtd), for build servers and ReportGenerator.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <ostream>

#include "exports/coverage_export.h"
#include "exports/text.h"

namespace oriel::exports {
namespace {

using coverage::Branches;
using coverage::Coverage;
using coverage::Totals;

// McCabe's cyclomatic complexity: conditions plus one, and 0 for no method.
size_t complexity(const Coverage& coverage, const std::vector<uint32_t>& methods) {
  size_t sum = 0;
  for (const uint32_t method : methods) {
    ++sum;
    for (const coverage::Branch& branch : coverage.methods[method].branches) sum += branch.arms.size() - 1;
  }
  return sum;
}

std::string rates(const Totals& totals, size_t complexity) {
  return fmt::format(R"(line-rate="{:.4g}" branch-rate="{:.4g}" complexity="{}")", totals.line_rate(),
                     totals.branch_rate(), complexity);
}

// "Shop.Box<T>/Shelf": readers treat such a name as part of Shop.Box<T>. "Shop.Box<T>.Shelf" would be both a class of
// its own and a part of it, and its lines would count twice.
std::string class_name(const coverage::Type& type) {
  std::string name = type.name;
  int depth = 0;
  for (size_t i = type.name_space.empty() ? 0 : type.name_space.size() + 1; i < name.size(); ++i) {
    depth += name[i] == '<';
    depth -= name[i] == '>';
    if (name[i] == '.' && depth == 0) name[i] = '/';
  }
  return name;
}

// A class has one element per file.
struct Part {
  uint32_t file = 0;
  std::vector<uint32_t> methods;
};

std::vector<Part> parts_of(const Coverage& coverage, const std::vector<uint32_t>& methods) {
  std::map<uint32_t, Part> parts;
  for (const uint32_t index : methods) {
    for (const coverage::Line& line : coverage.methods[index].lines) {
      Part& part = parts[line.file];
      part.file = line.file;
      if (part.methods.empty() || part.methods.back() != index) part.methods.push_back(index);
    }
  }
  std::vector<Part> all;
  for (auto& [file, part] : parts) all.push_back(std::move(part));
  return all;
}

class Writer {
 public:
  Writer(const Coverage& coverage, std::ostream& out) : coverage_(coverage), out_(out) {}

  void write() {
    const Totals totals = totals_of(coverage_);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    std::vector<uint32_t> all;
    for (uint32_t i = 0; i < coverage_.methods.size(); ++i) all.push_back(i);
    out_ << "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
    out_ << fmt::format(
        R"(<coverage {} version="1.9" timestamp="{}" lines-covered="{}" lines-valid="{}" branches-covered="{}" branches-valid="{}">)",
        rates(totals, complexity(coverage_, all)), std::chrono::duration_cast<std::chrono::seconds>(now).count(),
        totals.lines_hit, totals.lines, totals.branches_hit, totals.branches);
    out_ << "\n  <sources />\n  <packages>\n";
    const std::vector<TypeMethods> types = methods_by_type(coverage_);
    for (size_t begin = 0; begin < types.size();) {
      size_t end = begin;
      const auto assembly = [&](size_t i) { return coverage_.types[types[i].type].assembly; };
      while (end < types.size() && assembly(end) == assembly(begin)) ++end;
      package(coverage_.assemblies[assembly(begin)], std::span(types).subspan(begin, end - begin));
      begin = end;
    }
    out_ << "  </packages>\n</coverage>\n";
  }

 private:
  void package(const coverage::Assembly& assembly, std::span<const TypeMethods> types) {
    std::vector<uint32_t> methods;
    for (const TypeMethods& type : types) methods.insert(methods.end(), type.methods.begin(), type.methods.end());
    out_ << fmt::format("    <package name=\"{}\" {}>\n      <classes>\n", markup(assembly.name),
                        rates(totals_of(coverage_, methods), complexity(coverage_, methods)));
    for (const TypeMethods& type : types)
      for (const Part& part : parts_of(coverage_, type.methods)) klass(coverage_.types[type.type], part);
    out_ << "      </classes>\n    </package>\n";
  }

  void klass(const coverage::Type& type, const Part& part) {
    out_ << fmt::format("        <class name=\"{}\" filename=\"{}\" {}>\n          <methods>\n",
                        markup(class_name(type)), markup(coverage_.files[part.file].path),
                        rates(totals_of(coverage_, part.methods), complexity(coverage_, part.methods)));
    std::map<uint32_t, const coverage::FileLine*> all;
    for (const uint32_t index : part.methods) method(index, part.file, all);
    out_ << "          </methods>\n          <lines>\n";
    for (const auto& [number, file_line] : all) line("            ", number, file_line->count, file_line->branches);
    out_ << "          </lines>\n        </class>\n";
  }

  void method(uint32_t index, uint32_t file, std::map<uint32_t, const coverage::FileLine*>& all) {
    const coverage::Method& shown = coverage_.methods[index];
    const size_t parameters = shown.name.find('(');
    out_ << fmt::format(
        "            <method name=\"{}\" signature=\"{}\" {}>\n              <lines>\n",
        markup(std::string_view(shown.name).substr(0, parameters)),
        markup(parameters == std::string::npos ? "()" : std::string_view(shown.name).substr(parameters)),
        rates(totals_of(coverage_, {&index, 1}), complexity(coverage_, {index})));
    const std::vector<coverage::FileLine>& lines = coverage_.files[file].lines;
    for (const coverage::Line& own : shown.lines) {
      if (own.file != file) continue;
      const auto of_file = std::ranges::lower_bound(lines, own.number, {}, &coverage::FileLine::number);
      all[own.number] = &*of_file;
      Branches branches;
      std::ranges::copy_if(of_file->branches, std::back_inserter(branches),
                           [&](const auto& branch) { return branch.first == index; });
      line("                ", own.number, own.count, branches);
    }
    out_ << "              </lines>\n            </method>\n";
  }

  void line(const char* indent, uint32_t number, uint64_t count, const Branches& branches) {
    out_ << indent << "<line number=\"" << number << "\" hits=\"" << count << '"';
    if (branches.empty()) {
      out_ << " branch=\"false\" />\n";
      return;
    }
    const coverage::ArmCounts ways = ways_of(coverage_, branches);
    out_ << " branch=\"true\" condition-coverage=\"" << ways.taken * 100 / ways.all << "% (" << ways.taken << '/'
         << ways.all << ")\">\n"
         << indent << "  <conditions>\n";
    for (size_t i = 0; i < branches.size(); ++i) {
      const std::vector<uint64_t>& arms = coverage_.methods[branches[i].first].branches[branches[i].second].arms;
      const auto taken = arms.size() - static_cast<size_t>(std::ranges::count(arms, uint64_t{0}));
      out_ << indent << "    <condition number=\"" << i << "\" type=\"" << (arms.size() > 2 ? "switch" : "jump")
           << "\" coverage=\"" << taken * 100 / arms.size() << "%\" />\n";
    }
    out_ << indent << "  </conditions>\n" << indent << "</line>\n";
  }

  const Coverage& coverage_;
  BufferedText out_;
};

}  // namespace

extern const CoverageExport kCoberturaExport = {
    .name = "cobertura",
    .description = "Cobertura XML, which build servers and ReportGenerator read",
    .file = "coverage.cobertura.xml",
    .write = [](const Coverage& coverage, std::ostream& out) { Writer(coverage, out).write(); }};

}  // namespace oriel::exports
