// A view of the log of tests/profile/shop, which covers 100 ms.
#pragma once

#include <memory>
#include <utility>

#include "profile/shop/shop_log.h"
#include "top/view.h"

namespace oriel::testing {

inline top::Window shop_window(profile::Profile profile = shop_profile()) {
  top::Window window{{"Shop", 4711, 123}, {}, 0.1, top::ProcessFigures{1.5, 181'000'000, 23, 4}};
  window.profile = std::make_shared<const profile::Profile>(top::prepared(std::move(profile)));
  return window;
}

inline top::View shop_view(profile::Profile profile = shop_profile()) {
  top::Carried carried;
  return top::make_view(shop_window(std::move(profile)), carried);
}

inline const top::Row* find_row(const top::Page& page, const std::string& name) {
  for (const top::Row& row : page.rows)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace oriel::testing
