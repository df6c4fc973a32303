#include "show/own_options.h"

#include <fmt/format.h>

#include <algorithm>

namespace oriel::cli {

void OwnOptions::learn(const char* row, Own option, const char* help) {
  auto known = std::ranges::find(all_, option.name, &Own::name);
  if (known == all_.end()) known = all_.insert(known, std::move(option));
  const auto says = std::ranges::find_if(known->takers, [help](const auto& taker) { return taker.first == help; });
  if (says == known->takers.end())
    known->takers.push_back({help, {row}});
  else
    says->second.emplace_back(row);
}

void OwnOptions::add_learnt(CLI::App& command, const char* kind) {
  for (Own& own : all_) {
    const bool of_one = own.takers.size() == 1 && own.takers[0].second.size() == 1;
    std::string text;
    for (const auto& [help, rows] : own.takers)
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", fmt::join(rows, ", "), help);
    CLI::Option* option =
        own.type.empty() ? command.add_flag(own.name) : command.add_option(own.name, own.value)->type_name(own.type);
    option->description(of_one ? own.takers[0].first : text);
    if (of_one) option->group(fmt::format("Only of {} {}", kind, own.takers[0].second[0]));
    own.option = option;
  }
}

std::vector<std::pair<std::string, std::string>> OwnOptions::given() const {
  std::vector<std::pair<std::string, std::string>> given;
  for (const Own& own : all_)
    if (own.option->count() != 0) given.emplace_back(own.name, own.value);
  return given;
}

}  // namespace oriel::cli
