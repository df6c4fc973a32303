#include "options.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/text/words.h"
#include "module/arguments.h"

namespace oriel::covering {
namespace {

using modules::Argument;
using modules::ArgumentKind;
using modules::Arguments;

enum Row : size_t { kMode, kPerTest, kInclude, kExclude, kOutput };
constexpr Argument kTable[] = {
    {.name = "mode", .kind = ArgumentKind::kChoice, .words = "hit|count"},
    {.name = "per-test", .kind = ArgumentKind::kFlag},
    {.name = "include", .kind = ArgumentKind::kPatterns},
    {.name = "exclude", .kind = ArgumentKind::kPatterns},
    {.name = "output", .kind = ArgumentKind::kFile},
};
static_assert(std::size(kTable) == kOutput + 1);

// A file's path extends to the end of the text, so it is moved after the other arguments.
std::string with_file_last(const std::string& args) {
  constexpr std::string_view kFile = "output=";
  const size_t begin = args.starts_with(kFile) ? 0 : args.find("," + std::string(kFile));
  if (begin == std::string::npos) return args;
  size_t end = args.size();
  for (const Argument& next : kTable) {
    const std::string start = "," + std::string(next.name) + (next.kind == ArgumentKind::kFlag ? "" : "=");
    if (next.kind != ArgumentKind::kFile) end = std::min(end, args.find(start, begin + kFile.size()));
  }
  const std::string file = args.substr(begin, end - begin);
  return args.substr(0, begin) + args.substr(end) + (begin == 0 ? "," : "") + file;
}

// `include` without what `exclude` selects.
std::string patterns_of(const Arguments& given) {
  std::string text = given.value(kInclude);
  std::string_view excluded = given.value(kExclude);
  while (!excluded.empty()) {
    text += text.empty() ? "!" : "|!";
    text += cut(excluded, '|');
  }
  return text;
}

}  // namespace

Result<Options> parse_options(const std::string& args) {
  Arguments given("coverage", kTable);
  if (Status status = given.parse(with_file_last(args)); !status) return status;
  if (given.value(kExclude).find('!') != std::string::npos)
    return Status::error("coverage: exclude=" + given.value(kExclude) +
                         ": what is not to be left out needs no '!' here; give it with include=");
  Options options;
  auto methods = MethodPatterns::parse(patterns_of(given));
  if (!methods) return Status::error("coverage: " + methods.message());
  options.methods = std::move(*methods);
  options.counts = given.value(kMode) == "count";
  options.per_test = given.given(kPerTest);
  if (given.given(kOutput)) options.out = given.value(kOutput);
  return options;
}

}  // namespace oriel::covering
