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
          "Show sources below this folder too (default: those of the project of the current folder and of the "
          "program's, and elsewhere only the very text that was compiled); may be repeated")
      ->type_name("FOLDER")
      ->allow_extra_args(false);
}

}  // namespace oriel::cli
