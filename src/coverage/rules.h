// Which methods of an assembly are included in coverage.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assembly/assembly.h"
#include "base/text/patterns.h"
#include "coverage/braces.h"
#include "pdb/symbols.h"

namespace oriel::coverage {

// The user's selection.
struct Choice {
  MethodPatterns methods;               // by names as in source
  std::vector<std::string> attributes;  // excludes code with one of these, such as "Obsolete", besides the standard
                                        // ones
  std::vector<std::string> files;       // excludes code in files with such paths: '*' and '?' as in a shell
  bool tests = false;                   // includes test assemblies
};

class Rules {
 public:
  // Keeps references to all. `symbols` is null if not found.
  Rules(const assembly::Assembly& assembly, const pdb::Symbols* symbols, const Choice& choice);

  // False if an attribute excludes the whole assembly.
  bool assembly_counts() const { return assembly_counts_; }
  // `name`: with its type, as in source.
  bool counts(uint32_t method_row, const std::string& name);
  // Sequence points for the parameters in a record struct's declaration, of whose constructor the PDB has none.
  std::vector<pdb::SequencePoint> places_of_parameters(uint32_t method_row);

 private:
  bool has_excluding_attribute(uint32_t token, std::string_view but = "") const;
  bool type_counts(uint32_t type_row);
  bool own_attributes_count(uint32_t method_row) const;
  // The source method of a compiler-generated method; 0 if it is not generated.
  uint32_t source_method_of(uint32_t method_row);
  bool is_generated_for_record(uint32_t method_row);
  bool is_accessor_of_parameter(uint32_t method_row);
  bool calls_only_base(uint32_t method_row) const;
  uint32_t one_around(const std::vector<uint32_t>& methods, uint32_t method_row) const;
  // Functions nested in methods, excluded by their own attributes. Names of code nested in them refer only to the outer
  // method.
  struct ExcludedFunction {
    uint32_t row = 0;
    std::string method;  // the outer method's name in metadata
    uint32_t document = 0;
    Extent extent;
  };
  const std::vector<ExcludedFunction>& excluded_functions(uint32_t type_row);
  void add_excluded_functions(uint32_t type_row, std::vector<ExcludedFunction>& found) const;
  bool is_in_function_left_out(uint32_t method_row);
  Extent extent_in_source(uint32_t document, const Extent& code) const;
  const std::vector<uint32_t>& methods_named(uint32_t type_row, std::string_view name);
  bool begins_in(uint32_t method_row, uint32_t outer_row) const;
  std::vector<pdb::SequencePoint> points_of(uint32_t method_row) const;

  const assembly::Assembly& assembly_;
  const pdb::Symbols* const symbols_;
  const Choice& choice_;
  std::map<uint32_t, uint32_t> machines_;    // MoveNext's row → its source method's row
  std::map<uint32_t, uint32_t> machine_of_;  // the reverse
  std::map<uint32_t, bool> types_;
  std::map<uint32_t, std::map<std::string, std::vector<uint32_t>, std::less<>>>
      by_name_;                                                 // by type, then name: methods
  std::map<uint32_t, std::vector<ExcludedFunction>> left_out_;  // by type
  std::map<uint32_t, std::vector<uint32_t>> closures_of_;       // by outer type
  bool assembly_counts_ = true;
};

}  // namespace oriel::coverage
