#include "runtimes/mono/profile_option.h"

#include <string>

#include "base/process/selected_process.h"
#include "engine/engine.h"
#include "engine/lifecycle.h"
#include "engine/modules.h"
#include "engine/or_else.h"
#include "engine/wanted_modules.h"
#include "runtimes/mono/begin.h"

namespace oriel::mono {
namespace {

// "" if nothing. The environment still is as Mono was started with.
std::string what_lacks(const std::string& description) {
  if (!is_selected_process()) return "";
  const std::string option = "--profile=" + description;
  const std::string what_to_do = "; start the program by `oriel run -- mono …`, or name the modules in ORIEL_PROFILERS";
  if (description.find(':') != description.npos) return option + ": what follows the name has no effect" + what_to_do;
  return is_told_of_modules(engine_folder()) ? "" : option + " alone records nothing" + what_to_do;
}

}  // namespace

void begin_by_option(const char* description, const void* caller) noexcept {
  attempt([&] {
    const std::string lacks = what_lacks(description ? description : "");
    begin(caller);
    if (current_runtime() && !lacks.empty()) warn(lacks.c_str());
  });
}

}  // namespace oriel::mono
