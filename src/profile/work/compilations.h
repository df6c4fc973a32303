// JIT time by compiled method.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"
#include "profile/work/category.h"

namespace oriel::profile {

// Sampling periods by reason of compilation, without those in Oriel.
struct CompilationTotals {
  uint32_t function = 0;  // index into functions: the compiled method
  uint64_t first = 0;     // it had no code yet: tier 0, or fully optimized at once
  uint64_t tiered = 0;    // tier-up in the background: tier 1, instrumented or not
  uint64_t in_place = 0;  // replacing code that may be running: on-stack replacement, or a body with or without probes

  uint64_t all() const { return first + tiered + in_place; }
};

// By method, heaviest first.
std::vector<CompilationTotals> compilation_totals(const Profile& profile);
// First compilations by the origin of the methods, which have no ReadyToRun code.
struct FirstCompilations {
  Category category = Category::kUnknown;  // kOwn, kPackage, kFramework, …
  std::string name;                        // of the package or framework
  uint64_t periods = 0;
};

// By origin, heaviest first.
std::vector<FirstCompilations> first_compilations(const Profile& profile);
// The sum of these.
CompilationTotals sum(const std::vector<CompilationTotals>& totals);

// Samples during compilations, but outside the JIT compiler and Oriel: what the runtime does for a compilation, by
// category, heaviest first.
std::vector<Share> beside_the_compiler(const Profile& profile);

}  // namespace oriel::profile
