#include "coverage/changed_lines.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <tuple>
#include <utility>

namespace oriel::coverage {
namespace {

constexpr std::string_view kAbsentFile = "/dev/null";

constexpr std::string_view kEscapes = "abtnvfr", kEscaped = "\a\b\t\n\v\f\r";

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// Git quotes names with non-ASCII characters, quotes or line breaks, and escapes such bytes as "\303".
std::string unquoted(std::string_view name) {
  if (name.size() < 2 || !name.starts_with('"') || !name.ends_with('"')) return std::string(name);
  name = name.substr(1, name.size() - 2);
  std::string text;
  for (size_t at = 0; at < name.size(); ++at) {
    if (name[at] != '\\' || at + 1 == name.size()) {
      text += name[at];
      continue;
    }
    const char kind = name[++at];
    if (is_octal(kind)) {
      unsigned byte = 0;
      const size_t end = std::min(at + 3, name.size());
      for (; at < end && is_octal(name[at]); ++at) byte = byte * 8 + static_cast<unsigned>(name[at] - '0');
      text += static_cast<char>(byte);
      --at;
    } else {
      const size_t letter = kEscapes.find(kind);
      text += letter == std::string_view::npos ? kind : kEscaped[letter];
    }
  }
  return text;
}

// The name in "+++ b/Cart.cs". A tab follows names with blanks.
std::string_view name_in(std::string_view line) {
  line.remove_prefix(4);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line.starts_with('"') ? line : line.substr(0, line.find('\t'));
}

// The path common to both sides. Prefixes differ (a/ and b/, i/ and w/, or configured ones) or are missing.
std::string without_prefix(const std::string& before, const std::string& now) {
  if (before == now) return now;
  const auto [end, other] = std::ranges::mismatch(before.rbegin(), before.rend(), now.rbegin(), now.rend());
  const size_t same = static_cast<size_t>(end - before.rbegin());
  const size_t slash = now.find('/', now.size() - same);
  return slash == std::string::npos ? now : now.substr(slash + 1);
}

// For a file that exists on one side only.
std::string without_usual_prefix(const std::string& name) {
  constexpr std::string_view kPrefixes = "biwco";
  const bool has = name.size() > 2 && name[1] == '/' && kPrefixes.find(name[0]) != std::string_view::npos;
  return has ? name.substr(2) : name;
}

// The header of one file, above its hunks.
struct Header {
  std::string_view both;     // "a/Cart.cs b/Cart.cs"
  std::string_view renamed;  // new name, without prefix
  std::string_view before;

  // "" if the file was deleted.
  std::string path(std::string_view now) const {
    if (now == kAbsentFile) return "";
    if (!renamed.empty()) return unquoted(renamed);
    if (both.size() > now.size() + 1 && both.ends_with(now))
      return without_prefix(unquoted(both.substr(0, both.size() - now.size() - 1)), unquoted(now));
    if (before.empty() || before == kAbsentFile) return without_usual_prefix(unquoted(now));
    return without_prefix(unquoted(before), unquoted(now));
  }
};

bool take(std::string_view line, std::string_view beginning, std::string_view& rest) {
  if (!line.starts_with(beginning)) return false;
  rest = line.substr(beginning.size());
  return true;
}

// "+12,3" in "@@ -10 +12,3 @@": first line 12, 3 lines; 1 line without a comma.
std::pair<uint32_t, uint32_t> added(std::string_view header) {
  const size_t plus = header.find('+');
  if (plus == std::string_view::npos) return {0, 0};
  uint32_t first = 0, lines = 1;
  const char* const end = header.data() + header.size();
  const auto parsed = std::from_chars(header.data() + plus + 1, end, first);
  if (parsed.ptr != end && *parsed.ptr == ',') std::from_chars(parsed.ptr + 1, end, lines);
  return {first, lines};
}

std::string_view next_line(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace

std::map<std::string, std::set<uint32_t>> changed_lines(const std::string& diff) {
  std::map<std::string, std::set<uint32_t>> changed;
  Header header;
  std::string path;
  uint32_t number = 0, left = 0;  // next line number in a hunk, and its remaining lines, which may have any text
  for (std::string_view rest = diff; !rest.empty();) {
    const std::string_view line = next_line(rest);
    if (left > 0) {
      if (line.starts_with('-') || line.starts_with('\\')) continue;
      if (line.starts_with('+') && !path.empty()) changed[path].insert(number);
      ++number;
      --left;
    } else if (line.starts_with("diff ")) {
      header = {};
      take(line, "diff --git ", header.both);
    } else if (take(line, "rename to ", header.renamed) || take(line, "copy to ", header.renamed)) {
    } else if (line.starts_with("--- ")) {
      header.before = name_in(line);
    } else if (line.starts_with("+++ ")) {
      path = header.path(name_in(line));
    } else if (line.starts_with("@@ ")) {
      std::tie(number, left) = added(line);
    }
  }
  return changed;
}

}  // namespace oriel::coverage
