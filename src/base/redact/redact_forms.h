// What is known for a credential by its form alone, whatever stands before it. For redact*.cc.
#pragma once

#include <string_view>

#include "base/text/ascii.h"

namespace oriel {

inline constexpr size_t kNowhere = std::string_view::npos;

// Of a part of a text.
struct Stretch {
  size_t begin = kNowhere;
  size_t end = kNowhere;
};

constexpr bool is_name_character(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.' || c == '$';
}
constexpr bool ends_url(char c) { return is_blank(c) || c == '"' || c == '\'' || c == '<' || c == '>' || c == '`'; }

// A token of one of the forms that services give theirs, of which the beginning stands in `word`, a part of the text
// that is made of a name's characters.
Stretch credential_in(std::string_view text, Stretch word);

// Where the private key ends that begins at `at`, at its dashes: behind its last dashes, or with the text where it was
// cut. Nowhere if none begins there.
size_t private_key_end(std::string_view text, size_t at);

// Whether a command's word is an option, not the value of the one before: "--name", "--name=value", "-x", "--". In
// doubt it is none: few options have digits or capitals side by side, and tokens do.
bool looks_like_option(std::string_view word);

// Whether an option has a user for a value, as curl's: "-u", "--user".
bool is_user_option(std::string_view option);
// Where the password begins in such a value: behind the colon of "bob:hunter2". Nowhere in "bob", "1000:1000" and
// "https://host".
size_t password_of_user(std::string_view value);

// A stretch without blanks and quotes, which may end in a host: "bob:hunter2@host".
struct Address {
  size_t end = 0;
  size_t at_sign = kNowhere;  // the last
  bool is_sure = false;       // what follows that is a host, and can hardly be anything else
};
Address address_at(std::string_view text, size_t at);
// Whether a name of the text and what stands between its colon and the address' at sign are a user and a password.
bool has_password(std::string_view text, Stretch name, const Address& address);

}  // namespace oriel
