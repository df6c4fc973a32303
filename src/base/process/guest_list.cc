#include "base/process/guest_list.h"

#include <algorithm>

#include "base/process/clsid_text.h"

namespace oriel {
namespace {

constexpr std::string_view kBlanks = " \t\r";

Status error_at(size_t line, size_t column, const std::string& what) {
  return Status::error("line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + what +
                       "; write {CLSID}=PATH");
}

std::string in_capitals(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), capital);
  return result;
}

Result<GuestSpec> parse_guest(std::string_view text, size_t line, size_t column) {
  const size_t valid = like_clsid(text);
  if (valid < kClsidShape.size()) return error_at(line, column + valid, "this is not a class id");
  if (text.size() == valid || text[valid] != '=') return error_at(line, column + valid, "'=' is missing");
  const std::string_view path = text.substr(valid + 1);
  if (path.empty()) return error_at(line, column + valid + 1, "the library's path is missing");
  return GuestSpec{in_capitals(text.substr(0, valid)), std::string(path)};
}

// `blanks`: the characters to trim from rows.
Result<std::vector<GuestSpec>> parse_rows(std::string_view text, std::string_view blanks) {
  std::vector<GuestSpec> guests;
  for (size_t line = 1; !text.empty(); ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t begin = row.find_first_not_of(blanks);
    if (begin == row.npos || row[begin] == '#') continue;
    row = row.substr(0, row.find_last_not_of(blanks) + 1);
    Result<GuestSpec> guest = parse_guest(row.substr(begin), line, begin + 1);
    if (!guest) return guest.status();
    if (std::ranges::count(guests, *guest) > 0) return error_at(line, begin + 1, guest->clsid + " is already listed");
    guests.push_back(std::move(*guest));
  }
  return guests;
}

}  // namespace

Result<std::vector<GuestSpec>> parse_guests(std::string_view text) { return parse_rows(text, kBlanks); }
Result<std::vector<GuestSpec>> guests_of(std::string_view text) { return parse_rows(text, ""); }

std::string guests_text(const std::vector<GuestSpec>& guests) {
  std::string text;
  for (const GuestSpec& guest : guests) text += guest.clsid + "=" + guest.path + "\n";
  return text;
}

std::string canonical_clsid(std::string_view text) {
  const std::string braced = text.starts_with('{') ? std::string(text) : "{" + std::string(text) + "}";
  return like_clsid(braced) == kClsidShape.size() && braced.size() == kClsidShape.size() ? in_capitals(braced) : "";
}

}  // namespace oriel
