// Which methods the JIT compiler's time went to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"
#include "profile/work/category.h"

namespace oriel::profile {

// Sampling periods by what the compilations were for.
struct CompilationTotals {
  uint32_t function = 0;  // index into functions: the method
  uint64_t first = 0;     // it had no code before: tier 0, or optimized at once
  uint64_t tiered = 0;    // in the background, because it is called often: tier 1, instrumented or not
  uint64_t in_place = 0;  // where it runs, though it had code: on-stack replacement, or a body with or without probes

  uint64_t all() const { return first + tiered + in_place; }
};

// By method, most first.
std::vector<CompilationTotals> compilation_totals(const Profile& profile);
// Of the first compilations, those of code of one origin: in it because nothing had compiled them ahead.
struct FirstCompilations {
  Category category = Category::kUnknown;  // kOwn, kPackage, kFramework, …
  std::string name;                        // of the package or framework
  uint64_t periods = 0;
};

// By origin, most first.
std::vector<FirstCompilations> first_compilations(const Profile& profile);
// The sum of these.
CompilationTotals sum(const std::vector<CompilationTotals>& totals);

// What the samples of compilations are for (category.h) that is not the JIT compiler: what the runtime, or Oriel, does
// for a compilation outside of the compiler. Most first.
std::vector<Share> beside_the_compiler(const Profile& profile);

}  // namespace oriel::profile
