// The purpose of a function by itself; category.cc derives the rest from its callers.
#pragma once

#include "profile/work/category.h"

namespace oriel::profile {

struct Purpose {
  Category category = Category::kUnknown;
  std::string name;  // as in Share::name
  // Which caller's purpose takes precedence: a runtime activity; that or .NET's own code, which this implements in C++;
  // any known one.
  enum class Yields { kNever, kToWork, kToNet, kToAny } yields = Yields::kNever;
};

// Whether the category is a runtime activity, which includes all that it calls.
bool is_work(Category category);

Purpose purpose_of(const Function& function, const Profile& profile);

// Whether it is the runtime's native code.
bool is_runtime(const Function& function);

// Whether it is in the C library, which is reported by itself where the program calls it directly.
bool is_c_library(const Function& function);

}  // namespace oriel::profile
