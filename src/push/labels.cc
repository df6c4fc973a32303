#include "push/labels.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/ascii.h"
#include "base/text/trimmed.h"
#include "base/text/utf8.h"
#include "base/text/words.h"
#include "push/percent.h"

namespace oriel::push {
namespace {

constexpr std::string_view kServiceName = "service.name";

bool is_name(std::string_view name) {
  const auto fits = [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.' || c == '-' || c == '/'; };
  return !name.empty() && !is_digit(name[0]) && !name.starts_with("__") && std::ranges::all_of(name, fits);
}

// OTLP's texts are UTF-8.
bool is_value(std::string_view value) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; };
  return !value.empty() && is_valid_utf8(value) && std::ranges::none_of(value, is_control);
}

}  // namespace

Result<Label> parse_label(std::string_view text) {
  std::string_view value = text;
  const std::string_view name = cut(value, '=');
  if (name.size() == text.size())
    return Status::error(fmt::format("--label {}: write NAME=VALUE, such as service.version=1.4", text));
  if (!is_name(name))
    return Status::error(fmt::format(
        "--label {}: a name has letters, digits, '_', '.', '-' and '/', and begins with a letter or '_'", text));
  if (!is_value(value))
    return Status::error(
        fmt::format("--label {}: the value is empty, no UTF-8, or has a control character in it", name));
  return Label{std::string(name), std::string(value)};
}

Labels labels_of_list(std::string_view list) {
  Labels labels;
  for (const std::string& part : split(list, ',')) {
    std::string_view value = part;
    const std::string_view name = trimmed(cut(value, '='));
    std::string decoded = percent_decoded(trimmed(value));
    if (is_name(name) && is_value(decoded)) set_label(labels, {std::string(name), decoded});
  }
  return labels;
}

void set_label(Labels& labels, Label label) {
  const auto known = std::ranges::find(labels, label.name, &Label::name);
  if (known != labels.end())
    known->value = std::move(label.value);
  else
    labels.push_back(std::move(label));
}

Identity identity_of(const std::string& service, const Labels& given, const std::vector<FromEnvironment>& environments,
                     const std::string& program) {
  // From what counts least to what counts most, each over the ones before.
  Identity identity{program, {}};
  const auto add = [&](const Labels& labels) {
    for (const Label& label : labels) {
      if (label.name == kServiceName)
        identity.service = label.value;
      else
        set_label(identity.labels, label);
    }
  };
  for (auto environment = environments.rbegin(); environment != environments.rend(); ++environment) {
    add(labels_of_list(environment->resource_attributes));
    if (!environment->service_name.empty()) identity.service = environment->service_name;
  }
  add(given);
  if (!service.empty()) identity.service = service;
  make_valid_utf8(identity.service);
  return identity;
}

}  // namespace oriel::push
