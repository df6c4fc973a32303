// Which names an image's types have, without making them up.
#pragma once

#include <string_view>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// As Runtime::has_names.
bool has_names(MetaDataImport& import, std::string_view prefix);

}  // namespace oriel::coreclr
