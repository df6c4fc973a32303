// What a profile is of: the service, and labels such as its version and the pod. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace oriel::push {

struct Label {
  std::string name;  // "service.version"
  std::string value;
  bool operator==(const Label&) const = default;
};
using Labels = std::vector<Label>;  // no name twice

struct Identity {
  std::string service;
  Labels labels;
};

// "NAME=VALUE". A name has letters, digits and "_.-/", and does not begin with a digit or "__". The message names the
// text and says what is wrong.
Result<Label> parse_label(std::string_view text);

// The value of OTEL_RESOURCE_ATTRIBUTES, "a=b,c=d" with percent-encoding. Parts that are no labels are left out.
Labels labels_of_list(std::string_view list);

// Adds a label, or replaces the one of that name.
void set_label(Labels& labels, Label label);

// The identity of what these say, the first of which counts most: `service` ("": none) and `given`, what was asked for;
// then each environment, by its OTEL_SERVICE_NAME ("": none) and OTEL_RESOURCE_ATTRIBUTES; then `program`. The label
// service.name is the service itself.
struct FromEnvironment {
  std::string service_name, resource_attributes;
};
Identity identity_of(const std::string& service, const Labels& given, const std::vector<FromEnvironment>& environments,
                     const std::string& program);

}  // namespace oriel::push
