// oriel version
#include <fmt/format.h>

#include <memory>

#include "base/process/coreclr_clsid.h"
#include "base/version.h"
#include "commands.h"
#include "log/format.h"
#include "oriel/oriel.h"

namespace oriel::cli {

void add_version(CLI::App& app, int& exit_code) {
  CLI::App* sub = app.add_subcommand("version", "Show the versions of Oriel, of its module API and of its log format");
  auto clsid = std::make_shared<bool>(false);
  set_usage(*sub, "oriel version [--clsid]");
  sub->add_flag("--clsid", *clsid, "Show the CORECLR_PROFILER that makes a runtime load Oriel without oriel run");
  sub->callback([clsid, &exit_code] {
    if (*clsid) {
      fmt::print("{}\n", ORIEL_CORECLR_CLSID);
    } else {
      fmt::print(
          "oriel {} for {} (module API {}, takes modules for 1 to {}; logs: writes version {}, reads {} to {})\n",
          version_text(), built_for_text(), ORIEL_API_VERSION, ORIEL_API_VERSION, log::kVersion2, log::kVersion1,
          log::kVersion2);
    }
    exit_code = 0;
  });
}

}  // namespace oriel::cli
