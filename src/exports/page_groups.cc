#include "exports/page_groups.h"

#include "exports/text.h"
#include "profile/work/purpose.h"
#include "report/shares.h"

namespace oriel::exports {

uint32_t Groups::number(const profile::Share& share) {
  return named(report::category_key(share.category), clean_text(report::share_name(share)));
}

uint32_t Groups::named(const char* key, const std::string& name) {
  const auto [at, is_new] = numbers_.try_emplace(name, static_cast<uint32_t>(all_.size()));
  if (is_new) all_.emplace_back(key, name);
  return at->second;
}

uint32_t Groups::of_type(const profile::Function& type, const profile::Profile& profile) {
  const profile::Purpose purpose = profile::purpose_of(type, profile);
  return number({purpose.category, purpose.name, 0});
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
