// Redaction of libraries' tags about requests, queries and the like, by OpenTelemetry's names, including older ones.
#include <algorithm>
#include <iterator>

#include "base/redact/redact.h"
#include "base/text/ascii.h"
#include "base/text/words.h"

namespace oriel {
namespace {

// Stores with their own query languages: anything after the first word may be a value.
constexpr std::string_view kOwnWords[] = {"redis",    "memcached",    "mongodb", "elasticsearch", "opensearch",
                                          "dynamodb", "aws.dynamodb", "hbase",   "couchdb",       "geode",
                                          "etcd",     "rabbitmq",     "kafka"};

constexpr std::string_view kUrls[] = {"url.full",  "url.path",    "url.original", "http.url", "http.target",
                                      "http.path", "request.uri", "http.route",   "url",      "requesturi"};
constexpr std::string_view kQueries[] = {"url.query", "http.query", "http.query_string", "query_string"};
constexpr std::string_view kStatements[] = {"db.statement", "db.query.text",    "sql.query", "db.sql",
                                            "sql",          "db.query.summary", "db.query"};

template <size_t n>
bool is_among(std::string_view name, const std::string_view (&names)[n]) {
  return std::ranges::find(names, name) != std::end(names);
}

std::string value_in(const std::vector<Tag>& tags, std::string_view name) {
  const auto found = std::ranges::find(tags, name, &Tag::name);
  return found == tags.end() ? "" : found->value;
}

bool is_of_database(const std::vector<Tag>& tags) {
  return std::ranges::any_of(tags, [](const Tag& tag) { return tag.name.starts_with("db."); });
}

// "GET …": the command without its arguments.
std::string first_word(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && (is_letter(text[end]) || text[end] == '_' || text[end] == '.')) ++end;
  std::string word(text.substr(0, end));
  if (end < text.size()) word.append(end == 0 ? "" : " ").append(kLeftOut);
  return word;
}

// A document in braces is no SQL, whatever the store's name.
std::string redact_statement(std::string_view text, std::string_view store) {
  const bool own = is_among(store, kOwnWords) || text.starts_with('{') || text.starts_with('[');
  return own ? first_word(text) : redact_sql(text);
}

std::string redact_value(const Tag& tag, std::string_view store) {
  const auto& [name, value] = tag;
  if (value.empty()) return value;
  if (is_among(name, kStatements)) return redact_statement(value, store);
  if (is_among(name, kUrls)) return redact_url(value);
  if (is_among(name, kQueries)) return redact_query(value);
  for (const std::string_view front :
       {"http.request.header.", "http.response.header.", "db.query.parameter.", "db.operation.parameter.",
        "rpc.grpc.request.metadata.", "http.request.body", "http.response.body", "db.mongodb.command"})
    if (name.starts_with(front)) return name.ends_with(".size") ? value : std::string(kLeftOut);
  if (is_secret_name(name)) return std::string(kLeftOut);
  return redact_any(value);
}

// Prefixes of OpenTelemetry's tags, and names of database tags that might otherwise be a column's.
constexpr std::string_view kFamilies[] = {"http.", "url.", "server.", "client.", "network.", "net.", "error.", "rpc."};
constexpr std::string_view kOfDatabases[] = {"db.system", "db.system.name",    "db.namespace",       "db.name",
                                             "db.user",   "db.operation.name", "db.collection.name", "db.operation"};

bool is_of_opentelemetry(std::string_view name) {
  const bool is_plain =
      std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '.' || c == '_'; });
  return is_plain && (is_among(name, kOfDatabases) ||
                      std::ranges::any_of(kFamilies, [&](auto family) { return name.starts_with(family); }));
}

bool may_name_tag(std::string_view name) {
  const auto belongs = [](char c) {
    return is_letter(c) || is_digit(c) || std::string_view("._-:/$").find(c) != std::string_view::npos ||
           (c & 0x80) != 0;
  };
  return !name.empty() && std::ranges::all_of(name, belongs) && !std::ranges::all_of(name, is_digit);
}

// A tag's value while it is assembled from parts between commas.
struct OpenValue {
  bool is_open = false;  // a statement, settings or a query, in which names and values may follow a comma
  int64_t brackets = 0;  // that are not closed

  void begin(std::string_view name, std::string_view value) {
    *this = {};
    is_open = is_among(name, kStatements) || looks_like_sql(value);
    add(value);
  }
  void add(std::string_view part) {
    is_open = is_open || part.find_first_of("?;'\"") != part.npos;
    for (const char c : part) {
      brackets += c == '(' || c == '[' || c == '{' ? 1 : 0;
      brackets -= c == ')' || c == ']' || c == '}' ? 1 : 0;
    }
  }
  bool goes_on(std::string_view name) const {
    return !may_name_tag(name) || ((is_open || brackets > 0) && !is_of_opentelemetry(name));
  }
};

}  // namespace

std::vector<Tag> tags_of_list(std::string_view list) {
  std::vector<Tag> tags;
  OpenValue value;
  while (!list.empty()) {
    const std::string_view part = cut(list, ',');
    std::string_view rest = part;
    const std::string_view name = part.find('=') == part.npos ? std::string_view() : cut(rest, '=');
    if (!tags.empty() && value.goes_on(name)) {
      tags.back().value.append(",").append(part);
      value.add(part);
    } else {
      tags.push_back({std::string(name), std::string(rest)});
      value.begin(name, rest);
    }
  }
  return tags;
}

std::string redact_any(std::string_view text) {
  return looks_like_sql(text) ? redact_text(redact_sql(text)) : redact_text(text);
}

void redact_tags(std::vector<Tag>& tags) {
  std::string store = value_in(tags, "db.system.name");
  if (store.empty()) store = value_in(tags, "db.system");
  for (Tag& tag : tags) tag.value = redact_value(tag, store);
}

std::string redact_title(std::string_view title, const std::vector<Tag>& tags) {
  if (!is_of_database(tags)) return redact_any(title);
  return looks_like_sql(title) ? redact_sql(title) : redact_text(title);
}

}  // namespace oriel
