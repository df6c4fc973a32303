// Redaction of free text, and of URLs in it.
#include <algorithm>

#include "base/redact/redact.h"
#include "base/redact/redact_forms.h"
#include "base/redact/redact_notation.h"
#include "base/text/ascii.h"

namespace oriel {
namespace {

// Characters of a URL's host, including letters of other scripts.
bool is_of_host(char c) {
  return is_name_character(c) || c == ':' || c == '[' || c == ']' || c == '%' || c == '@' || (c & 0x80) != 0;
}
bool is_of_sentence(char c) { return std::string_view("),.;:!}").find(c) != kNowhere; }

// One pass from front to back. Positions found by looking ahead are remembered, so that no part is scanned repeatedly.
class TextPass {
 public:
  explicit TextPass(std::string_view text) : in_(text) {}

  std::string whole() {
    out_.reserve(in_.size() + 16);
    while (at_ < in_.size()) step();
    return std::move(out_);
  }
  // The whole text is one URL.
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
  // Redacts the text up to `end`, unless it is empty.
  void leave_out(size_t end) {
    if (end > at_) out_ += kLeftOut;
    at_ = std::max(at_, std::min(end, in_.size()));
  }

  void step() {
    const char c = in_[at_];
    if (c == ':' && in_.substr(at_, 3) == "://") return host();
    if (c == '<') return markup();
    if (c == '>' && at_ + 1 == markup_.end) return content();
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

  // Names stay, values are redacted; a part without a name is a value.
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

  // At "://": redacts the user information, a name and a password or a token.
  void host() {
    begin_url();
    copy(3);
    size_t end = at_;
    while (end < url_end_ && in_[end] != '/' && in_[end] != '?' && in_[end] != '#') ++end;
    const size_t asks = end_of_asking(end);
    leave_out(asks);
    end = std::max(end, at_);
    // The rest is treated like any text: ";Password=…" in a connection string.
    size_t host_end = at_;
    while (host_end < end && is_of_host(in_[host_end])) ++host_end;
    copy(host_end - at_);
  }

  void begin_url() {
    if (at_ < url_end_ && last_at_sign_ != kNowhere) return;
    if (at_ >= url_end_) {
      url_end_ = at_ + 3;
      while (url_end_ < in_.size() && !ends_url(in_[url_end_])) ++url_end_;
    }
    const size_t query = std::min(in_.substr(0, url_end_).find('?', at_), url_end_);
    last_at_sign_ = in_.substr(0, query).rfind('@');
    if (last_at_sign_ == kNowhere) last_at_sign_ = 0;
  }

  // The end of the user information before `end`: at the sign, or all of it in a text truncated before that. A password
  // may contain settings, and settings may contain at signs.
  size_t end_of_asking(size_t end) const {
    const size_t settings = settings_begin(at_, end);
    const bool is_host = has_port_or_none(settings);
    const size_t at_sign = std::min(in_.substr(0, end).find('@', at_), end);
    if (at_sign < end && !(is_host && settings < at_sign))
      return in_.substr(0, settings_begin(at_sign, end)).rfind('@');
    if (is_host) return at_;
    // A password may contain a slash.
    return last_at_sign_ < at_ ? end : last_at_sign_;
  }

  // No colon, or digits after the last one.
  bool has_port_or_none(size_t end) const {
    while (end > at_ && is_of_sentence(in_[end - 1])) --end;
    const std::string_view host = in_.substr(at_, end - at_);
    const size_t colon = host.rfind(':');
    return colon == kNowhere || host.starts_with('[') || std::ranges::all_of(host.substr(colon + 1), is_digit);
  }

  // Where settings begin before `end`: at the ';' in ";Id=5" and ";User Id=5", the ',' in ",token=x".
  size_t settings_begin(size_t from, size_t end) const {
    for (size_t at = from; at < end; ++at) {
      if (is_of_host(in_[at])) continue;
      size_t name = at + 1;
      while (name < in_.size() && is_name_character(in_[name])) ++name;
      if (name > at + 1 && (peek(name) == '=' || (in_[at] == ';' && peek(name) == ' '))) return at;
    }
    return end;
  }

  // "<add key=…>": a tag, whose attributes are read like other names.
  void markup() {
    markup_ = markup_at(in_, at_);
    copy(1);
  }

  // The contents of an element with the name of a secret. Without an end tag, also in a truncated text, it may be C#:
  // "IOptions<JwtKey>", "<Token>k__BackingField".
  void content() {
    copy(1);
    if (!markup_.is_secret || markup_.is_empty) return;
    const size_t end = closing_tag();
    if (end != kNowhere) return leave_out(end);
    const bool is_generic = markup_.name.begin > 1 && is_name_character(in_[markup_.name.begin - 2]);
    const bool is_made = in_.substr(std::min(at_ + 1, in_.size()), 2) == "__";
    if (is_generic || is_made || !has(0) || is_blank(in_[at_]) || ends_url(in_[at_]) || is_of_sentence(in_[at_]))
      return;
    leave_out(std::min(in_.find('<', at_), in_.size()));
  }

  // Stops searching after a few failures.
  size_t closing_tag() {
    if (closing_tags_missed_ == kMostMissed) return kNowhere;
    const std::string_view name = in_.substr(markup_.name.begin, markup_.name.end - markup_.name.begin);
    const size_t end = in_.find(std::string("</").append(name), at_);
    if (end == kNowhere) ++closing_tags_missed_;
    return end;
  }

  void word() {
    const size_t begin = at_;
    size_t end = at_;
    while (end < in_.size() && is_name_character(in_[end])) ++end;
    if (credential({begin, end})) return;
    const std::string_view name = in_.substr(begin, end - begin);
    copy(end - begin);
    if (scheme(name)) return;
    const bool follows = begin == word_.end + 1 && peek(word_.end) == ' ';
    const std::string_view both = follows ? in_.substr(word_.begin, end - word_.begin) : name;
    word_ = {begin, end};
    const size_t value = value_after(end);
    if (value == kNowhere) return word_behind_option(name);
    if (begin < markup_.end && markup_.names_another && is_naming_attribute(name)) return;
    if (!is_secret(both, name, value)) return user_behind(name, value);
    copy(value - at_);
    secret(both);
  }

  bool is_secret(std::string_view both, std::string_view name, size_t value) {
    if (begins_in_secret_markup()) return true;
    const bool is_named = word_.begin < named_until_ && is_value_of_another(name);
    if (names_another(name)) notice_name(value);
    return is_named || is_secret_name(name) || (both.size() > name.size() && is_secret_name(both));
  }
  bool begins_in_secret_markup() const {
    return word_.begin < markup_.end && markup_.is_secret && word_.begin > markup_.name.begin;
  }

  // "name: DB_PASSWORD, value: …": a nearby value belongs to that name.
  void notice_name(size_t value) {
    constexpr size_t kNear = 200;
    const Quote quote = quote_at(in_, value);
    const size_t begin = value + quote.size;
    size_t end = begin;
    while (end < in_.size() && end < begin + kNear && (is_name_character(in_[end]) || in_[end] == ':')) ++end;
    const char next = peek(end);
    const bool ends = quote.size > 0 ? next == quote.mark[0] || next == '\\' : next == ',' || next == ';';
    named_until_ = ends && is_secret_name(in_.substr(begin, end - begin)) ? end + kNear : 0;
  }

  // Recognizes credentials by their form.
  bool credential(Stretch word) {
    constexpr std::string_view kBegin = "-----BEGIN";
    if (in_.substr(0, word.end).ends_with(kBegin) && word.end - word.begin >= kBegin.size()) {
      const size_t begin = word.end - kBegin.size(), key = private_key_end(in_, begin);
      if (key != kNowhere) return copy(begin - at_), leave_out(key), true;
    }
    const Stretch found = credential_in(in_, word);
    if (found.begin == kNowhere) return false;
    copy(found.begin - at_);
    leave_out(found.end);
    return true;
  }

  // "bob:hunter2@host", "--user=bob:hunter2"
  void user_behind(std::string_view name, size_t value) {
    if (is_user_option(name)) return copy(value - at_), user();
    if (word_.begin >= address_.end) address_ = address_at(in_, word_.begin);
    if (peek(at_) != ':' || !has_password(in_, word_, address_)) return;
    // With a slash it may be a path, an image's tag or a package's version.
    if (ahead(slash_, '/') < address_.at_sign && !address_.is_sure) return;
    copy(1);
    leave_out(address_.at_sign);
  }

  // The value of a user option, in quotes or up to a blank.
  void user() {
    const Quote quote = quote_at(in_, at_);
    const size_t begin = at_ + quote.size;
    const size_t end = quote.size > 0 ? closing_quote(in_, begin, quote).begin : blank_after(begin);
    const size_t password = password_of_user(in_.substr(begin, end - begin));
    if (password == kNowhere) return;
    copy(begin + password - at_);
    leave_out(end);
  }
  size_t blank_after(size_t at) const {
    while (at < in_.size() && !is_blank(in_[at])) ++at;
    return at;
  }

  // "Bearer eyJ…", "Basic dXNlcg==": whatever precedes it.
  bool scheme(std::string_view name) {
    constexpr size_t kMostBlanks = 4;
    const bool bearer = equal_but_for_case(name, "bearer");
    if (!bearer && !equal_but_for_case(name, "basic")) return false;
    size_t begin = at_;
    while (begin < at_ + kMostBlanks && (peek(begin) == ' ' || peek(begin) == '\t')) ++begin;
    size_t end = begin;
    while (end < in_.size() && !ends_url(in_[end]) && in_[end] != ',' && in_[end] != ';') ++end;
    if (begin == at_ || end == begin) return false;
    if (!bearer && !is_encoded(in_.substr(begin, end - begin)) && !is_of_header(last_word())) return false;
    copy(begin - at_);
    leave_out(end);
    return true;
  }
  // "basic types" are words.
  static bool is_encoded(std::string_view text) {
    constexpr size_t kShortest = 8;
    return text.size() >= kShortest && std::ranges::any_of(text, [](char c) {
             return is_digit(c) || c == '=' || c == '+' || (c >= 'A' && c <= 'Z');
           });
  }
  std::string_view last_word() const {
    return word_.end <= in_.size() ? in_.substr(word_.begin, word_.end - word_.begin) : std::string_view();
  }

  // Where the value begins for a name that ends before `at`, after '=' or ':'; kNowhere if there is none.
  size_t value_after(size_t at) const {
    if (const Quote quote = quote_at(in_, at); quote.size > 0) {
      at += quote.size;
    } else if (const char c = peek(at); c == '`' || c == ']') {
      ++at;
    }
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

  // "--password hunter2", "--user bob:hunter2"
  void word_behind_option(std::string_view name) {
    if (!name.starts_with('-') || peek(at_) != ' ' || !has(1) || is_blank(in_[at_ + 1])) return;
    if (is_user_option(name)) return copy(1), user();
    if (!is_secret_name(name) || looks_like_option(in_.substr(at_ + 1, blank_after(at_ + 1) - at_ - 1))) return;
    copy(1);
    secret(name);
  }

  void secret(std::string_view name) {
    if (const size_t key = private_key_end(in_, at_); key != kNowhere) return leave_out(key);
    if (const Quote quote = quote_at(in_, at_); quote.size > 0) return quoted(quote);
    if (const char c = peek(at_); c == '{' || c == '[') return leave_out(bracket_end(in_, at_));
    if (is_session(name)) return leave_out(session_end());
    if (is_of_header(name)) return leave_out(line_end());
    const bool listed = semicolon() < line_end() || after_semicolon(name);
    leave_out(listed ? std::min(semicolon(), line_end()) : value_end());
  }

  // Up to a blank, except for the one after "Bearer".
  size_t value_end() const {
    size_t end = at_;
    while (end < in_.size() && !is_blank(in_[end]) && in_[end] != ';' && !is_closing_quote(end)) ++end;
    const std::string_view value = in_.substr(at_, end - at_);
    const bool is_scheme = std::ranges::any_of(kSchemes, [&](auto& word) { return equal_but_for_case(value, word); });
    return is_scheme && peek(end) == ' ' ? blank_after(end + 1) : end;
  }
  static constexpr std::string_view kSchemes[] = {"bearer", "basic", "digest", "negotiate", "token", "apikey"};

  // A part of a path: "/orders;jsessionid=4f1a?id=5".
  static bool is_session(std::string_view name) {
    return equal_but_for_case(name, "jsessionid") || equal_but_for_case(name, "phpsessid");
  }
  size_t session_end() const {
    constexpr std::string_view kEnds = "?#/;,&";
    size_t end = at_;
    while (end < in_.size() && !ends_url(in_[end]) && kEnds.find(in_[end]) == kNowhere) ++end;
    return end;
  }

  // The quote around a name and its value; not the apostrophe in "it's".
  bool is_closing_quote(size_t at) const {
    return (in_[at] == '"' || in_[at] == '\'') && !is_name_character(peek(at + 1));
  }

  static bool is_of_header(std::string_view name) {
    const auto has_word = [&](std::string_view word) {
      const auto is_same = [](char x, char y) { return (x | 0x20) == y; };
      return std::search(name.begin(), name.end(), word.begin(), word.end(), is_same) != name.end();
    };
    return has_word("authorization") || has_word("cookie");
  }

  // A connection string's values end at semicolons and may contain blanks.
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

  void quoted(const Quote& quote) {
    copy(quote.size);
    const Stretch close = closing_quote(in_, at_, quote);
    leave_out(close.begin);
    copy(close.end - close.begin);
  }

  std::string_view in_;
  std::string out_;
  size_t at_ = 0;
  size_t url_end_ = 0;                // end of the current URL
  size_t last_at_sign_ = kNowhere;    // in the URL, before its query; 0: none
  Stretch word_ = {0, kNowhere - 1};  // the last one
  Address address_;                   // containing the last word
  Markup markup_;                     // the last tag
  size_t named_until_ = 0;            // up to here a value may belong to a secret's name
  size_t semicolon_ = kNowhere, line_end_ = kNowhere, slash_ = kNowhere;
  static constexpr int kMostMissed = 16;
  int closing_tags_missed_ = 0;
};

}  // namespace

std::string redact_text(std::string_view text) { return TextPass(text).whole(); }
std::string redact_url(std::string_view url) { return TextPass(url).whole_url(); }
std::string redact_query(std::string_view query) { return TextPass(query).whole_query(); }

}  // namespace oriel
