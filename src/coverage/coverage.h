// Coverage for people: by assembly, type, method, file and line.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace oriel::coverage {

struct Line {
  uint32_t file = 0;  // index into Coverage::files
  uint32_t number = 0;
  uint64_t count = 0;   // highest hit count of its statements; 0 or 1 without counts
  bool partly = false;  // some of its statements ran, others did not
  uint32_t reach = 0;   // 0 if a statement starts here; else the number of lines below its first of the statement that
                        // spans this line
  std::vector<uint64_t> statements = {};  // hit counts, if several statements start here
};

struct Branch {
  uint32_t file = 0;
  uint32_t line = 0;
  uint32_t il = 0;             // offset of the branch
  std::vector<uint64_t> arms;  // hit counts
};

// Lambdas, local functions and state machines are methods of their own here, with the name of their source method.
struct Method {
  uint32_t type = 0;           // index into Coverage::types
  uint32_t row = 0;            // in the assembly's method table
  std::string name;            // "Add(string, int)"
  std::string raw_name;        // from metadata: "MoveNext"
  std::string raw_type;        // declaring type in metadata: "Shop.Cart+<AddAsync>d__3"
  std::string raw_result;      // return type in metadata: "System.Void"
  std::string raw_parameters;  // "System.String,System.Int32"
  uint64_t count = 0;          // times that it was entered
  std::vector<Line> lines;     // by file and number; empty without a PDB
  std::vector<Branch> branches;
};

struct Type {
  std::string name;        // "Shop.Box<T>"
  std::string name_space;  // "Shop"
  uint32_t assembly = 0;   // index into Coverage::assemblies
};

struct Assembly {
  std::string name;
  std::string path;
  bool loaded = false;     // by the program
  bool has_lines = false;  // its PDB was found
};

using Branches = std::vector<std::pair<uint32_t, uint32_t>>;  // method, and index of its branch

struct FileLine {
  uint32_t number = 0;
  uint64_t count = 0;
  bool partly = false;
  Branches branches;
};

struct File {
  std::string path;                 // as passed to the compiler
  std::vector<uint8_t> hash;        // of its text when compiled
  std::string url;                  // in its repository; "" if not known
  std::optional<std::string> text;  // if the PDB embeds it
  std::vector<FileLine> lines;      // lines with code, by number
};

// A test and the lines it ran.
struct Test {
  std::string name;                                  // "Shop.Tests.Cart.Adds"
  bool shared = false;                               // other tests ran at the same time: some lines may be theirs
  std::vector<std::pair<uint32_t, uint32_t>> lines;  // file and number, ascending
  std::vector<Branch> branches = {};                 // those with a taken arm, by file and line
};

struct Coverage {
  bool counts = false;  // whether hits were counted; else only whether code ran
  std::vector<Assembly> assemblies;
  std::vector<Type> types;
  std::vector<Method> methods;  // by assembly and row
  std::vector<File> files;
  std::vector<Test> tests;            // by name
  bool by_dotnet_test = true;         // that command can run them; for who knows the runtime to set
  std::vector<std::string> problems;  // sentences: assemblies without lines, moved sources
};

struct Totals {
  uint64_t lines = 0, lines_hit = 0;
  uint64_t branches = 0, branches_hit = 0;  // arms
  uint64_t methods = 0, methods_hit = 0;
  double line_rate() const { return lines == 0 ? 1 : static_cast<double>(lines_hit) / static_cast<double>(lines); }
  double branch_rate() const {
    return branches == 0 ? 1 : static_cast<double>(branches_hit) / static_cast<double>(branches);
  }
  double method_rate() const {
    return methods == 0 ? 1 : static_cast<double>(methods_hit) / static_cast<double>(methods);
  }
};

// Counts each line once, however many methods have code on it.
Totals totals_of(const Coverage& coverage, std::span<const uint32_t> methods);
Totals totals_of(const Coverage& coverage);
Totals totals_of_file(const Coverage& coverage, uint32_t file);

// Number of arms of some branches, such as a line's, and how many were taken.
struct ArmCounts {
  uint64_t all = 0;
  uint64_t taken = 0;
};
ArmCounts ways_of(const Coverage& coverage, const Branches& branches);

// Fills `files[…].lines` from the methods. Where methods overlap, the shortest statement determines a line; the line is
// removed from the other methods.
void join_lines(Coverage& coverage);

}  // namespace oriel::coverage
