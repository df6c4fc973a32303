#include "base/own_options.h"

namespace oriel {

std::string joined(const std::vector<std::string>& words, std::string_view before_last) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i != 0) text += i + 1 == words.size() ? before_last : ", ";
    text += words[i];
  }
  return text;
}

Status takes_no_option(std::string_view row, std::string_view option, const std::vector<std::string>& takers) {
  const std::string goes = takers.empty() ? "" : "; it goes with " + joined(takers, " and ");
  return Status::error(std::string(row) + " takes no " + std::string(option) + goes);
}

}  // namespace oriel
