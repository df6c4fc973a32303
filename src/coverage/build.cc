#include "coverage/build.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "assembly/names.h"
#include "assembly/test_methods.h"
#include "base/text/path.h"
#include "coverage/builds.h"
#include "coverage/bundle.h"
#include "coverage/conditions.h"
#include "coverage/counted.h"
#include "coverage/entries.h"
#include "coverage/source_links.h"
#include "coverage/sources.h"
#include "coverage/test_lines.h"
#include "coverage/unloaded.h"
#include "il/decode.h"
#include "lines/source_places.h"
#include "metadata/written_name.h"
#include "pdb/find.h"

namespace oriel::coverage {
namespace {

constexpr uint32_t kNoFile = UINT32_MAX;

// The files of all assemblies, by path.
class Files {
 public:
  Files(Coverage& coverage, const Choice& choice) : coverage_(coverage), choice_(choice) {}

  uint32_t add(const pdb::Symbols& symbols, const SourceLinks& links, uint32_t document_row) {
    pdb::Document document = symbols.document(document_row);
    if (document.path.empty() || is_left_out(document.path)) return kNoFile;
    const auto [known, is_new] = by_path_.try_emplace(document.path, static_cast<uint32_t>(coverage_.files.size()));
    if (is_new) {
      coverage_.files.push_back(
          {document.path, std::move(document.hash), links.url_of(document.path), symbols.source(document_row), {}});
    }
    return known->second;
  }

 private:
  bool is_left_out(const std::string& path) const {
    return std::ranges::any_of(choice_.files, [&](const std::string& pattern) {
      return matches_glob(pattern, path) || matches_glob("*/" + pattern, path);
    });
  }

  Coverage& coverage_;
  const Choice& choice_;
  std::map<std::string, uint32_t> by_path_;
};

// Allowance of spanned lines for small assemblies.
constexpr uint64_t kReachOfAny = 100'000;
// Limit for the total length of method names with types and parameters; compilers write less than five times the
// assembly's size.
constexpr uint64_t kNamesOfFile = 10, kNamesOfAny = 1'000'000;

class AssemblyBuilder {
 public:
  AssemblyBuilder(const assembly::Assembly& assembly, const AssemblyFile& file,
                  const std::optional<pdb::Symbols>& symbols, const CountedCode& counted, const Choice& choice,
                  Files& files, TestLines& tests, Coverage& coverage)
      : assembly_(assembly),
        file_(file),
        counted_(counted),
        symbols_(symbols ? &*symbols : nullptr),
        rules_(assembly, symbols_, choice),
        links_(symbols ? symbols->source_link() : ""),
        files_(files),
        tests_(tests),
        coverage_(coverage),
        reach_left_(kReachOfAny + (symbols ? symbols->size() : 0)),
        names_left_(kNamesOfAny + kNamesOfFile * assembly.file().size()) {}

  // Returns false if there is nothing to show.
  bool build() {
    if (!rules_.assembly_counts()) return false;
    const size_t before = coverage_.methods.size();
    coverage_.assemblies.push_back({assembly_.name(), file_.path, file_.loaded(), symbols_ != nullptr});
    coverage_.methods.reserve(before + assembly_.method_count());
    for (uint32_t row = 1; row <= assembly_.method_count(); ++row) {
      if (assembly_.method(row).has_il) add_method(row);
    }
    if (blocks_only_) leave_branches_out(before);
    if (nameless_ > 0)
      coverage_.problems.push_back("the names in " + file_.name + " are more than an assembly of its size can have: " +
                                   std::to_string(nameless_) + " methods are left out");
    if (coverage_.methods.size() == before) coverage_.assemblies.pop_back();
    return coverage_.methods.size() != before;
  }

 private:
  void add_method(uint32_t row) {
    if (names_left_ == 0) {
      ++nameless_;
      return;
    }
    std::vector<pdb::SequencePoint> points = symbols_ ? symbols_->points(row) : std::vector<pdb::SequencePoint>();
    if (const auto places = rules_.places_of_parameters(row); symbols_)
      points.insert(points.begin(), places.begin(), places.end());
    if (symbols_ && std::ranges::none_of(points, [](const auto& point) { return point.line != 0; })) return;
    const assembly::SourceMethod written = assembly::source_method(assembly_, row);
    const std::string type = assembly::source_type(assembly_, written.type);
    if (!rules_.counts(row, type + "." + written.name)) return;
    shorten(points);
    const bool in_state_machine = is_state_machine(row);
    if (symbols_ && in_state_machine) remove_points_after_rethrows(row, points);
    const Counts counts = counted_.of_method(file_.image, row);
    Method method;
    method.row = row;
    method.count = entries_of(row, counts);
    add_lines(statements_of(points, counts), method);
    if (symbols_ && method.lines.empty()) return;  // all of it is in excluded files
    std::vector<Condition> conditions =
        symbols_ ? conditions_in(row, in_state_machine, points) : std::vector<Condition>();
    if (!conditions.empty() && counts.any() && !counts.has_outcomes()) {
      blocks_only_ = true;
      conditions.clear();
    }
    add_branches(conditions, points, counts, method);
    method.type = type_of(written.type, type);
    name(row, written, method);
    names_left_ -= std::min(names_left_, method.name.size() + method.raw_name.size() + method.raw_type.size() +
                                             method.raw_result.size() + method.raw_parameters.size());
    add_tests(row, points, conditions);
    coverage_.methods.push_back(std::move(method));
  }

  // Those of methods that never ran would be all that is shown.
  void leave_branches_out(size_t first_method) {
    for (size_t i = first_method; i < coverage_.methods.size(); ++i) coverage_.methods[i].branches.clear();
    coverage_.problems.push_back("the branches in " + file_.name +
                                 " are not shown: the program's runtime counts which blocks of code run, not which way "
                                 "branches go");
  }

  void name(uint32_t row, const assembly::SourceMethod& written, Method& method) const {
    method.name = written.name + written.parameters;
    method.raw_name = assembly_.method(row).name;
    method.raw_type = assembly_.full_name(uint32_t{0x02} << 24 | assembly_.method(row).type);
    const assembly::RawSignature raw = assembly::raw_signature(assembly_, row);
    method.raw_result = raw.result;
    method.raw_parameters = raw.parameters;
  }

  uint32_t type_of(uint32_t row, const std::string& name) {
    const auto [known, is_new] = types_.try_emplace(row, static_cast<uint32_t>(coverage_.types.size()));
    if (is_new) {
      const metadata::TypePath path = assembly_.type_path(uint32_t{0x02} << 24 | row);
      coverage_.types.push_back({name, path.name_space, static_cast<uint32_t>(coverage_.assemblies.size() - 1)});
    }
    return known->second;
  }

  uint32_t file_of(uint32_t document) {
    const auto [known, is_new] = documents_.try_emplace(document, kNoFile);
    if (is_new) known->second = files_.add(*symbols_, links_, document);
    return known->second;
  }

  // Limits lines that statements span, which a few bytes of a PDB can make thousands: compilers write fewer in total
  // than the PDB has bytes. Beyond the limit, only first lines count.
  void shorten(std::vector<pdb::SequencePoint>& points) {
    constexpr uint32_t kLongest = 5'000;  // longer than any real statement
    for (pdb::SequencePoint& point : points) {
      uint32_t reach = std::min(std::max(point.end_line, point.line) - point.line, kLongest);
      if (reach > reach_left_) reach = 0;
      reach_left_ -= reach;
      point.end_line = point.line + reach;
    }
  }

  // Adds lines where statements start, and lines they span; a line takes the count of the shortest statement on it.
  void add_lines(const std::vector<Statement>& statements, Method& method) {
    std::vector<Line> told;
    for (const Statement& statement : statements) {
      const uint32_t file = file_of(statement.document);
      if (file == kNoFile) continue;
      const uint32_t reach = statement.end_line - statement.line;
      for (uint32_t i = 0; i <= reach; ++i)
        told.push_back({file, statement.line + i, statement.count, false, i == 0 ? 0 : reach, {}});
    }
    std::ranges::stable_sort(told, {}, [](const Line& line) { return std::tuple(line.file, line.number, line.reach); });
    for (const Line& line : told) {
      const bool is_new =
          method.lines.empty() || method.lines.back().file != line.file || method.lines.back().number != line.number;
      if (is_new) {
        method.lines.push_back(line);
      } else if (Line& before = method.lines.back(); line.reach == 0) {
        if (before.statements.empty()) before.statements.push_back(before.count);
        before.statements.push_back(line.count);
        before.partly |= (before.count == 0) != (line.count == 0);
        before.count = std::max(before.count, line.count);
      }
    }
  }

  uint64_t entries_of(uint32_t row, const Counts& counts) const {
    if (counts.has(0) || !counts.any_ran()) return counts.at(0);
    const Result<il::Body> body = il::decode(assembly_.body(row));
    return body && counted_.has_times() ? entries(*body, counts) : 1;
  }

  CodeFacts facts_of(bool in_state_machine) const {
    CodeFacts facts;
    facts.member = [this](uint32_t token) {
      const assembly::Assembly::Member member = assembly_.member(token);
      return Member{member.type, member.name};
    };
    facts.in_state_machine = in_state_machine;
    return facts;
  }

  void remove_points_after_rethrows(uint32_t row, std::vector<pdb::SequencePoint>& points) const {
    Result<il::Body> body = il::decode(assembly_.body(row));
    if (body) coverage::remove_points_after_rethrows(*body, facts_of(true), points);
  }

  std::vector<Condition> conditions_in(uint32_t row, bool in_state_machine,
                                       const std::vector<pdb::SequencePoint>& points) const {
    Result<il::Body> body = il::decode(assembly_.body(row));
    return body ? conditions_of(*body, points, facts_of(in_state_machine)) : std::vector<Condition>();
  }

  void add_branches(const std::vector<Condition>& conditions, const std::vector<pdb::SequencePoint>& points,
                    const Counts& counts, Method& method) {
    for (const Condition& condition : conditions) {
      const uint32_t file = file_of(points[condition.point].document);
      if (file == kNoFile) continue;
      method.branches.push_back({file, points[condition.point].line, condition.il, counts_of(condition, counts)});
    }
  }

  bool is_state_machine(uint32_t row) const {
    const assembly::Method& method = assembly_.method(row);
    const std::string& type = assembly_.type(method.type).name;
    return metadata::made_type(metadata::split_arity(type).name, method.name).origin ==
           metadata::TypeOrigin::kStateMachine;
  }

  void add_tests(uint32_t row, const std::vector<pdb::SequencePoint>& points,
                 const std::vector<Condition>& conditions) {
    for (const auto& [tests, counts] : counted_.of_tests(file_.image, row)) {
      Method of_tests;
      add_lines(statements_of(points, counts), of_tests);
      add_branches(conditions, points, counts, of_tests);
      tests_.add(tests, static_cast<uint32_t>(coverage_.methods.size()), of_tests);
    }
  }

  const assembly::Assembly& assembly_;
  const AssemblyFile& file_;
  const CountedCode& counted_;
  const pdb::Symbols* const symbols_;
  Rules rules_;
  const SourceLinks links_;
  Files& files_;
  TestLines& tests_;
  Coverage& coverage_;
  std::map<uint32_t, uint32_t> types_, documents_;
  uint64_t reach_left_, names_left_;
  size_t nameless_ = 0;
  bool blocks_only_ = false;  // outcomes of branches were not counted
};

// Opens a file, or an assembly inside a single-file program.
Result<assembly::Assembly> open_at(const std::string& path, const std::string& name) {
  if (recorded_file_name(path) == name) return assembly::Assembly::open(path);
  std::optional<std::vector<uint8_t>> bytes = read_from_bundle(path, name);
  return bytes ? assembly::Assembly::parse(std::move(*bytes)) : Status::error("it was not loaded from a file");
}

// The assembly that ran: from where it was loaded, or from where the compiler put it beside the PDB.
Result<assembly::Assembly> open(AssemblyFile& file) {
  Status why = Status::error("it was not loaded from a file");
  for (const std::string& path :
       {file.path, std::filesystem::path(file.pdb_path).replace_filename(file.name).string()}) {
    if (path.empty()) continue;
    Result<assembly::Assembly> assembly = open_at(path, file.name);
    if (assembly && (file.mvid.empty() || assembly->mvid() == file.mvid)) {
      file.path = path;
      return assembly;
    }
    if (path == file.path) why = assembly ? Status::error("it was rebuilt since it ran") : assembly.status();
  }
  return why;
}

void say_once(const std::string& problem, Coverage& coverage) {
  if (std::ranges::find(coverage.problems, problem) == coverage.problems.end()) coverage.problems.push_back(problem);
}

std::optional<pdb::Symbols> symbols_of(const assembly::Assembly& assembly, const AssemblyFile& file,
                                       const std::vector<std::string>& symbol_folders) {
  const auto directory = assembly.debug_directory();
  pdb::Wanted wanted{"", file.pdb_path, file.path, assembly.mvid()};
  if (directory) {
    wanted.id = directory->pdb_id;
    wanted.pdb_path = directory->pdb_path;
  }
  if (std::optional<pdb::Symbols> found = pdb::find_symbols(wanted, symbol_folders)) return found;
  std::optional<pdb::Pdb> within = pdb::pdb_within(assembly.file(), wanted.id);
  return within ? std::optional<pdb::Symbols>(std::move(*within)) : std::nullopt;
}

std::string why_no_lines(const AssemblyFile& file) {
  std::error_code error;
  for (const std::string& beside :
       {std::filesystem::path(file.path).replace_extension(".pdb").string(), pdb::mdb_path(file.path)}) {
    if (std::filesystem::exists(beside, error))
      return recorded_file_name(beside) + " is of another build than " + file.name +
             ": its methods are shown, not its lines";
  }
  return "the PDB of " + file.name +
         " was not found beside the assembly, where it was compiled, or in _NT_SYMBOL_PATH: its methods are shown, not "
         "its lines";
}

void build_one(AssemblyFile file, const CountedCode& counted, const Choice& choice,
               const std::vector<std::string>& symbol_folders, std::set<std::string>& builds, Files& files,
               TestLines& tests, Coverage& coverage) {
  const Result<assembly::Assembly> assembly = open(file);
  if (!assembly) {
    say_once("nothing of " + file.name + " is shown: " + assembly.message(), coverage);
    return;
  }
  // Copies beside several programs are one assembly.
  if (!builds.insert(assembly->mvid()).second && !file.loaded()) return;
  const std::string name = assembly->name();
  const auto choice_of_all = choice.methods.of_assembly(name, true, [](const std::string&) { return true; });
  if (choice_of_all == MethodPatterns::Choice::kNo) return;
  if (!choice.tests && assembly::is_of_tests(*assembly) && choice.methods.includes_user_code()) return;
  lines::add_project_of(file.path);
  const std::optional<pdb::Symbols> symbols = symbols_of(*assembly, file, symbol_folders);
  if (symbols && symbols->has_too_much_text())
    say_once("the PDB of " + file.name +
                 " has more text than a PDB of its size can hold: sources are looked for on this machine",
             coverage);
  if (AssemblyBuilder(*assembly, file, symbols, counted, choice, files, tests, coverage).build() && !symbols)
    say_once(why_no_lines(file), coverage);
}

}  // namespace

std::vector<AssemblyFile> files_of(const std::vector<profile::CoveredImage>& images) {
  std::vector<AssemblyFile> files;
  for (const profile::CoveredImage& image : images)
    files.push_back({image.name, image.path, image.mvid, image.pdb_path, static_cast<uint32_t>(files.size())});
  return files;
}

Coverage build(const profile::Tables& counted, const std::vector<AssemblyFile>& assemblies, const Choice& choice,
               const std::vector<std::string>& symbol_folders) {
  Coverage coverage;
  coverage.counts = has_counts(counted.covered_images);
  Files files(coverage, choice);
  TestLines tests;
  // Also those that ran no counted code.
  for (const profile::CoveredTest& test : counted.covered_tests) tests.add(test.name, 0, Method());
  std::set<std::string> builds;
  const CountedCode code(counted);
  for (const AssemblyFile& file : assemblies)
    build_one(file, code, choice, symbol_folders, builds, files, tests, coverage);
  const std::vector<uint32_t> joined = join_builds(coverage);
  join_lines(coverage);
  coverage.tests = tests.finish(coverage.methods, joined);
  return coverage;
}

Coverage coverage_of(const profile::Tables& counted, Choice& choice) {
  const std::vector<std::string> symbol_folders = pdb::symbol_folders();
  std::vector<AssemblyFile> assemblies = files_of(counted.covered_images);
  add_unloaded(assemblies, symbol_folders);
  // Makes the order independent of which process loaded what first.
  std::ranges::stable_sort(assemblies, {}, &AssemblyFile::name);
  Coverage coverage = build(counted, assemblies, choice, symbol_folders);
  if (coverage.methods.empty() && !choice.tests) {
    choice.tests = true;
    coverage = build(counted, assemblies, choice, symbol_folders);
  }
  find_sources(coverage);
  return coverage;
}

}  // namespace oriel::coverage
