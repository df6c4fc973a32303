// A headless Chromium for tests of the exported page.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "exports/export.h"
#include "profile/profile.h"

namespace oriel::testing {

// Fine if there is a Chromium to run; else a sentence that says how to get one.
std::string why_no_browser();

// The exported page, with `script` (JavaScript; may be empty) run in it after its own. The script calls
// report(name, value) as often as it likes and done() at the end; it may be asynchronous.
std::string page_with_script(const profile::Profile& profile, const std::string& script,
                             const exports::Options& options = {});

// The same of any page, without tools for the graph.
std::string with_script(std::string page, const std::string& script);

// What the script of such a page reported. A page error is reported as "error". The browser's clock jumps ahead while
// the page waits; with kReal it does not, for measuring, and the script must not wait for anything.
enum class Clock { kJumping, kReal };
nlohmann::json run_in_browser(const std::string& page, Clock clock = Clock::kJumping);

}  // namespace oriel::testing
