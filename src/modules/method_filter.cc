#include "modules/method_filter.h"

#include <utility>

#include "modules/origin.h"

namespace oriel::modules {

uint8_t MethodFilter::about(oriel_image* image) {
  const uint32_t id = oriel_image_id(image);
  if (id < kRemembered) {
    if (const uint8_t known = images_[id].load(std::memory_order_relaxed)) return known;
  }
  oriel_assembly* assembly = oriel_image_assembly(image);
  const std::string name = assembly ? oriel_assembly_name(assembly) : "";
  const bool user_code = is_own_code(oriel_image_path(image), name);
  const auto choice = patterns_.of_assembly(
      name, user_code, [image](const std::string& prefix) { return oriel_image_has_names(image, prefix.c_str()); });
  const auto known =
      static_cast<uint8_t>(kKnown | (user_code ? kUserCode : 0) | static_cast<unsigned>(choice) << kChoiceShift);
  // An image that is being loaded has no assembly yet.
  if (assembly && id < kRemembered) images_[id].store(known, std::memory_order_relaxed);
  return known;
}

bool MethodFilter::wants_any(oriel_image* image) {
  return static_cast<MethodPatterns::Choice>(about(image) >> kChoiceShift) != MethodPatterns::Choice::kNo;
}

// Code is read only for methods that would be selected, once each.
bool MethodFilter::leaves_out(oriel_method* method, const std::string& assembly) {
  if (trivial_ == Trivial::kIn) return false;
  const uint32_t id = oriel_method_id(method);
  if (trivial_methods_.contains(id)) return true;
  if (!oriel_method_is_trivial(method) || patterns_.names(assembly, oriel_method_name(method))) return false;
  trivial_methods_.add(id);
  left_out_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

bool MethodFilter::wants(oriel_method* method) {
  oriel_image* image = oriel_method_image(method);
  if (!image) return false;  // a dynamic method
  const uint8_t known = about(image);
  const auto choice = static_cast<MethodPatterns::Choice>(known >> kChoiceShift);
  if (choice == MethodPatterns::Choice::kNo) return false;
  oriel_assembly* of = oriel_image_assembly(image);
  const std::string assembly = of ? oriel_assembly_name(of) : "";
  const bool wanted = choice == MethodPatterns::Choice::kYes ||
                      patterns_.of_method(assembly, (known & kUserCode) != 0, oriel_method_name(method));
  if (wanted && !chose_any_.load(std::memory_order_relaxed)) chose_any_.store(true, std::memory_order_relaxed);
  return wanted && !leaves_out(method, assembly);
}

std::vector<std::string> MethodFilter::complaints(const std::string& option, bool any_call) const {
  std::vector<std::string> lines;
  for (const std::string& pattern : patterns_.unmatched()) {
    lines.push_back(option + " " + quoted_pattern(pattern) +
                    " matched no method that ran; patterns look like 'MyApp.*', 'MyApp.Cart.Add' or '[Assembly]'");
  }
  if (!lines.empty()) return too_late_ ? std::vector{option + ": " + too_late_} : lines;
  // A pattern counts as matched once something was asked: an image before any of its methods, a method before it runs.
  if (patterns_.includes_user_code() && !chose_any_.load(std::memory_order_relaxed)) {
    lines.push_back(option + " found no user code; what comes with .NET or in packages is chosen by name: " + option +
                    "='System.Net.*'");
  } else if (!any_call) {
    lines.push_back(option + ": no method that matches PATTERNS was called");
  }
  return lines;
}

std::shared_ptr<MethodFilter> ChosenMethods::filter() const {
  const std::lock_guard guard(lock_);
  return filter_;
}

// Nobody is asked under the lock. An answer of a filter that was replaced meanwhile does not count.
bool ChosenMethods::wants(oriel_method* method) {
  const uint32_t id = oriel_method_id(method);
  for (;;) {
    const std::shared_ptr<MethodFilter> asked = filter();
    const bool wanted = asked && asked->wants(method);
    const std::lock_guard guard(lock_);
    if (filter_ != asked) continue;
    if (wanted) return set_.add(id);
    set_.remove(id);
    return false;
  }
}

bool ChosenMethods::wants_any(oriel_image* image) const {
  const std::shared_ptr<MethodFilter> asked = filter();
  return asked && asked->wants_any(image);
}

void ChosenMethods::choose(std::unique_ptr<MethodFilter> filter) {
  const std::shared_ptr<MethodFilter> chosen = std::move(filter);
  {
    const std::lock_guard guard(lock_);
    filter_ = chosen;
  }
  set_.for_each([&](uint32_t id) {
    oriel_method* const method = oriel_method_by_id(id);
    if (chosen && method && chosen->wants(method)) return;
    const std::lock_guard guard(lock_);
    set_.remove(id);
  });
}

}  // namespace oriel::modules
