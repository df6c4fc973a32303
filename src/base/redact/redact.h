// Redaction of common secrets before texts are written anywhere: values named password, token, key and the like, user
// information and query values in URLs, literals and comments in SQL. Any bytes are allowed. Time is linear in the
// text, and the result is at most three times as long. Throws only for lack of memory; no locks; not async-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// Replaces a redacted value; for literals of SQL it is "?".
inline constexpr std::string_view kLeftOut = "…";

// Whether this process redacts: yes, unless ORIEL_NO_REDACT is 1 at the first call.
bool redacts();

// Whether a name is typical of a secret: "--db-password", "ApiKey", "AUTH_TOKEN", "ConnectionStrings:Default".
bool is_secret_name(std::string_view name);

// For free text: an exception's message, a tag's value.
std::string redact_text(std::string_view text);

// For a URL or a part of one that may have a query: "https://host/orders?id=5", "/orders?id=5".
std::string redact_url(std::string_view url);
// For a query alone, with or without its "?".
std::string redact_query(std::string_view query);

// For a statement known to be SQL, in any dialect. If dialects differ about the end of a literal, everything after it
// is redacted.
std::string redact_sql(std::string_view sql);
// Whether a text begins like a statement.
bool looks_like_sql(std::string_view text);
// For a text that may be, or begin with, a statement.
std::string redact_any(std::string_view text);

// For the words of a command, the program first.
std::vector<std::string> redact_command(const std::vector<std::string>& words);

// A library's description of something: a tag of an activity or a measurement.
struct Tag {
  std::string name;
  std::string value;
};
// Parses "a=b,c=d", the form in measurements. A comma in a value is not marked; in doubt a comma belongs to the value.
std::vector<Tag> tags_of_list(std::string_view list);
// Redacts the values of an activity's tags, by OpenTelemetry's names for URLs, headers and databases, others as
// redact_any.
void redact_tags(std::vector<Tag>& tags);
// For an activity's display name, which may be a statement or a URL. The tags say whether it is about a database.
std::string redact_title(std::string_view title, const std::vector<Tag>& tags);

}  // namespace oriel
