#include "report/words/lock_names.h"

#include <fmt/format.h>

#include "report/words/own_code.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {
namespace {

// Only names of fields identify a lock; "this" and arguments may be any.
bool may_be_same(const std::string& one, const std::string& other) {
  const auto is_field = [](const std::string& name) { return name.find('.') != std::string::npos; };
  return one == other || !is_field(one) || !is_field(other);
}

}  // namespace

std::string LockName::text() const {
  const bool is_variable = !name.empty() && name != "this" && name.find_first_of(".(") == std::string::npos;
  return is_variable ? "in the variable " + name : name;
}

std::string LockName::made_text() const {
  if (made_in.empty()) return "";
  const std::string at = made_at.text.empty() ? "" : ", " + made_at.text;
  const std::string others = more == 0 ? "" : fmt::format(" and {}", counted(more, "other place", "other places"));
  return fmt::format("{} in {}{}{}", is_made ? "made" : "set", made_in, at, others);
}

LockNames::Image& LockNames::image(uint32_t number) {
  const auto [known, first] = images_.try_emplace(number);
  Image& image = known->second;
  if (!first) return image;
  image.code = code_of_image(profile_, number);
  if (image.code) image.origins = assembly::field_origins(*image.code);
  return image;
}

LockName LockNames::of(uint32_t node, assembly::LockKind kind) {
  const profile::Position& at = profile_.places.positions[profile_.nodes[node].position];
  if (at.row == 0) return {};
  const Image& in = image(at.image);
  if (!in.code) return {};
  const assembly::ValueName taken = assembly::acquired_lock(*in.code, {at.row, at.il}, kind);
  LockName lock;
  lock.name = clean(taken.name);
  const auto origin = taken.field == 0 ? in.origins.end() : in.origins.find(taken.field);
  if (origin == in.origins.end()) return lock;
  const assembly::FieldOrigin& from = origin->second;
  const assembly::CodeMember made = assembly::method_of(*in.code, assembly::method_token(from.place.method));
  lock.made_in = clean(made.text());
  lock.made_at = places_.line_of({at.image, from.place.method, from.place.il});
  lock.is_made = from.is_made;
  lock.more = from.more;
  lock.count = from.count;
  return lock;
}

const std::vector<assembly::HeldCode>& LockNames::held_code(Image& image, uint32_t method) {
  const auto [known, first] = image.held.try_emplace(method);
  if (first) known->second = assembly::held_code(*image.code, method);
  return known->second;
}

bool LockNames::may_hold(uint32_t node, const LockName& lock) {
  bool any_code = false;
  uint32_t callee = 0;  // method row of the callee
  for (; node != 0; node = profile_.nodes[node].parent) {
    const profile::Position& at = profile_.places.positions[profile_.nodes[node].position];
    if (at.row == 0) continue;
    Image& in = image(at.image);
    if (!in.code) continue;
    any_code = true;
    for (const assembly::HeldCode& held : held_code(in, at.row))
      if (held.from_il < at.il && at.il <= held.to_il && may_be_same(clean(held.name), lock.name)) return true;
    // An inlined method has no node of its own.
    const uint32_t inlined = assembly::called_method(*in.code, {at.row, at.il});
    if (inlined != 0 && inlined != callee)
      for (const assembly::HeldCode& held : held_code(in, inlined))
        if (may_be_same(clean(held.name), lock.name)) return true;
    callee = at.row;
  }
  return !any_code;
}

}  // namespace oriel::report
