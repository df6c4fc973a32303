#include "base/process/attach_data.h"

#include "base/text/words.h"

namespace oriel {
namespace {

constexpr std::string_view kChangesCode = "ORIEL_CHANGES_CODE", kProfilers = "ORIEL_PROFILERS";

// Entries that are not known belong to another version, and may matter.
Status take_entry(std::string_view name, std::string_view value, AttachData& data) {
  if (name == kProfilers)
    data.profilers = value;
  else if (name == kChangesCode && value == "1")
    data.changes_code = true;
  else
    return Status::error("its data has an unknown entry");
  return Status::ok();
}

}  // namespace

std::string attach_text(const AttachData& data) {
  std::string text;
  const auto add = [&](std::string_view name, std::string_view value) {
    text.append(name).append("=").append(value).push_back('\0');
  };
  if (data.changes_code) add(kChangesCode, "1");
  add(kProfilers, data.profilers);
  return text;
}

Result<AttachData> parse_attach_data(std::string_view text) {
  AttachData data;
  while (!text.empty()) {
    const size_t end = text.find('\0');
    if (end == std::string_view::npos) return Status::error("its data is cut short");
    std::string_view value = text.substr(0, end);
    const std::string_view name = cut(value, '=');
    if (Status status = take_entry(name, value, data); !status) return status;
    text.remove_prefix(end + 1);
  }
  if (data.profilers.empty()) return Status::error("its data names no module");
  return data;
}

}  // namespace oriel
