// Forms of credentials. For another service, add a row to the table.
#include "base/redact/redact_forms.h"

#include <algorithm>
#include <iterator>

namespace oriel {
namespace {

enum class Alphabet { kCapitals, kLetters, kUrl };  // each with digits; kUrl as base64url has them

bool is_of_alphabet(char c, Alphabet alphabet) {
  if (is_digit(c) || (c >= 'A' && c <= 'Z')) return true;
  if (alphabet == Alphabet::kCapitals) return false;
  return is_letter(c) || (alphabet == Alphabet::kUrl && (c == '_' || c == '-'));
}

// The prefix, and the number of characters after it.
struct Form {
  std::string_view begin;
  size_t least;
  Alphabet alphabet = Alphabet::kUrl;
  bool has_digit = false;  // required among these: otherwise it is a word
};
constexpr Form kForms[] = {
    {"eyJ", 8},  // JSON in base64, as in the parts of a JWT
    {"ghp_", 8, Alphabet::kLetters},
    {"gho_", 8, Alphabet::kLetters},
    {"ghu_", 8, Alphabet::kLetters},
    {"ghs_", 8, Alphabet::kLetters},
    {"ghr_", 8, Alphabet::kLetters},
    {"github_pat_", 8},
    {"glpat-", 8},
    {"AKIA", 16, Alphabet::kCapitals},
    {"ASIA", 16, Alphabet::kCapitals},
    {"xoxa-", 8},
    {"xoxb-", 8},
    {"xoxe-", 8},
    {"xoxp-", 8},
    {"xoxr-", 8},
    {"xoxs-", 8},
    {"xapp-", 8},
    {"sk_live_", 8},
    {"sk_test_", 8},
    {"rk_live_", 8},
    {"sk-", 20, Alphabet::kUrl, true},
    {"AIza", 30},
    {"SG.", 22},
    {"hvs.", 20},
    {"ya29.", 20},
    {"npm_", 30, Alphabet::kLetters},
    {"pypi-", 20, Alphabet::kUrl, true},
    {"dckr_pat_", 8},
    {"LS0tLS1CRUdJTi", 8},  // "-----BEGIN " in base64
};

bool is_of_form(std::string_view text, const Form& form) {
  if (!text.starts_with(form.begin)) return false;
  const std::string_view rest = text.substr(form.begin.size(), form.least);
  return rest.size() == form.least &&
         std::ranges::all_of(rest, [&](char c) { return is_of_alphabet(c, form.alphabet); }) &&
         (!form.has_digit || std::ranges::any_of(rest, is_digit));
}

// Including the secret of a key id, which often follows a colon.
size_t credential_end(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && (is_name_character(text[end]) || std::string_view("+/=~%:").find(text[end]) != kNowhere))
    ++end;
  while (text[end - 1] == '.' || text[end - 1] == ':') --end;
  return end;
}

constexpr std::string_view kUserOptions[] = {"-u", "-U", "--user", "--proxy-user"};

// Words before a colon and an address that are no user names.
constexpr std::string_view kBeforeAddresses[] = {"mailto", "sip",  "sips", "xmpp", "acct", "email",
                                                 "mail",   "from", "to",   "cc",   "bcc",  "contact",
                                                 "npm",    "pkg",  "jsr",  "file", "urn"};

bool are_digits(std::string_view text) { return std::ranges::all_of(text, is_digit); }

// "localhost", "db.example.com", "10.0.0.1"; not "v1.0".
bool is_surely_host(std::string_view host) {
  if (host == "localhost") return true;
  const size_t dot = host.rfind('.');
  if (dot == kNowhere || dot + 2 >= host.size()) return std::ranges::count(host, '.') == 3;
  const bool ends_in_word = std::ranges::all_of(host.substr(dot + 1), is_letter);
  return ends_in_word || (std::ranges::count(host, '.') == 3 && is_digit(host[0]));
}

// "18.0.0" in a package, "sha256:…" in an image.
bool is_version(std::string_view host) {
  const bool is_number = std::ranges::all_of(host, [](char c) { return is_digit(c) || c == '.'; });
  return host == "sha256" || host == "sha512" || (is_number && std::ranges::count(host, '.') != 3);
}

size_t end_of_name(std::string_view text, size_t at) {
  while (at < text.size() && is_name_character(text[at])) ++at;
  return at;
}

// "/p:Owner=bob@host", "-p:x@y"
bool is_option_at(std::string_view text, size_t at) {
  if (text[at] == '-') return true;
  return at > 0 && text[at - 1] == '/' && (at == 1 || is_blank(text[at - 2]));
}

}  // namespace

Stretch credential_in(std::string_view text, Stretch word) {
  constexpr size_t kShortest = 11;  // in the table
  for (size_t at = word.begin; at + kShortest <= word.end; ++at) {
    const bool begins = at == word.begin || !(is_letter(text[at - 1]) || is_digit(text[at - 1]));
    if (begins && std::ranges::any_of(kForms, [&](const Form& form) { return is_of_form(text.substr(at), form); }))
      return {at, credential_end(text, at)};
  }
  return {};
}

size_t private_key_end(std::string_view text, size_t at) {
  constexpr std::string_view kDashes = "-----", kBegin = "-----BEGIN ", kEnd = "-----END ";
  constexpr size_t kLongest = 80;  // line length
  if (!text.substr(at).starts_with(kBegin)) return kNowhere;
  const std::string_view title = text.substr(at + kBegin.size(), kLongest);
  if (title.substr(0, title.find(kDashes)).find("PRIVATE KEY") == kNowhere) return kNowhere;
  const size_t end = text.find(kEnd, at);
  if (end == kNowhere) return text.size();
  const size_t dashes = text.substr(0, end + kLongest).find(kDashes, end + kEnd.size());
  return dashes == kNowhere ? text.size() : dashes + kDashes.size();
}

bool looks_like_option(std::string_view word) {
  constexpr size_t kLongest = 40;
  if (word == "--") return true;
  if (word.size() == 2 && word[0] == '-') return is_letter(word[1]);
  if (!word.starts_with("--")) return false;
  const std::string_view name = word.substr(2, word.find('=') - 2);
  if (name.size() < 2 || name.size() > kLongest || !is_letter(name[0])) return false;
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto belongs = [](char c) { return is_letter(c) || c == '-' || c == ':' || c == '.'; };
  const auto both = [&](char a, char b) { return is_capital(a) && is_capital(b); };
  return std::ranges::all_of(name, belongs) && std::ranges::adjacent_find(name, both) == name.end();
}

bool is_user_option(std::string_view option) {
  return std::ranges::find(kUserOptions, option) != std::end(kUserOptions);
}

size_t password_of_user(std::string_view value) {
  const size_t colon = value.find(':');
  if (colon == kNowhere || colon == 0 || colon + 1 == value.size()) return kNowhere;
  const std::string_view user = value.substr(0, colon), password = value.substr(colon + 1);
  const bool is_url = password.starts_with("//");
  const bool is_path = user.size() == 1 && password[0] == '\\';
  if (is_url || is_path || (are_digits(user) && are_digits(password))) return kNowhere;
  return colon + 1;
}

// An equal sign ends it, except as base64 padding.
Address address_at(std::string_view text, size_t at) {
  Address found{at};
  for (; found.end < text.size(); ++found.end) {
    const char c = text[found.end];
    const char next = found.end + 1 < text.size() ? text[found.end + 1] : ' ';
    if (ends_url(c) || c == ';' || c == ',' || c == '|' || (c == '=' && next != '=' && next != '@')) break;
    if (c == '@') found.at_sign = found.end;
  }
  if (found.at_sign == kNowhere) return found;
  const size_t host = found.at_sign + 1;
  const std::string_view name = text.substr(host, std::min(end_of_name(text, host), found.end) - host);
  const bool is_host = !name.empty() && !is_version(name);
  if (!is_host && text.substr(host, 1) != "[") found.at_sign = kNowhere;
  found.is_sure = is_host && is_surely_host(name);
  return found;
}

bool has_password(std::string_view text, Stretch name, const Address& address) {
  const size_t password = name.end + 1;
  if (address.at_sign == kNowhere || address.at_sign <= password || text[name.end] != ':') return false;
  const std::string_view user = text.substr(name.begin, name.end - name.begin);
  const bool is_known =
      std::ranges::any_of(kBeforeAddresses, [&](auto& word) { return equal_but_for_case(user, word); });
  if (is_known || are_digits(user) || is_option_at(text, name.begin)) return false;
  const char first = text[password];
  if (first == '/' || first == '\\' || first == ':') return false;
  return true;
}

}  // namespace oriel
