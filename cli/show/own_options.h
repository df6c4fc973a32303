// Options that only some reports, or formats, take (base/own_options.h), as options of the command.
#pragma once

#include <CLI/CLI.hpp>
#include <deque>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace oriel::cli {

class OwnOptions {
 public:
  // Adds all that any of the rows takes, each once, in the order of the rows. `kind` is what these are: "report". An
  // option of a single row has its help as the row says it, in a group of that row's, and one of several says of which
  // it is: "counters: …; callgraph, diff: …". Must live as long as the command.
  template <typename Row>
  void add(CLI::App& command, const char* kind, std::span<const Row* const> rows) {
    for (const Row* row : rows)
      for (const auto& option : row->options)
        learn(row->name, {option.name, option.value ? option.value : ""}, option.help);
    add_learnt(command, kind);
  }

  // Names and values of those that the command line has; of a flag "".
  std::vector<std::pair<std::string, std::string>> given() const;

 private:
  struct Own {
    std::string name;
    std::string type;                                                           // of its value; "": a flag
    std::vector<std::pair<std::string, std::vector<std::string>>> takers = {};  // rows, by what it does there
    std::string value = {};
    const CLI::Option* option = nullptr;
  };

  void learn(const char* row, Own option, const char* help);
  void add_learnt(CLI::App& command, const char* kind);

  std::deque<Own> all_;
};

}  // namespace oriel::cli
