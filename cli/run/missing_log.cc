#include "run/missing_log.h"

#include <fmt/format.h>

#include "diagnostics/runtime.h"
#include "run/program.h"

namespace oriel::cli {

// Does not know whether the engine was loaded; the engine reports its own problems on stderr.
std::string why_no_log(const std::vector<std::string>& command, const std::string& path, bool with_children) {
  if (diagnostics::embeds_mono(path))
    return fmt::format(
        "no log was written: '{}' has Mono in it, which then takes no options from the environment; have it call "
        "mono_profiler_load(\"oriel\") before mono_jit_init",
        command[0]);
  const std::string verb = sdk_verb(command);
  std::string reason = fmt::format("'{}' ran no .NET code itself", command[0]);
  if (is_script(path)) reason = fmt::format("'{}' is a script", command[0]);
  if (!verb.empty()) reason = fmt::format("'dotnet {}' left the work to other processes", verb);
  const std::string advice = with_children ? "" : "add --children if a child process is the .NET program; ";
  return fmt::format(
      "no log was written. If Oriel gave no reason above: {}; {}native and NativeAOT programs cannot be profiled",
      reason, advice);
}

}  // namespace oriel::cli
