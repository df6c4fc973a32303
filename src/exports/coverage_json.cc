// Our own JSON with all that is known. docs/COVERAGE.md documents it; `oriel cover diff` reads it.
#include "exports/coverage_export.h"
#include "exports/text.h"

namespace oriel::exports {
namespace {

using coverage::Coverage;
using coverage::Totals;

void write_totals(const Totals& totals, BufferedText& out) {
  out << "{\"lines\": " << totals.lines << ", \"linesCovered\": " << totals.lines_hit
      << ", \"branches\": " << totals.branches << ", \"branchesCovered\": " << totals.branches_hit
      << ", \"methods\": " << totals.methods << ", \"methodsCovered\": " << totals.methods_hit << '}';
}

template <typename Items, typename Write>
void write_list(const Items& items, BufferedText& out, Write write) {
  const char* separator = "";
  out << '[';
  for (const auto& item : items) {
    out << separator;
    write(item);
    separator = ", ";
  }
  out << ']';
}

void write_branches(const std::vector<coverage::Branch>& branches, BufferedText& out) {
  out << ", \"branches\": ";
  write_list(branches, out, [&](const coverage::Branch& branch) {
    out << '[' << branch.file << ", " << branch.line << ", ";
    write_list(branch.arms, out, [&](uint64_t arm) { out << arm; });
    out << ']';
  });
}

void write_method(const coverage::Method& method, BufferedText& out) {
  out << "\n{\"name\": " << json_string(method.name) << ", \"count\": " << method.count << ", \"lines\": ";
  write_list(method.lines, out, [&](const coverage::Line& line) {
    out << '[' << line.file << ", " << line.number << ", " << line.count << ", " << line.partly << ']';
  });
  write_branches(method.branches, out);
  out << '}';
}

void write_json(const Coverage& coverage, std::ostream& stream) {
  BufferedText out(stream);
  out << "{\"format\": \"oriel coverage\", \"version\": 1, \"mode\": \"" << (coverage.counts ? "count" : "hit")
      << "\", \"totals\": ";
  write_totals(totals_of(coverage), out);
  out << ",\n\"problems\": ";
  write_list(coverage.problems, out, [&](const std::string& problem) { out << json_string(problem); });
  out << ",\n\"files\": ";
  write_list(coverage.files, out, [&](const coverage::File& file) {
    out << "\n{\"path\": " << json_string(file.path) << ", \"url\": " << json_string(file.url) << ", \"lines\": ";
    write_list(file.lines, out, [&](const coverage::FileLine& line) {
      const coverage::ArmCounts ways = ways_of(coverage, line.branches);
      out << '[' << line.number << ", " << line.count << ", " << line.partly << ", " << ways.taken << ", " << ways.all
          << ']';
    });
    out << '}';
  });
  out << ",\n\"assemblies\": ";
  write_list(coverage.assemblies, out, [&](const coverage::Assembly& assembly) {
    out << "\n{\"name\": " << json_string(assembly.name) << ", \"path\": " << json_string(assembly.path)
        << ", \"loaded\": " << (assembly.loaded ? "true" : "false")
        << ", \"hasLines\": " << (assembly.has_lines ? "true" : "false") << '}';
  });
  out << ",\n\"types\": ";
  write_list(methods_by_type(coverage), out, [&](const TypeMethods& entry) {
    const coverage::Type& type = coverage.types[entry.type];
    out << "\n{\"name\": " << json_string(type.name) << ", \"assembly\": " << type.assembly << ", \"totals\": ";
    write_totals(totals_of(coverage, entry.methods), out);
    out << ", \"methods\": ";
    write_list(entry.methods, out, [&](uint32_t index) { write_method(coverage.methods[index], out); });
    out << '}';
  });
  out << ",\n\"tests\": ";
  write_list(coverage.tests, out, [&](const coverage::Test& test) {
    out << "\n{\"name\": " << json_string(test.name) << ", \"shared\": " << (test.shared ? "true" : "false")
        << ", \"lines\": ";
    write_list(test.lines, out, [&](const auto& line) { out << '[' << line.first << ", " << line.second << ']'; });
    write_branches(test.branches, out);
    out << '}';
  });
  out << "}\n";
}

}  // namespace

extern const CoverageExport kCoverageJsonExport = {.name = "json",
                                                   .description = "Oriel's own JSON, with all details",
                                                   .file = "coverage.oriel.json",
                                                   .write = write_json};

}  // namespace oriel::exports
