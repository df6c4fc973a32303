// What ran of a program's code, as people read it: by assembly, type, method, file and line.
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
  uint64_t count = 0;   // how often the most frequent of its statements ran; of coverage without counts 0 or 1
  bool partly = false;  // it ran, but not all of its statements did
  uint32_t reach = 0;   // no statement begins here: one of so many more lines, which began above, reaches over it
  std::vector<uint64_t> statements = {};  // how often each ran, of a line where several begin
};

struct Branch {
  uint32_t file = 0;
  uint32_t line = 0;
  uint32_t il = 0;             // offset in the method's code
  std::vector<uint64_t> arms;  // how often each way was gone
};

// With its lambdas, local functions and state machines as methods of their own; these have the name of the method that
// they are in.
struct Method {
  uint32_t type = 0;           // index into Coverage::types
  uint32_t row = 0;            // in the assembly's table of methods
  std::string name;            // "Add(string, int)"
  std::string raw_name;        // as metadata has it: "MoveNext"
  std::string raw_type;        // whose member it is there: "Shop.Cart+<AddAsync>d__3"
  std::string raw_result;      // likewise: "System.Void"
  std::string raw_parameters;  // "System.String,System.Int32"
  uint64_t count = 0;          // how often it began
  std::vector<Line> lines;     // by file and number; empty if no PDB tells them
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

using Branches = std::vector<std::pair<uint32_t, uint32_t>>;  // methods, and which of their branches

struct FileLine {
  uint32_t number = 0;
  uint64_t count = 0;
  bool partly = false;
  Branches branches;
};

struct File {
  std::string path;                 // as the compiler was told it
  std::vector<uint8_t> hash;        // of its text as it was compiled
  std::string url;                  // where its repository has it, "" if it is not known
  std::optional<std::string> text;  // as far as a PDB has it
  std::vector<FileLine> lines;      // by number: those that have code
};

// A test, and which lines it ran.
struct Test {
  std::string name;                                  // "Shop.Tests.Cart.Adds"
  bool shared = false;                               // others ran at the same time: some of the lines may be theirs
  std::vector<std::pair<uint32_t, uint32_t>> lines;  // file and number, rising
  std::vector<Branch> branches = {};                 // those of which it went a way, by file and line
};

struct Coverage {
  bool counts = false;  // of how often, not only whether
  std::vector<Assembly> assemblies;
  std::vector<Type> types;
  std::vector<Method> methods;  // by assembly and row
  std::vector<File> files;
  std::vector<Test> tests;            // by name
  std::vector<std::string> problems;  // sentences: assemblies without lines, sources that moved
};

struct Totals {
  uint64_t lines = 0, lines_hit = 0;
  uint64_t branches = 0, branches_hit = 0;  // ways
  uint64_t methods = 0, methods_hit = 0;
  double line_rate() const { return lines == 0 ? 1 : static_cast<double>(lines_hit) / static_cast<double>(lines); }
  double branch_rate() const {
    return branches == 0 ? 1 : static_cast<double>(branches_hit) / static_cast<double>(branches);
  }
  double method_rate() const {
    return methods == 0 ? 1 : static_cast<double>(methods_hit) / static_cast<double>(methods);
  }
};

// Each line once, however many methods have code on it.
Totals totals_of(const Coverage& coverage, std::span<const uint32_t> methods);
Totals totals_of(const Coverage& coverage);
Totals totals_of_file(const Coverage& coverage, uint32_t file);

// How many ways there are of some branches, as a line's, and how many of them were gone.
struct Ways {
  uint64_t all = 0;
  uint64_t gone = 0;
};
Ways ways_of(const Coverage& coverage, const Branches& branches);

// Fills `files[…].lines` from the methods, and takes out of methods the lines that another's shorter statement reaches
// over, or begins on: that statement tells.
void join_lines(Coverage& coverage);

}  // namespace oriel::coverage
