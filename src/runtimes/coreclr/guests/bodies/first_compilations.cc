#include "runtimes/coreclr/guests/bodies/first_compilations.h"

namespace oriel::coreclr {

bool FirstCompilations::is_new(const MethodKey& key) {
  const std::lock_guard guard(lock_);
  return !methods_.contains(key);
}

void FirstCompilations::told(const MethodKey& key, const Told& told) {
  const std::lock_guard guard(lock_);
  methods_[key] = {told.guests == 0 ? State::kUsual : State::kToldBegin, told};
}

uint32_t FirstCompilations::begins(const MethodKey& key, FunctionID function) {
  const std::lock_guard guard(lock_);
  Method& method = methods_[key];
  if (method.state == State::kUsual || method.state == State::kBegun || method.told.function != function) return 0;
  // The version's end was not reported yet, so the end of this compilation stands for it.
  method.state = method.state == State::kToldBegin ? State::kUsual : State::kBegun;
  return method.told.guests;
}

uint32_t FirstCompilations::ends(const MethodKey& key, FunctionID function) {
  const std::lock_guard guard(lock_);
  const auto found = methods_.find(key);
  if (found == methods_.end()) return 0;
  Method& method = found->second;
  if (method.state != State::kBegun || method.told.function != function) return 0;
  method.state = State::kUsual;
  return method.told.guests;
}

FirstCompilations::Told FirstCompilations::version_ends(const MethodKey& key) {
  const std::lock_guard guard(lock_);
  const auto found = methods_.find(key);
  if (found == methods_.end() || found->second.state != State::kToldBegin) return {};
  found->second.state = State::kTold;
  return found->second.told;
}

void FirstCompilations::module_unloading(ModuleID module) {
  const std::lock_guard guard(lock_);
  std::erase_if(methods_, [&](const auto& entry) { return entry.first.module == module; });
}

}  // namespace oriel::coreclr
