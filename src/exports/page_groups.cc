#include "exports/page_groups.h"

#include "exports/text.h"
#include "report/shares.h"

namespace oriel::exports {

uint32_t Groups::number(const profile::Share& share) {
  const std::string name = clean_text(report::share_name(share));
  const auto [at, is_new] = numbers_.try_emplace(name, static_cast<uint32_t>(all_.size()));
  if (is_new) all_.emplace_back(report::category_key(share.category), name);
  return at->second;
}

Groups::Of Groups::of(const profile::Profile& profile) {
  const profile::Purposes purposes = profile::purposes(profile);
  std::vector<uint32_t> numbers;
  for (const profile::Share& share : purposes.all) numbers.push_back(number(share));
  Of result;
  for (const uint32_t purpose : purposes.of_sample) result.sample.push_back(numbers[purpose]);
  for (const uint32_t purpose : purposes.of_node) result.node.push_back(numbers[purpose]);
  return result;
}

nlohmann::json Groups::json() const {
  nlohmann::json all = nlohmann::json::array();
  for (const auto& [key, name] : all_) all.push_back({key, name});
  return all;
}

}  // namespace oriel::exports
