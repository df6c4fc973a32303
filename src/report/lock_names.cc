#include "report/lock_names.h"

#include <fmt/format.h>

#include "report/own_code.h"
#include "report/text.h"
#include "report/units.h"

namespace oriel::report {

std::string LockName::made_text() const {
  if (made_in.empty()) return "";
  const std::string at = made_at.text.empty() ? "" : ", " + made_at.text;
  const std::string others = more == 0 ? "" : fmt::format(" and {}", counted(more, "other place", "other places"));
  return fmt::format("{} in {}{}{}", is_made ? "made" : "set", made_in, at, others);
}

const LockNames::Image& LockNames::image(uint32_t number) {
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
  const assembly::TakenLock taken = assembly::taken_lock(*in.code, {at.row, at.il}, kind);
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

}  // namespace oriel::report
