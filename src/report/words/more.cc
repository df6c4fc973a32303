#include "report/words/more.h"

#include "base/text/function_names.h"
#include "base/text/shown_shell_word.h"
#include "profile/trees/call_tree.h"
#include "report/words/table.h"
#include "report/words/text.h"

namespace oriel::report {
namespace {

constexpr std::string_view kUnbroken = "\u00a0";

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

// The part of a name that identifies it: class and method, unless generic arguments contain dots.
std::string_view short_name(std::string_view name) {
  const std::string_view all = without_parameters(name);
  if (all.find('<') != std::string_view::npos) return all;
  const size_t method = all.ends_with("ctor") ? all.rfind("..") : all.rfind('.');
  if (method == std::string_view::npos || method == 0) return all;
  const size_t before = all.rfind('.', method - 1);
  return before == std::string_view::npos ? all : all.substr(before + 1);
}

}  // namespace

std::string lines_command(const profile::Function& function) {
  return "oriel report lines " + shown_shell_word(short_name(function.name));
}

std::string more(std::string_view command, const Options& options) {
  if (command.empty()) return "";
  return "→ " + std::string(command) + (options.same_log.empty() ? "" : " " + options.same_log);
}

std::string wrap_with_more(std::string_view text, std::string_view command, std::string_view indent,
                           const Options& options) {
  const std::string shown = more(command, options);
  if (shown.empty()) return wrap(text, options.width, indent);
  const std::string whole = std::string(text) + " ";
  if (display_width(shown) + indent.size() > options.width) return wrap(whole + shown, options.width, indent);
  const std::string unbroken = replaced(shown, " ", kUnbroken);
  return replaced(wrap(whole + unbroken, options.width, indent), unbroken, Style(options.color).dim(shown));
}

std::string titled(std::string_view title, std::string_view command, const Options& options) {
  return command.empty() ? std::string(title) : std::string(title) + "  " + more(command, options);
}

}  // namespace oriel::report
