#include "cover/source_folders.h"

#include <string>
#include <vector>

#include "lines/source_places.h"

namespace oriel::cli {

void add_sources(CLI::App& command) {
  const auto add = [](const std::vector<std::string>& folders) {
    for (const std::string& folder : folders)
      if (const Status status = lines::add_source_folder(folder); !status) throw CLI::ValidationError(status.message());
  };
  command
      .add_option_function<std::vector<std::string>>(
          "--sources", add,
          "Also show sources below this folder (default: those of the current folder's project and of the program's; "
          "others only if their text is exactly what was compiled); may be repeated")
      ->type_name("FOLDER")
      ->allow_extra_args(false);
}

}  // namespace oriel::cli
