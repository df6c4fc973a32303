#include "commands.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

namespace oriel::cli {
namespace {

// Help that says what a person types: "--sample[=HZ]", and no more of the parser's own words than that.
class UsageFormatter : public CLI::Formatter {
 public:
  explicit UsageFormatter(std::string usage) : usage_(std::move(usage)) { column_width(26); }
  std::string make_usage(const CLI::App*, std::string) const override { return "Usage: " + usage_ + "\n"; }
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    std::string name = CLI::Formatter::make_option_name(option, is_positional);
    const size_t value = name.find('{');
    return value == std::string::npos ? name : name.substr(0, value) + "[=" + option->get_type_name() + "]";
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_size() == 0 ? "" : " " + option->get_type_name();
  }

 private:
  std::string usage_;
};

}  // namespace

void set_usage(CLI::App& command, const std::string& usage) {
  command.formatter(std::make_shared<UsageFormatter>(usage));
}

void say(const std::string& message) { fmt::print(stderr, "oriel: {}\n", message); }

}  // namespace oriel::cli
