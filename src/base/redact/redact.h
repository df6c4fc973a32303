// What commonly holds secrets is left out of texts before they are written anywhere: values of what is called password,
// token, key and the like, of URLs who asks and the values of the query, of SQL its literals and comments. Any bytes
// may be given. Time is linear in the text, and what comes back is never longer than three times what was given.
// Nothing is thrown but for lack of memory; no locks; not async-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// What stands where something was left out; of SQL's literals it is "?".
inline constexpr std::string_view kLeftOut = "…";

// Whether texts are to be redacted in this process: yes, unless ORIEL_NO_REDACT is 1 when this is first asked.
bool redacts();

// Whether what has this name is commonly secret: "--db-password", "ApiKey", "AUTH_TOKEN", "ConnectionStrings:Default".
bool is_secret_name(std::string_view name);

// Of a text in which a person may read anything: an exception's message, a tag's value.
std::string redact_text(std::string_view text);

// Of a URL or a part of one that may have a query: "https://host/orders?id=5", "/orders?id=5".
std::string redact_url(std::string_view url);
// Of a query alone, with or without its "?".
std::string redact_query(std::string_view query);

// Of a statement that is known to be SQL, of whichever dialect. Where dialects differ in where a literal ends, what
// follows is left out to the end.
std::string redact_sql(std::string_view sql);
// Whether a text begins as statements do.
bool looks_like_sql(std::string_view text);
// Of a text that may be a statement, or have one in it from its beginning.
std::string redact_any(std::string_view text);

// The words of a command, the program's first.
std::vector<std::string> redact_command(const std::vector<std::string>& words);

// What a library tells of something it did: a tag of an activity or a measurement.
struct Tag {
  std::string name;
  std::string value;
};
// Of "a=b,c=d", as measurements have them, in which nothing tells a comma of a value from one between tags: in doubt it
// is a value's.
std::vector<Tag> tags_of_list(std::string_view list);
// The values of an activity's tags, by OpenTelemetry's names for URLs, headers and databases, others as redact_any.
void redact_tags(std::vector<Tag>& tags);
// Its name as it is shown, which may be a statement or a URL. The tags tell whether it is of a database.
std::string redact_title(std::string_view title, const std::vector<Tag>& tags);

}  // namespace oriel
