// What a function tells of what its time is for, taken by itself; category.cc makes out the rest from where it stands.
#pragma once

#include "profile/work/category.h"

namespace oriel::profile {

struct Purpose {
  Category category = Category::kUnknown;
  std::string name;  // as Share::name
  // Which caller's purpose goes before its own: a piece of the runtime's work; that or .NET's own code, whose pieces in
  // C++ these are; any that is known.
  enum class Yields { kNever, kToWork, kToNet, kToAny } yields = Yields::kNever;
};

// Whether a purpose is a piece of the runtime's work, to which all that it calls belongs.
bool is_work(Category category);

Purpose purpose_of(const Function& function, const Profile& profile);

// Whether it is the runtime's own code, which is written in C++.
bool is_runtime(const Function& function);

// Whether it is of the C library's: what the program calls of it directly is told by itself.
bool is_c_library(const Function& function);

}  // namespace oriel::profile
