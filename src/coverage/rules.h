// Which methods of an assembly count.
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
#include "pdb/pdb.h"

namespace oriel::coverage {

// What a person wants to see.
struct Choice {
  MethodPatterns methods;               // with names as people wrote them
  std::vector<std::string> attributes;  // what has one of these is left out: "Obsolete", beside those that always do
  std::vector<std::string> files;       // what stands in files with such paths is left out: '*' and '?' as in a shell
  bool tests = false;                   // also assemblies of tests
};

class Rules {
 public:
  // All must live as long. `pdb`: null if it was not found.
  Rules(const assembly::Assembly& assembly, const pdb::Pdb* pdb, const Choice& choice);

  // Whether the whole assembly says that it is to be left out.
  bool assembly_counts() const { return assembly_counts_; }
  // `user_code`: whether the assembly is the program's own. `name`: with its type, as it was written.
  bool counts(uint32_t method_row, bool user_code, const std::string& name);
  // Where the parameters stand that a record struct is declared with, as of its constructor, which has no place itself.
  std::vector<pdb::SequencePoint> places_of_parameters(uint32_t method_row);

 private:
  bool has_excluding_attribute(uint32_t token) const;
  bool type_counts(uint32_t type_row);
  bool own_attributes_count(uint32_t method_row) const;
  // The method in which a person wrote what the compiler made this one of; 0 if this is as it was written.
  uint32_t written_in(uint32_t method_row);
  bool is_made_of_record(uint32_t method_row);
  bool is_accessor_of_parameter(uint32_t method_row);
  bool calls_only_base(uint32_t method_row) const;
  uint32_t one_around(const std::vector<uint32_t>& methods, uint32_t method_row) const;
  // Functions in methods that are left out themselves. The names of what is written in them tell of the method only.
  struct LeftOut {
    uint32_t row = 0;
    std::string method;  // that it is in, as metadata names it
    uint32_t document = 0;
    Extent extent;
  };
  const std::vector<LeftOut>& functions_left_out(uint32_t type_row);
  void add_functions_left_out(uint32_t type_row, std::vector<LeftOut>& found) const;
  bool is_in_function_left_out(uint32_t method_row);
  Extent extent_in_source(uint32_t document, const Extent& code) const;
  const std::vector<uint32_t>& methods_named(uint32_t type_row, std::string_view name);
  bool begins_in(uint32_t method_row, uint32_t outer_row) const;
  std::vector<pdb::SequencePoint> points_of(uint32_t method_row) const;

  const assembly::Assembly& assembly_;
  const pdb::Pdb* const pdb_;
  const Choice& choice_;
  std::map<uint32_t, uint32_t> machines_;    // MoveNext, and of which method
  std::map<uint32_t, uint32_t> machine_of_;  // the other way round
  std::map<uint32_t, bool> types_;
  std::map<uint32_t, std::map<std::string, std::vector<uint32_t>, std::less<>>> by_name_;  // of a type, its methods
  std::map<uint32_t, std::vector<LeftOut>> left_out_;                                      // by type
  std::map<uint32_t, std::vector<uint32_t>> closures_of_;  // by the type that they are in
  bool assembly_counts_ = true;
};

}  // namespace oriel::coverage
