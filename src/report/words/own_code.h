// The program's own assemblies, read from their files if they are on this machine.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "assembly/assembly.h"
#include "profile/profile.h"

namespace oriel::report {

// The image that ran, verified by the id of its symbols; `image` is an index into Places::images.
std::optional<assembly::Assembly> code_of_image(const profile::Profile& profile, uint32_t image);

// Images of own code that is in stacks.
std::set<uint32_t> own_images(const profile::Profile& profile);

}  // namespace oriel::report
