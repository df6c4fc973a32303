// A small program's coverage, made by hand: two files, four methods, one condition, two tests.
#pragma once

#include "coverage/coverage.h"

namespace oriel::coverage::test {

inline Coverage shop(bool counts = true) {
  Coverage shop;
  shop.counts = counts;
  shop.assemblies = {{"Shop", "/srv/Shop.dll", true, true}};
  shop.types = {{"Shop.Cart", "Shop", 0}, {"Shop.Box<T>.Shelf", "Shop", 0}};
  shop.files.resize(2);
  shop.files[0].path = "/src/Cart.cs";
  shop.files[0].text = "class Cart {\n\tvoid Add(string name) {\n    if (name == \"</script>\")\n      Count();\n  }\n";
  shop.files[1].path = "/src/Box & Co.cs";
  Method add{0, 1, "Add(string)", "Add", "Shop.Cart", "System.Void", "System.String", 3, {}, {}};
  add.lines = {{0, 2, 3}, {0, 3, 3}, {0, 4, 0}, {0, 5, 3}};
  add.branches = {{0, 3, 8, {0, 3}}};
  Method never{0, 2, "Clear()", "Clear", "Shop.Cart", "System.Void", "", 0, {}, {}};
  never.lines = {{0, 8, 0}, {0, 9, 0}};
  Method put{1, 3, "Put(T[])", "Put", "Shop.Box`1+Shelf", "System.Void", "T[]", 7, {}, {}};
  put.lines = {{1, 4, 7}, {1, 5, 7, true}};
  shop.methods = {add, never, put};
  join_lines(shop);
  shop.tests = {{"Tests.Adds", false, {{0, 2}, {0, 3}}}, {"Tests.Puts", false, {{1, 4}}}};
  return shop;
}

}  // namespace oriel::coverage::test
