// Splits `oriel run OPTIONS [--] COMMAND…` and `oriel cover …`, so that the program's options are not parsed as ours.
#pragma once

#include <string>
#include <vector>

namespace oriel::cli {

struct Arguments {
  std::vector<std::string> own;      // for the option parser
  std::vector<std::string> command;  // the program and its arguments; only for `run` and `cover`
};

// `arguments` without argv[0]. For `run` and `cover`, the command is all after the first "--". Without "--", it starts
// at the first argument that is neither an option nor an option's value.
Arguments split_arguments(const std::vector<std::string>& arguments);

}  // namespace oriel::cli
