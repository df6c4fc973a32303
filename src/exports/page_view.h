// A page whose server has the log: it has no trees of its own, and asks for what it draws.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/status.h"
#include "exports/export.h"
#include "exports/page_selection.h"
#include "profile/profile.h"

namespace oriel::exports {

// One thread's.
class PageView {
 public:
  // The profile must live as long.
  static Result<std::unique_ptr<PageView>> make(const profile::Profile& profile, const Options& options);
  ~PageView();

  void write_page(std::ostream& out) const;

  // viewer/13-served.js documents the answers.
  // The tree of what is selected, as far as it can be drawn, and sums of it.
  nlohmann::json graph(const PageSelection& selection);
  // Who calls a method, and what it calls.
  nlohmann::json method(const PageSelection& selection);
  // All methods with their figures by each weight.
  nlohmann::json methods(const PageSelection& selection);
  // All frames, for a search.
  nlohmann::json names() const;

 private:
  struct Parts;
  explicit PageView(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace oriel::exports
