// What a person asks by `oriel ctl`, in the words of `oriel run`, and what that means for the engine.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "control/message.h"

namespace oriel::cli {

// The requests to the engine, in order, that "start sample=500 calls=Shop.*" stands for: the features are options of
// `oriel run` without their dashes, or names of modules. The values are checked. `output` ("": none) is the file that a
// module which is started writes. Errors name the word and say what is possible.
Result<std::vector<control::Words>> requests_for(const std::vector<std::string>& words, const std::string& output);

// Whether what runs after these requests fits together, as for `oriel run`; `state` is what the engine answers to
// "status". Options that are wrong by themselves are left to the modules.
Status check_together(const std::vector<control::Words>& state, const std::vector<control::Words>& requests);

}  // namespace oriel::cli
