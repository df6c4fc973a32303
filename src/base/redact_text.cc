// Texts that people and programs write, and URLs in them.
#include <algorithm>

#include "base/ascii.h"
#include "base/redact.h"

namespace oriel {
namespace {

constexpr size_t kNowhere = std::string_view::npos;

bool is_name_character(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.' || c == '$'; }
bool ends_url(char c) { return is_blank(c) || c == '"' || c == '\'' || c == '<' || c == '>' || c == '`'; }

// One pass from front to back; what is looked for ahead is remembered, so that no stretch is looked at again and again.
class TextPass {
 public:
  explicit TextPass(std::string_view text) : in_(text) {}

  std::string whole() {
    out_.reserve(in_.size() + 16);
    while (at_ < in_.size()) step();
    return std::move(out_);
  }
  // All of it is one URL.
  std::string whole_url() {
    url_end_ = in_.size();
    return whole();
  }
  std::string whole_query() {
    if (in_.starts_with('?')) copy(1);
    query(in_.size());
    return std::move(out_);
  }

 private:
  bool has(size_t ahead) const { return at_ + ahead < in_.size(); }
  char peek(size_t at) const { return at < in_.size() ? in_[at] : '\0'; }
  void copy(size_t count) {
    out_ += in_.substr(at_, count);
    at_ = std::min(at_ + count, in_.size());
  }
  // Leaves out what stands before `end`, if anything does.
  void leave_out(size_t end) {
    if (end > at_) out_ += kLeftOut;
    at_ = std::max(at_, std::min(end, in_.size()));
  }

  void step() {
    const char c = in_[at_];
    if (c == ':' && in_.substr(at_, 3) == "://") return host();
    if (c == '?' && (at_ < url_end_ || is_query())) {
      copy(1);
      return query(at_ <= url_end_ ? std::min(url_end_, fragment_begin()) : query_end());
    }
    if (c == '#' && at_ < url_end_) {
      copy(1);
      const std::string_view fragment = in_.substr(at_, url_end_ - at_);
      if (fragment.find('=') != kNowhere) return query(url_end_);
      return fragment.find_first_of("@:") != kNowhere ? leave_out(url_end_) : copy(fragment.size());
    }
    if (is_name_character(c)) return word();
    copy(1);
  }

  // "?id=5" in a text.
  bool is_query() const {
    size_t at = at_ + 1;
    while (at < in_.size() && is_name_character(in_[at])) ++at;
    return at > at_ + 1 && peek(at) == '=';
  }
  size_t query_end() const {
    size_t end = at_;
    while (end < in_.size() && !ends_url(in_[end]) && in_[end] != '#') ++end;
    return end;
  }
  size_t fragment_begin() const { return std::min(in_.substr(0, url_end_).find('#', at_), url_end_); }

  // Names stay, values go; what has no name is a value.
  void query(size_t end) {
    while (at_ < end) {
      size_t part = at_, equal = kNowhere;
      for (; part < end && in_[part] != '&' && in_[part] != ';'; ++part)
        if (equal == kNowhere && in_[part] == '=') equal = part;
      if (equal != kNowhere) copy(equal + 1 - at_);
      leave_out(part);
      if (at_ < end) copy(1);
    }
  }

  // At "://": who asks goes, be it a name and a password or a token alone.
  void host() {
    if (at_ >= url_end_) {
      url_end_ = at_ + 3;
      while (url_end_ < in_.size() && !ends_url(in_[url_end_])) ++url_end_;
      last_at_sign_ = kNowhere;
    }
    copy(3);
    if (last_at_sign_ == kNowhere) {
      const size_t asks = std::min(in_.substr(0, url_end_).find('?', at_), url_end_);
      last_at_sign_ = in_.substr(0, asks).rfind('@');
      if (last_at_sign_ == kNowhere) last_at_sign_ = 0;
    }
    size_t end = at_, at_sign = kNowhere, colon = kNowhere;
    for (; end < url_end_ && in_[end] != '/' && in_[end] != '?' && in_[end] != '#'; ++end) {
      if (in_[end] == '@') at_sign = end;
      if (in_[end] == ':') colon = end;
    }
    const bool has_port =
        colon == kNowhere || in_[at_] == '[' || std::ranges::all_of(in_.substr(colon + 1, end - colon - 1), is_digit);
    // A password may have a slash in it, and a text that was cut its end missing.
    if (at_sign == kNowhere && !has_port) {
      if (last_at_sign_ < at_) return leave_out(end);
      at_sign = last_at_sign_;
    }
    if (at_sign != kNowhere) leave_out(at_sign);
    if (at_ < end) copy(end - at_);
  }

  void word() {
    size_t end = at_;
    while (end < in_.size() && is_name_character(in_[end])) ++end;
    const std::string_view name = in_.substr(at_, end - at_);
    const size_t begin = at_;
    copy(end - at_);
    if (scheme(name)) return;
    const size_t value = value_after(end);
    const bool follows = begin == word_end_ + 1 && peek(word_end_) == ' ';
    const std::string_view both = follows ? in_.substr(word_begin_, end - word_begin_) : name;
    word_begin_ = begin, word_end_ = end;
    if (value == kNowhere) return word_behind_option(name);
    if (!is_secret_name(name) && !(follows && is_secret_name(both))) return;
    copy(value - at_);
    secret(both);
  }

  // "Bearer eyJ…", "Basic dXNlcg==": whatever stands before it.
  bool scheme(std::string_view name) {
    const bool bearer = equal_but_for_case(name, "bearer");
    if ((!bearer && !equal_but_for_case(name, "basic")) || peek(at_) != ' ') return false;
    size_t end = at_ + 1;
    while (end < in_.size() && !ends_url(in_[end]) && in_[end] != ',' && in_[end] != ';') ++end;
    constexpr size_t kShortest = 8;  // of what is encoded; "basic types" are words
    const bool encoded = end - at_ > kShortest && std::ranges::any_of(in_.substr(at_, end - at_), [](char c) {
                           return is_digit(c) || c == '=' || c == '+' || (c >= 'A' && c <= 'Z');
                         });
    if (end == at_ + 1 || (!bearer && !encoded)) return false;
    copy(1);
    leave_out(end);
    return true;
  }

  // Where the value begins that a name before `at` is given by '=' or ':'; nowhere if none is.
  size_t value_after(size_t at) const {
    if (const char c = peek(at); c == '"' || c == '\'' || c == '`' || c == ']') ++at;
    if (peek(at) == ']') ++at;
    for (int i = 0; i < 4 && is_blank(peek(at)); ++i) ++at;
    const char c = peek(at);
    if (c != '=' && c != ':') return kNowhere;
    if (c == ':' && (in_.substr(at, 3) == "://" || peek(at + 1) == ':')) return kNowhere;
    ++at;
    if (peek(at) == '=' || peek(at) == '>') ++at;
    while (at < in_.size() && (in_[at] == ' ' || in_[at] == '\t')) ++at;
    return at;
  }

  // "--password hunter2"
  void word_behind_option(std::string_view name) {
    if (!name.starts_with('-') || peek(at_) != ' ' || !has(1) || is_blank(in_[at_ + 1]) || in_[at_ + 1] == '-') return;
    if (!is_secret_name(name)) return;
    copy(1);
    secret(name);
  }

  void secret(std::string_view name) {
    const char c = peek(at_);
    if (c == '"' || c == '\'') return quoted(c);
    if (c == '{' || c == '[') return leave_out(bracket_end());
    size_t end = at_;
    const bool whole_line = is_of_header(name);
    const bool listed = whole_line || semicolon() < line_end() || after_semicolon(name);
    if (listed) {
      end = whole_line ? line_end() : std::min(semicolon(), line_end());
    } else {
      while (end < in_.size() && !is_blank(in_[end]) && in_[end] != ';' && !is_closing_quote(end)) ++end;
    }
    leave_out(end);
  }

  // Of what stands around the name and its value; not the one of "it's".
  bool is_closing_quote(size_t at) const {
    return (in_[at] == '"' || in_[at] == '\'') && !is_name_character(peek(at + 1));
  }

  static bool is_of_header(std::string_view name) {
    const auto has_word = [&](std::string_view word) {
      const auto found = std::ranges::search(name, word, [](char x, char y) { return (x | 0x20) == y; });
      return !found.empty();
    };
    return has_word("authorization") || has_word("cookie");
  }

  // A connection string's values end at semicolons, and blanks are parts of them.
  bool after_semicolon(std::string_view name) const {
    size_t at = static_cast<size_t>(name.data() - in_.data());
    while (at > 0 && in_[at - 1] == ' ') --at;
    return at > 0 && in_[at - 1] == ';';
  }

  size_t semicolon() { return ahead(semicolon_, ';'); }
  size_t line_end() { return ahead(line_end_, '\n'); }
  size_t ahead(size_t& known, char c) {
    if (known == kNowhere || known < at_) known = std::min(in_.find(c, at_), in_.size());
    return known;
  }

  // A quote within is doubled, or has a backslash before it.
  void quoted(char quote) {
    copy(1);
    size_t end = at_;
    while (end < in_.size()) {
      if (in_[end] == '\\' && end + 1 < in_.size()) {
        end += 2;
      } else if (in_[end] == quote) {
        if (peek(end + 1) != quote) break;
        end += 2;
      } else {
        ++end;
      }
    }
    leave_out(end);
    if (at_ < in_.size()) copy(1);
  }

  // Behind what the bracket here holds.
  size_t bracket_end() const {
    size_t depth = 0, end = at_;
    for (; end < in_.size(); ++end) {
      if (in_[end] == '{' || in_[end] == '[') ++depth;
      if ((in_[end] == '}' || in_[end] == ']') && --depth == 0) return end + 1;
    }
    return end;
  }

  std::string_view in_;
  std::string out_;
  size_t at_ = 0;
  size_t url_end_ = 0;                               // of the URL that is being read
  size_t last_at_sign_ = kNowhere;                   // in it, before its query; 0: none
  size_t word_begin_ = 0, word_end_ = kNowhere - 1;  // the last
  size_t semicolon_ = kNowhere, line_end_ = kNowhere;
};

// The name of "--name=value", "/name:value" and "name=value", and where the value begins; nowhere without a value.
struct Setting {
  std::string_view name;
  size_t value = kNowhere;
};

bool ends_in_connection_strings(std::string_view name) {
  constexpr std::string_view kEnd = "connectionstrings";
  return name.size() >= kEnd.size() && equal_but_for_case(name.substr(name.size() - kEnd.size()), kEnd);
}

Setting setting_of(std::string_view word) {
  size_t end = 0;
  const auto belongs = [](char c) { return is_name_character(c) || c == '/' || c == ':'; };
  while (end < word.size() && belongs(word[end])) ++end;
  if (end < word.size() && word[end] == '=') return {word.substr(0, end), end + 1};
  size_t colon = word.substr(0, end).find(':', 1);
  // A key of .NET's configuration: what it is called stands behind the colon.
  if (colon != kNowhere && ends_in_connection_strings(word.substr(0, colon))) colon = kNowhere;
  if (colon == kNowhere || word.substr(colon, 3) == "://") return {word.substr(0, end), kNowhere};
  return {word.substr(0, colon), colon + 1};
}

// "--password", "/password": the next word is its value.
bool is_secret_option(std::string_view word) {
  const bool is_path = word.starts_with('/') && word.find_first_of("/.", 1) != kNowhere;
  return (word.starts_with('-') || (word.starts_with('/') && !is_path)) && is_secret_name(word);
}

std::string redact_word(std::string_view word) {
  const Setting setting = setting_of(word);
  if (setting.value != kNowhere && setting.value < word.size() && is_secret_name(setting.name))
    return std::string(word.substr(0, setting.value)).append(kLeftOut);
  if (setting.value == kNowhere && is_secret_option(word)) return std::string(word);
  return redact_text(word);
}

}  // namespace

std::string redact_text(std::string_view text) { return TextPass(text).whole(); }
std::string redact_url(std::string_view url) { return TextPass(url).whole_url(); }
std::string redact_query(std::string_view query) { return TextPass(query).whole_query(); }

std::vector<std::string> redact_command(const std::vector<std::string>& words) {
  std::vector<std::string> result;
  bool value = false;  // of the option before
  for (const std::string& word : words) {
    if (value && !word.starts_with('-')) {
      result.emplace_back(kLeftOut);
      value = false;
      continue;
    }
    const bool is_program = result.empty();
    const bool has_value = setting_of(word).value != kNowhere;
    value = !is_program && !has_value && is_secret_option(word);
    result.push_back(redact_word(word));
  }
  return result;
}

}  // namespace oriel
