#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace oriel::exports {

// `data` as a gzip file. An error only if memory is exhausted.
Result<std::string> gzip(std::string_view data);

}  // namespace oriel::exports
