// The program's own assemblies, read from their files where these are on this machine.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "assembly/assembly.h"
#include "profile/profile.h"

namespace oriel::report {

// The very image that ran, as its PDB tells; `image`: index into Places::images.
std::optional<assembly::Assembly> code_of_image(const profile::Profile& profile, uint32_t image);

// Those that own code of stacks is in.
std::set<uint32_t> own_images(const profile::Profile& profile);

}  // namespace oriel::report
