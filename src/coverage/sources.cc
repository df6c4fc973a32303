#include "coverage/sources.h"

#include <filesystem>

#include "lines/source_places.h"

namespace oriel::coverage {
namespace {

// Limits lines: a text of nothing but line breaks would take many times its size.
size_t most_lines(std::string_view text) {
  constexpr size_t kBytesOfALine = 16, kLinesOfAny = 100'000;
  return text.size() / kBytesOfALine + kLinesOfAny;
}

}  // namespace

SourceText source_of(const File& file) {
  if (file.text) return {{}, lines::split_lines(*file.text, most_lines(*file.text))};
  std::optional<lines::Source> source = lines::find_source({file.path, file.hash});
  if (!source) return {};
  SourceText text{std::move(*source), {}};
  text.lines.assign(text.here.lines.begin(), text.here.lines.end());
  return text;
}

void find_sources(Coverage& coverage) {
  size_t missing = 0, outside = 0;
  std::string first, first_outside;
  for (File& file : coverage.files) {
    std::error_code error;
    if (file.lines.empty() || file.text) continue;
    if (std::filesystem::exists(file.path, error)) {
      if (lines::place_of_source(file.path) == lines::SourcePlace::kOwn || lines::find_source({file.path, file.hash}))
        continue;
      if (outside++ == 0) first_outside = file.path;
      continue;
    }
    if (const std::optional<lines::Source> source = lines::find_source({file.path, file.hash})) {
      file.path = source->path;
    } else if (missing++ == 0) {
      first = file.path;
    }
  }
  if (outside != 0)
    coverage.problems.push_back(
        (outside == 1 ? "a source file is outside the project or is not named like code"
                      : std::to_string(outside) + " source files are outside the project or are not named like code") +
        ", so marks are shown without text: " + first_outside + (outside == 1 ? "" : " and more") +
        "; --sources FOLDER shows what is there");
  if (missing == 0) return;
  coverage.problems.push_back((missing == 1 ? "a source file is" : std::to_string(missing) + " source files are") +
                              " not on this machine, so marks are shown without text: " + first +
                              (missing == 1 ? "" : " and more"));
}

}  // namespace oriel::coverage
