#include "verdict.h"

#include <oriel/oriel.h>

#include <algorithm>
#include <fstream>

namespace contract {

void Verdict::violation(const std::string& rule, const std::string& example) {
  const std::lock_guard guard(lock_);
  Broken& broken = broken_[rule];
  if (broken.times++ == 0) broken.example = example;
}

void Verdict::write(const std::string& path, const std::vector<std::string>& required) {
  std::ofstream out(path);
  out << "runtime " << oriel_runtime_name() << "\n";
  std::vector<std::string> seen;
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  if (counted(number) > 0) {                                                 \
    seen.push_back(#name);                                                   \
    out << "event " #name " " << counted(number) << "\n";                    \
  }
#include <oriel/events.def>
#undef ORIEL_EVENT
  for (const std::string& name : required) {
    if (std::find(seen.begin(), seen.end(), name) == seen.end()) violation("required event never came", name);
  }
  const std::lock_guard guard(lock_);
  for (const auto& [rule, broken] : broken_) {
    out << "violation " << rule << " (" << broken.times << "): " << broken.example << "\n";
  }
  out << "verdict " << (broken_.empty() ? "pass" : "fail") << "\n";
  if (!out.flush()) oriel_warn(("the contract's verdict could not be written to " + path + "; check the path").c_str());
}

}  // namespace contract
