// Credentials recognized by their form alone, without a name before them. For redact*.cc.
#pragma once

#include <string_view>

#include "base/text/ascii.h"

namespace oriel {

inline constexpr size_t kNowhere = std::string_view::npos;

// A part of a text.
struct Stretch {
  size_t begin = kNowhere;
  size_t end = kNowhere;
};

constexpr bool is_name_character(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.' || c == '$';
}
constexpr bool ends_url(char c) { return is_blank(c) || c == '"' || c == '\'' || c == '<' || c == '>' || c == '`'; }

// A token in one of the known services' forms that begins in `word`, a part of the text made of name characters.
Stretch credential_in(std::string_view text, Stretch word);

// The end of the private key that begins with dashes at `at`: after its last dashes, or the end of a truncated text.
// kNowhere if none begins there.
size_t private_key_end(std::string_view text, size_t at);

// Whether a command's word is an option rather than the value of the previous one: "--name", "--name=value", "-x",
// "--". In doubt it is not: few options have digits or adjacent capitals, but tokens do.
bool looks_like_option(std::string_view word);

// Whether an option takes a user, like curl's "-u" and "--user".
bool is_user_option(std::string_view option);
// Where the password begins in such a value: after the colon in "bob:hunter2". kNowhere in "bob", "1000:1000" and
// "https://host".
size_t password_of_user(std::string_view value);

// A stretch without blanks and quotes that may end in a host: "bob:hunter2@host".
struct Address {
  size_t end = 0;
  size_t at_sign = kNowhere;  // the last one
  bool is_sure = false;       // the rest can hardly be anything but a host
};
Address address_at(std::string_view text, size_t at);
// Whether the name, and the text between its colon and the address' at sign, are a user and a password.
bool has_password(std::string_view text, Stretch name, const Address& address);

}  // namespace oriel
