#include "coverage/rules.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "assembly/names.h"

namespace oriel::coverage {
namespace {

using assembly::Assembly;

constexpr uint32_t type_token(uint32_t row) { return uint32_t{0x02} << 24 | row; }
constexpr uint32_t method_token(uint32_t row) { return uint32_t{0x06} << 24 | row; }

constexpr std::string_view kCompilerGenerated = "System.Runtime.CompilerServices.CompilerGeneratedAttribute";

// "Shop.OldAttribute" is meant by that, "OldAttribute" and "Old".
bool is_meant(std::string_view attribute, std::string_view name) {
  constexpr std::string_view kEnding = "Attribute";
  const auto is = [&](std::string_view text) {
    return text == name || (text.ends_with(kEnding) && text.substr(0, text.size() - kEnding.size()) == name);
  };
  return is(attribute) || is(attribute.substr(attribute.find_last_of(".+") + 1));
}

bool has_attribute(const Assembly& assembly, uint32_t token, std::string_view type) {
  return std::ranges::any_of(assembly.attributes(token), [&](const auto& attribute) { return attribute.type == type; });
}

// "Add" of "<Add>b__0_1" and "<Add>g__Checked|0_1"; "" of what a person named.
std::string_view outer_name(std::string_view name) {
  if (!name.starts_with('<')) return {};
  size_t depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    depth += name[i] == '<';
    depth -= name[i] == '>';
    if (depth == 0) return i + 1 < name.size() && name[i + 1] != '$' ? name.substr(1, i - 1) : std::string_view();
  }
  return {};
}

}  // namespace

bool is_of_tests(const Assembly& assembly) {
  constexpr std::array<std::string_view, 7> kFrameworks = {"xunit.core",
                                                           "xunit.v3.core",
                                                           "nunit.framework",
                                                           "Microsoft.VisualStudio.TestPlatform.TestFramework",
                                                           "MSTest.TestFramework",
                                                           "TUnit.Core",
                                                           "Microsoft.VisualStudio.QualityTools.UnitTestFramework"};
  return std::ranges::any_of(assembly.references(), [&](const std::string& name) {
    return std::ranges::find(kFrameworks, name) != kFrameworks.end();
  });
}

Rules::Rules(const Assembly& assembly, const pdb::Pdb* pdb, const Choice& choice)
    : assembly_(assembly), pdb_(pdb), choice_(choice) {
  if (pdb) machines_ = pdb->state_machines();
  for (const auto& [runs, made_of] : machines_) machine_of_[made_of] = runs;
  assembly_counts_ = !has_excluding_attribute(Assembly::kWholeAssembly);
}

bool Rules::has_excluding_attribute(uint32_t token) const {
  constexpr std::array<std::string_view, 3> kAlways = {
      "System.Diagnostics.CodeAnalysis.ExcludeFromCodeCoverageAttribute",
      "System.Diagnostics.DebuggerNonUserCodeAttribute", "System.Diagnostics.DebuggerHiddenAttribute"};
  return std::ranges::any_of(assembly_.attributes(token), [&](const assembly::Attribute& attribute) {
    return std::ranges::find(kAlways, attribute.type) != kAlways.end() ||
           std::ranges::any_of(choice_.attributes,
                               [&](const std::string& name) { return is_meant(attribute.type, name); });
  });
}

bool Rules::type_counts(uint32_t row) {
  if (row == 0) return true;
  if (const auto known = types_.find(row); known != types_.end()) return known->second;
  const bool counts = !has_excluding_attribute(type_token(row)) && type_counts(assembly_.type(row).outer);
  return types_[row] = counts;
}

bool Rules::own_attributes_count(uint32_t row) const {
  const uint32_t accessed = assembly_.accessed_by(row);
  return !has_excluding_attribute(method_token(row)) && (accessed == 0 || !has_excluding_attribute(accessed));
}

std::vector<pdb::SequencePoint> Rules::points_of(uint32_t row) const {
  if (!pdb_) return {};
  const auto machine = machine_of_.find(row);
  std::vector<pdb::SequencePoint> points = pdb_->points(machine == machine_of_.end() ? row : machine->second);
  std::erase_if(points, [](const pdb::SequencePoint& point) { return point.line == 0; });
  return points;
}

bool Rules::begins_in(uint32_t row, uint32_t outer_row) const {
  const std::vector<pdb::SequencePoint> points = points_of(row), around = points_of(outer_row);
  if (points.empty() || around.empty() || points.front().document != around.front().document) return false;
  const auto first = std::ranges::min(around, {}, &pdb::SequencePoint::line).line;
  const auto last = std::ranges::max(around, {}, &pdb::SequencePoint::end_line).end_line;
  return points.front().line >= first && points.front().line <= last;
}

uint32_t Rules::written_in(uint32_t row) const {
  if (const auto machine = machines_.find(row); machine != machines_.end()) return machine->second;
  const assembly::WrittenMethod written = assembly::written_method(assembly_, row);
  if (written.method != 0 && written.method != row) return written.method;
  const std::string_view outer = outer_name(assembly_.method(row).name);
  if (outer.empty()) return 0;
  std::vector<uint32_t> candidates;
  const assembly::Metadata::Range methods = assembly_.type(written.type).methods;
  for (uint32_t other = methods.begin; other < methods.end; ++other)
    if (assembly_.method(other).name == outer) candidates.push_back(other);
  if (candidates.size() == 1) return candidates.front();
  // Of several with the name the one around its lines.
  const auto around = std::ranges::find_if(candidates, [&](uint32_t candidate) { return begins_in(row, candidate); });
  return around == candidates.end() ? 0 : *around;
}

// A record has constructors and a property that nobody wrote, on the line of its own declaration.
bool Rules::is_made_of_record(uint32_t row) const {
  const assembly::Method& method = assembly_.method(row);
  if (method.name == "get_EqualityContract") return has_attribute(assembly_, method_token(row), kCompilerGenerated);
  if (method.name != ".ctor") return false;
  if (has_attribute(assembly_, method_token(row), kCompilerGenerated)) return true;
  const assembly::Metadata::Range methods = assembly_.type(method.type).methods;
  bool is_record = false;
  for (uint32_t other = methods.begin; other < methods.end; ++other)
    is_record |= assembly_.method(other).name == "<Clone>$";
  return is_record && assembly::raw_signature(assembly_, row).parameters.empty() && points_of(row).size() == 1;
}

bool Rules::counts(uint32_t row, bool user_code, const std::string& name) {
  constexpr int kMostNesting = 8;
  if (!choice_.methods.of_method(assembly_.name(), user_code, name)) return false;
  if (is_made_of_record(row)) return false;
  // Without lines only what a person named can be told from what the compiler made.
  if (!pdb_ &&
      (assembly_.method(row).name.starts_with('<') || has_attribute(assembly_, method_token(row), kCompilerGenerated) ||
       has_attribute(assembly_, type_token(assembly_.method(row).type), kCompilerGenerated)))
    return false;
  for (int i = 0; i < kMostNesting && row != 0; ++i) {
    if (!own_attributes_count(row) || !type_counts(assembly_.method(row).type)) return false;
    row = written_in(row);
  }
  return true;
}

}  // namespace oriel::coverage
