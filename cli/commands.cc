#include "commands.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>

#include "base/text/whole_number.h"
#include "report/words/text.h"

namespace oriel::cli {
namespace {

// Help in our own words: "--sample[=HZ]", without the parser's additions.
class UsageFormatter : public CLI::Formatter {
 public:
  explicit UsageFormatter(std::string usage) : usage_(std::move(usage)) { column_width(kNames); }
  std::string make_usage(const CLI::App*, std::string) const override { return "Usage: " + usage_ + "\n"; }
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    if (is_positional) return option->get_type_name();
    const std::string name = CLI::Formatter::make_option_name(option, false);
    return may_have_value(option) ? name + "[=" + option->get_type_name() + "]" : name;
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    const bool is_in_name = option->get_positional() || may_have_value(option);
    return option->get_type_size() == 0 || is_in_name ? "" : " " + option->get_type_name();
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    std::string lines = report::wrap(CLI::Formatter::make_option_desc(option), kWidth - kNames, "");
    if (lines.ends_with('\n')) lines.pop_back();
    return lines;
  }

 private:
  static bool may_have_value(const CLI::Option* option) {
    return option->get_items_expected_min() == 0 && option->get_items_expected_max() > 0;
  }

  static constexpr size_t kWidth = 100, kNames = 26;  // columns

  std::string usage_;
};

}  // namespace

void set_usage(CLI::App& command, const std::string& usage) {
  command.formatter(std::make_shared<UsageFormatter>(usage));
}

void set_footer(CLI::App& command, std::string (*text)()) {
  command.footer("");  // removes the one inherited from the app
  command.footer(text);
}

std::function<std::string(const std::string&)> whole_number_check(uint64_t least, uint64_t most) {
  return [least, most](const std::string& text) -> std::string {
    const std::optional<uint64_t> number = whole_number(text);
    if (number && *number >= least && *number <= most) return "";
    return most == UINT64_MAX ? fmt::format("'{}' is not a whole number of at least {}", text, least)
                              : fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
  };
}

void say(const std::string& message) { fmt::print(stderr, "oriel: {}\n", report::clean(message)); }

}  // namespace oriel::cli
