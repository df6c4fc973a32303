#include "lines/source.h"

#include <algorithm>
#include <filesystem>
#include <span>

#include "base/files/input_file.h"
#include "base/md5.h"
#include "base/process/kept_errno.h"
#include "base/sha256.h"
#include "lines/source_places.h"

namespace oriel::lines {
namespace {

namespace fs = std::filesystem;

// Larger than any source file for people.
constexpr uint64_t kMostBytes = 64u << 20;

std::optional<std::string> read_text(const fs::path& path) {
  Result<std::string> text = read_input_text(path, kMostBytes);
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

// SHA-256, which all newer compilers write, and MD5, which Mono's does.
constexpr size_t kSha256 = 32, kMd5 = 16;

bool can_check(const pdb::Document& document) {
  return document.hash.size() == kSha256 || document.hash.size() == kMd5;
}

bool is_compiled_text(const pdb::Document& document, const std::string& text) {
  const std::span bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  return document.hash.size() == kMd5 ? std::ranges::equal(md5(bytes), document.hash)
                                      : std::ranges::equal(sha256(bytes), document.hash);
}

std::vector<std::string> lines_of(std::string_view text) {
  const std::vector<std::string_view> lines = split_lines(text);
  return {lines.begin(), lines.end()};
}

std::string with_slashes(std::string path) {
  std::ranges::replace(path, '\\', '/');
  return path;
}

// "src/Shop/Cart.cs", "Shop/Cart.cs", "Cart.cs" for "/_/src/Shop/Cart.cs".
std::vector<std::string> ends_of(const std::string& path) {
  std::vector<std::string> ends;
  for (size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    if (slash + 1 < path.size()) ends.push_back(path.substr(slash + 1));
  }
  return ends;
}

std::optional<Source> search(const pdb::Document& document) {
  constexpr int kFoldersAbove = 8;
  const std::vector<std::string> ends = ends_of(with_slashes(document.path));
  std::error_code error;
  fs::path folder = fs::current_path(error);
  for (int i = 0; i < kFoldersAbove && !error; ++i, folder = folder.parent_path()) {
    for (const std::string& end : ends) {
      const fs::path path = folder / end;
      if (place_of_source(path) == SourcePlace::kRefused) continue;
      const std::optional<std::string> text = read_text(path);
      if (text && is_compiled_text(document, *text)) return Source{path.string(), lines_of(*text), false};
    }
    if (folder == folder.parent_path()) break;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string_view> split_lines(std::string_view text, size_t most) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  std::vector<std::string_view> lines;
  while (!text.empty() && lines.size() < most) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::optional<Source> find_source(const pdb::Document& document) {
  const KeptErrno kept;
  const std::string path = with_slashes(document.path);
  const SourcePlace place = place_of_source(path);
  const std::optional<std::string> text = place == SourcePlace::kRefused ? std::nullopt : read_text(path);
  const bool proven = text && can_check(document) && is_compiled_text(document, *text);
  const bool same = proven || (text && place == SourcePlace::kOwn && !can_check(document));
  if (same) return Source{path, lines_of(*text), false};
  if (can_check(document)) {
    if (std::optional<Source> found = search(document)) return found;
  }
  return text && place == SourcePlace::kOwn ? std::optional(Source{path, lines_of(*text), true}) : std::nullopt;
}

std::string shown_path(const std::string& path) {
  constexpr std::string_view kMapped = "/_";
  const std::string plain = with_slashes(path);
  std::error_code error;
  const std::string here = fs::current_path(error).string() + "/";
  if (plain.starts_with(here)) return plain.substr(here.size());
  const size_t slash = plain.find('/', 1);
  const bool mapped = plain.starts_with(kMapped) && slash != std::string::npos &&
                      plain.find_first_not_of("0123456789", kMapped.size()) == slash;
  return mapped ? plain.substr(slash + 1) : plain;
}

}  // namespace oriel::lines
