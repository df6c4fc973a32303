// Assemblies within a single-file program: the host's executable with files behind it (the .NET runtime's
// docs/design/features/host-components.md and its bundle's manifest). Nothing of a file is trusted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oriel::coverage {

// The assembly of that name in the program; nullopt if it is not a single-file program, or has no such file.
std::optional<std::vector<uint8_t>> read_from_bundle(const std::string& program, const std::string& name);

}  // namespace oriel::coverage
