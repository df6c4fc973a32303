// Names of secrets.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "base/redact/redact.h"
#include "base/text/ascii.h"

namespace oriel {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
char lower_case(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

// Anywhere among a name's letters.
constexpr std::string_view kWithin[] = {"password",   "passwd",     "passphrase",    "passwort",   "secret",
                                        "credential", "apikey",     "accesskey",     "accountkey", "privatekey",
                                        "signingkey", "sharedkey",  "encryptionkey", "connstr",    "connectionstring",
                                        "connstring", "authorizat", "accesstoken",   "authtoken",  "setcookie"};
// At the end of a word in the name: "refreshtoken".
constexpr std::string_view kEndings[] = {"token", "tokens", "key", "keys", "pwd"};
// As a whole word in the name.
constexpr std::string_view kWords[] = {"auth",   "bearer",    "pass", "pw",    "psw",    "creds",      "cred",
                                       "cookie", "jwt",       "otp",  "sas",   "pat",    "cookies",    "pin",
                                       "sig",    "signature", "salt", "nonce", "dbpass", "jsessionid", "phpsessid"};
// Exceptions with such endings: names of assemblies, tables and methods.
constexpr std::string_view kHarmless[] = {"publickeytoken", "publickey",  "primarykey",
                                          "foreignkey",     "routingkey", "cancellationtoken"};

bool is_secret_word(std::string_view word) {
  return std::ranges::any_of(kEndings, [&](std::string_view end) { return word.ends_with(end); }) ||
         std::ranges::find(kWords, word) != std::end(kWords);
}

// No meaningful name is longer; the end of a longer one decides.
constexpr size_t kMostOfName = 256;

}  // namespace

bool redacts() {
  static const bool wanted = [] {
    const char* const no = std::getenv("ORIEL_NO_REDACT");
    return no == nullptr || std::strcmp(no, "1") != 0;
  }();
  return wanted;
}

// Words are separated by non-letters, and before a capital after a small letter: "userAuthToken", "DB_PASSWORD".
bool is_secret_name(std::string_view name) {
  if (name.size() > kMostOfName) name.remove_prefix(name.size() - kMostOfName);
  std::string letters, word;
  bool has_secret_word = false;
  const auto end_word = [&] {
    has_secret_word = has_secret_word || is_secret_word(word);
    word.clear();
  };
  char before = 0;
  for (const char c : name) {
    if (!is_letter(c) && !is_digit(c)) {
      end_word();
    } else {
      if (is_upper(c) && !is_upper(before)) end_word();
      letters += lower_case(c);
      word += lower_case(c);
    }
    before = c;
  }
  end_word();
  const auto has = [&](std::string_view part) { return letters.find(part) != letters.npos; };
  if (std::ranges::any_of(kWithin, has)) return true;
  return has_secret_word &&
         std::ranges::none_of(kHarmless, [&](std::string_view end) { return letters.ends_with(end); });
}

}  // namespace oriel
