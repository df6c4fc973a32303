// Splitting `oriel run OPTIONS [--] COMMAND…`, and `oriel cover …`: the program's own options are none of ours.
#pragma once

#include <string>
#include <vector>

namespace oriel::cli {

struct Arguments {
  std::vector<std::string> own;      // for the option parser
  std::vector<std::string> command;  // the program and its arguments; empty but for `run` and `cover`
};

// `arguments` without argv[0]. Of `run` and `cover`, all after the first "--" is the command; without a "--" the
// command begins at the first argument that is neither an option nor an option's value.
Arguments split_arguments(const std::vector<std::string>& arguments);

}  // namespace oriel::cli
