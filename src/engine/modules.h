// Loading profiler modules.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace oriel {

// Loads one module by its description (base/process/module_spec.h); see oriel_load.
Status load_module(const std::string& description);

// The folder of the engine's library.
std::string engine_folder();

// Reads what the environment asks for, and has the rest of it hold from now on: to be called before anything asks
// whether the process redacts.
void read_wanted_modules();

// Loads the modules that the environment asks for (wanted_modules.h); warns about those that cannot be loaded. Where
// they are to be paused, they wait until they are started (change_module).
void load_modules_of_environment();

struct ModuleState {
  enum class Is { kRunning, kStopped, kWaiting, kWithoutLifecycle };
  std::string name;
  Is is = Is::kWithoutLifecycle;
  std::string options, file, details;  // as src/modules/module.h says; "" where it does not tell
};

// Those that are loaded, in their order, and then those that wait. Any thread outside callbacks, as all that follows.
std::vector<ModuleState> module_states();

// What src/modules/module.h says of oriel_module_change_NAME. Loads the module first if it is not loaded.
Result<std::string> change_module(const std::string& name, const std::string& set, const std::string& dropped);

// Whether any module is loaded that is not Oriel's own. Any thread outside callbacks.
bool has_foreign_modules();

// Calls oriel_module_ACTION_NAME, one of those without options. Errors say if there is no such module, or function.
Status call_module(const std::string& name, std::string_view action);

// Calls oriel_module_ACTION_NAME("argument", …) of the modules that run and have it. Returns their answers; the error
// of one if none has answered, `none` if there is no such module.
Result<std::vector<std::string>> answers_of_modules(std::string_view action, const std::string& argument, Status none);

// From now on a module that runs does what it would with these options; see oriel_module_apply_NAME.
Status apply_to_module(const std::string& name, const std::string& options);

// Starts these modules, joined by ';', for a tool that has attached the engine: loads those that are not loaded yet.
// The first that cannot be started is the error.
Status start_modules(const std::string& descriptions);
// Stops all that run; warns of what goes wrong.
void stop_modules();

// Identifies the load in progress on the calling thread; nullptr if none.
const void* current_load();

}  // namespace oriel
