// Removes literals and comments from SQL. Dialects are not distinguished: a name in one that is a literal in another
// counts as a literal, except in the position of a name.
#include <algorithm>
#include <iterator>

#include "base/redact/redact.h"
#include "base/text/ascii.h"

namespace oriel {
namespace {

constexpr size_t kNone = std::string_view::npos;
constexpr std::string_view kLiteral = "?";

bool begins_word(char c) { return is_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80; }
bool in_word(char c) { return begins_word(c) || is_digit(c) || c == '$'; }

template <size_t n>
bool is_one_of_words(std::string_view text, const std::string_view (&words)[n]) {
  return std::ranges::any_of(words, [&](std::string_view word) { return equal_but_for_case(text, word); });
}

// A value follows these; in some dialects "x" in double quotes is one.
constexpr std::string_view kBeforeValues[] = {"LIKE", "ILIKE", "THEN", "ELSE", "BETWEEN", "REGEXP", "RLIKE", "ESCAPE"};
// The parentheses after these contain values.
constexpr std::string_view kBeforeLists[] = {"VALUES", "IN", "VALUE"};

// After these a statement is about an account: CREATE USER, ALTER ROLE, SET PASSWORD.
constexpr std::string_view kOfAccounts[] = {"USER", "ROLE", "LOGIN", "GROUP", "PASSWORD", "ACCOUNT", "CREDENTIAL"};
constexpr std::string_view kBeforeAccounts[] = {"CREATE", "ALTER", "REPLACE"};
// In such a statement a password follows these, in any quotes or in none; those of the second list apply anywhere after
// IDENTIFIED.
constexpr std::string_view kPasswords[] = {"PASSWORD", "OLD_PASSWORD", "SECRET"};
constexpr std::string_view kBeforePasswords[] = {"BY", "AS", "USING", "REPLACE"};
// Words allowed between.
constexpr std::string_view kBetween[] = {"PASSWORD", "VALUES", "HASH", "BY", "IS", "TO"};
// Words that are no text without quotes where one is expected.
constexpr std::string_view kNoTexts[] = {"NULL", "DEFAULT", "OUTPUT", "OUT", "FOR", "EXPIRE"};
constexpr std::string_view kExecutes[] = {"EXEC", "EXECUTE"};
constexpr std::string_view kEndsExecution[] = {"SELECT", "INSERT", "UPDATE", "DELETE", "IF", "BEGIN", "SET", "DECLARE"};

// Recognizes texts without quotes, by the preceding words.
class BareTexts {
 public:
  void word(std::string_view found) {
    const bool sets = words_ == 1 && equal_but_for_case(last_, "SET");
    if (is_one_of_words(found, kOfAccounts) && (sets || is_one_of_words(last_, kBeforeAccounts))) of_accounts_ = true;
    if (equal_but_for_case(found, "IDENTIFIED")) identified_ = true;
    password_ = (identified_ && is_one_of_words(found, kBeforePasswords)) ||
                (of_accounts_ && is_one_of_words(found, kPasswords)) || (password_ && is_one_of_words(found, kBetween));
    if (is_one_of_words(found, kEndsExecution)) given_ = kNone;
    if (given_ != kNone) ++given_;
    if (words_ == 0 && is_one_of_words(found, kExecutes)) given_ = 0;
    last_ = found;
    ++words_;
  }
  void statement_ends() { *this = {}; }
  void password_told() { password_ = false; }

  bool is_password_next() const { return password_; }
  // After "EXEC procedure @name =".
  bool is_argument(char before) const { return given_ != kNone && given_ > 0 && before == '='; }

 private:
  std::string_view last_;
  size_t words_ = 0;      // of the statement
  size_t given_ = kNone;  // number of them after EXEC
  bool of_accounts_ = false, identified_ = false, password_ = false;
};

class SqlPass {
 public:
  explicit SqlPass(std::string_view sql) : in_(sql) {}

  std::string whole() {
    out_.reserve(in_.size() + 8);
    while (at_ < in_.size()) step();
    return std::move(out_);
  }

 private:
  char peek(size_t at) const { return at < in_.size() ? in_[at] : '\0'; }
  void copy_to(size_t end) {
    out_ += in_.substr(at_, end - at_);
    at_ = std::min(end, in_.size());
  }
  // Redacts a literal, up to `end`.
  void literal(size_t end) {
    out_ += kLiteral;
    at_ = std::min(end, in_.size());
    before_ = 'v';
  }
  void leave_out_rest() { literal(in_.size()); }
  void comment(size_t end) {
    if (!out_.empty() && !is_blank(out_.back())) out_ += ' ';
    at_ = std::min(end, in_.size());
  }

  void step() {
    const char c = in_[at_];
    const char next = peek(at_ + 1);
    if (is_blank(c)) return copy_to(at_ + 1);
    if (bare_.is_password_next() && password(c, next)) return;
    if (c == '\'') return text(false);
    if (c == '"') return double_quoted();
    if (c == '`') return name(at_ + 1, '`');
    if (c == '[' && before_ != 'n' && before_ != 'v' && before_ != ')') return bracketed();
    if (c == '-' && next == '-') return comment(std::min(in_.find('\n', at_), in_.size()));
    if (c == '#' && (is_blank(next) || next == '\0')) return comment(std::min(in_.find('\n', at_), in_.size()));
    if (c == '/' && next == '*') return block_comment();
    if (c == '$' && !is_digit(next)) return dollar_quoted();
    if (is_digit(c) || (c == '.' && is_digit(next) && before_ != 'n')) return number();
    if (is_parameter(c, next)) return parameter();
    if (begins_word(c)) return word();
    mark(c);
    copy_to(at_ + 1);
  }

  // Redacts an expected password; skips comments, signs and names before it.
  bool password(char c, char next) {
    if (c == '=' || c == '(' || (c == ':' && next == '=') || (c == '-' && next == '-') || (c == '/' && next == '*'))
      return false;
    size_t end = at_;
    while (end < in_.size() && !is_blank(in_[end]) && std::string_view(";,)'\"").find(in_[end]) == kNone) ++end;
    const std::string_view found = in_.substr(at_, end - at_);
    if (is_one_of_words(found, kBetween)) return false;
    bare_.password_told();
    if (c == '"') return whole_password(end_of_quote(at_ + 1, '"'));
    const bool is_named = (c != '#' && is_parameter(c, next)) || is_one_of_words(found, kNoTexts);
    const bool is_quoted = c == '$' || peek(end) == '\'';
    if (is_named || is_quoted || end == at_) return false;
    return whole_password(end);
  }
  bool whole_password(size_t end) {
    literal(std::min(end, in_.size()));
    return true;
  }

  void mark(char c) {
    before_ = c;
    if (c == ';') bare_.statement_ends();
    if (c == '(') ++depth_;
    if (c == ')' && depth_ > 0) --depth_;
  }

  // "@name", ":1", "$1", and "#temp"; not the digits after the colon in "12:30".
  bool is_parameter(char c, char next) const {
    if (c == '#') return begins_word(next) || next == '#';
    if (c == ':') return in_word(next) && !(is_digit(next) && before_ == 'v');
    return (c == '@' || c == '$' || c == '?') && (in_word(next) || (c == '@' && next == '@'));
  }

  void parameter() {
    size_t end = at_ + 1;
    while (end < in_.size() && (in_word(in_[end]) || in_[end] == '@' || in_[end] == '#')) ++end;
    copy_to(end);
    before_ = 'n';
  }

  void number() {
    size_t end = at_;
    while (end < in_.size() && (in_word(in_[end]) || in_[end] == '.' ||
                                ((in_[end] == '+' || in_[end] == '-') && is_exponent(end) && is_digit(peek(end + 1)))))
      ++end;
    literal(end);
  }
  // "1e" before a sign, but not "0x1e".
  bool is_exponent(size_t sign) const {
    return sign > at_ && (in_[sign - 1] | 0x20) == 'e' && !(peek(at_) == '0' && (peek(at_ + 1) | 0x20) == 'x');
  }

  void word() {
    size_t end = at_;
    while (end < in_.size() && in_word(in_[end])) ++end;
    const std::string_view found = in_.substr(at_, end - at_);
    if (peek(end) == '\'' && found.size() <= 2) return prefixed(found, end);
    const bool is_text = bare_.is_argument(before_) && !is_one_of_words(found, kNoTexts);
    bare_.word(found);
    if (is_text) return literal(end);
    if (is_one_of_words(found, kBeforeLists)) {
      list_depth_ = depth_ + 1;
    } else if (list_depth_ != kNone && (depth_ < list_depth_ || equal_but_for_case(found, "SELECT"))) {
      list_depth_ = kNone;
    }
    before_ = is_one_of_words(found, kBeforeValues) ? '=' : 'n';
    if (is_one_of_words(found, kKeywords)) before_ = 'k';
    copy_to(end);
  }
  static constexpr std::string_view kKeywords[] = {"SELECT",    "WHERE",  "AND",    "OR",   "ON",   "IN", "FROM",
                                                   "JOIN",      "SET",    "VALUES", "BY",   "INTO", "AS", "NOT",
                                                   "RETURNING", "HAVING", "UPDATE", "EXEC", "WHEN"};

  // N'…', E'…', X'…', q'[…]'
  void prefixed(std::string_view prefix, size_t quote) {
    const char last = static_cast<char>(prefix.back() | 0x20);
    at_ = quote;
    if (last == 'q') return quoted_by_choice();
    text(last == 'e');
  }

  // Ends at a quote that is not doubled. With `escapes` a backslash escapes the next character; without, that depends
  // on the dialect.
  void text(bool escapes) {
    size_t end = at_ + 1;
    for (; end < in_.size(); ++end) {
      if (in_[end] == '\\' && escapes) {
        ++end;
      } else if (in_[end] == '\\' && peek(end + 1) == '\'') {
        return leave_out_rest();
      } else if (in_[end] == '\'') {
        if (peek(end + 1) != '\'') return literal(end + 1);
        ++end;
      }
    }
    leave_out_rest();
  }

  void quoted_by_choice() {
    const char opens = peek(at_ + 1);
    constexpr std::string_view kOpen = "[{(<", kClose = "]})>";
    const size_t kind = kOpen.find(opens);
    const char ends[] = {kind == kNone ? opens : kClose[kind], '\''};
    const size_t end = in_.find(std::string_view(ends, 2), std::min(at_ + 2, in_.size()));
    end == kNone ? leave_out_rest() : literal(end + 2);
  }

  void dollar_quoted() {
    size_t end = at_ + 1;
    while (end < in_.size() && in_word(in_[end]) && in_[end] != '$') ++end;
    if (peek(end) != '$') return copy_to(end), mark('n');
    const std::string_view tag = in_.substr(at_, end + 1 - at_);
    const size_t close = in_.find(tag, end + 1);
    close == kNone ? leave_out_rest() : literal(close + tag.size());
  }

  // They nest in most dialects. An unterminated one extends to the end.
  void block_comment() {
    size_t depth = 1, end = at_ + 2;
    while (end < in_.size() && depth > 0) {
      const std::string_view two = in_.substr(end, 2);
      const bool opens = two == "/*", closes = two == "*/";
      depth += opens ? 1 : 0;
      depth -= closes ? 1 : 0;
      end += opens || closes ? 2 : 1;
    }
    comment(end);
  }

  // The position after the closing quote of the one before `from`; kNone if there is none.
  size_t end_of_quote(size_t from, char quote) const {
    for (size_t end = from; end < in_.size(); ++end) {
      if (in_[end] == '\\' && peek(end + 1) == quote) return kNone;  // ends here only in some dialects
      if (in_[end] != quote) continue;
      if (peek(end + 1) != quote) return end + 1;
      ++end;
    }
    return kNone;
  }

  void name(size_t from, char quote) {
    const size_t end = end_of_quote(from, quote);
    if (end == kNone) return leave_out_rest();
    copy_to(end);
    before_ = 'n';
  }

  // A name, except in the position of a value: there it is one only beside a dot.
  void double_quoted() {
    const size_t end = end_of_quote(at_ + 1, '"');
    if (end == kNone) return leave_out_rest();
    const bool beside_dot = before_ == '.' || peek(end) == '.';
    const bool compared = before_ == '=' || before_ == '<' || before_ == '>' || before_ == '|' || before_ == '+';
    const bool listed = list_depth_ != kNone && depth_ >= list_depth_;
    if (!beside_dot && (compared || listed || has_backticks_)) return literal(end);
    copy_to(end);
    before_ = 'n';
  }

  // "[Order Lines]"; a list if it cannot begin a name.
  void bracketed() {
    const char next = peek(at_ + 1);
    if (!begins_word(next) && next != ' ' && next != '#' && next != '@') return mark('['), copy_to(at_ + 1);
    const size_t end = no_bracket_ ? kNone : in_.find(']', at_);
    if (end == kNone) {
      no_bracket_ = true;
      return mark('['), copy_to(at_ + 1);
    }
    const bool has_text = in_.substr(at_, end - at_).find_first_of("'\"") != kNone;
    if (has_text) return literal(end + 1);
    copy_to(end + 1);
    before_ = 'n';
  }

  std::string_view in_;
  std::string out_;
  size_t at_ = 0;
  char before_ = 0;  // the last non-blank: a character, 'n' for a name, 'k' for a keyword, 'v' for a value
  size_t depth_ = 0, list_depth_ = kNone;  // of parentheses, and the depth of a list of values
  BareTexts bare_;
  bool no_bracket_ = false;                            // no closing bracket follows
  const bool has_backticks_ = in_.find('`') != kNone;  // around names, so double quotes are around texts
};

// First words of statements.
constexpr std::string_view kVerbs[] = {"SELECT",   "INSERT",  "UPDATE", "DELETE", "MERGE",   "WITH",
                                       "EXEC",     "EXECUTE", "CREATE", "ALTER",  "DROP",    "DECLARE",
                                       "TRUNCATE", "CALL",    "BEGIN",  "GRANT",  "REPLACE", "PRAGMA",
                                       "EXPLAIN",  "COPY",    "VALUES", "UPSERT", "SET",     "IF"};

// The text without leading blanks, parentheses and comments.
std::string_view without_front(std::string_view text) {
  while (!text.empty()) {
    size_t skipped = 0;
    if (is_blank(text[0]) || text[0] == '(' || text[0] == ';') {
      skipped = 1;
    } else if (text.starts_with("--")) {
      skipped = std::min(text.find('\n'), text.size());
    } else if (text.starts_with("/*")) {
      skipped = std::min(std::min(text.find("*/"), text.size()) + 2, text.size());
    } else {
      break;
    }
    text.remove_prefix(skipped);
  }
  return text;
}

// "Update failed": few statements are written like that.
bool is_like_a_sentence(std::string_view verb) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  return is_capital(verb[0]) && verb.size() > 1 && !is_capital(verb[1]);
}
bool has_clause(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && in_word(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    for (const std::string_view clause : {"FROM", "INTO", "SET", "WHERE", "VALUES", "TABLE"})
      if (equal_but_for_case(word, clause)) return true;
    at = std::max(end, at + 1);
  }
  return false;
}

}  // namespace

std::string redact_sql(std::string_view sql) { return SqlPass(sql).whole(); }

// "DELETE /orders/7" and "DELETE https://…" are requests.
bool looks_like_sql(std::string_view text) {
  const bool has_comment = text.starts_with("--") || text.starts_with("/*");
  text = without_front(text);
  size_t end = 0;
  while (end < text.size() && in_word(text[end])) ++end;
  const std::string_view verb = text.substr(0, end);
  if (!is_one_of_words(verb, kVerbs)) return has_comment;
  if (is_like_a_sentence(verb) && !has_clause(text.substr(end))) return false;
  text.remove_prefix(end);
  if (!text.empty() && !is_blank(text[0]) && text[0] != '(' && text[0] != '/') return false;
  while (!text.empty() && is_blank(text[0])) text.remove_prefix(1);
  return !(text.starts_with('/') && !text.starts_with("/*")) && !text.starts_with("http");
}

}  // namespace oriel
