#include "push/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ctime>
#include <protozero/pbf_message.hpp>

#include "base/redact/redact.h"
#include "base/text/trimmed.h"
#include "base/text/utf8.h"
#include "base/text/whole_number.h"
#include "exports/otlp_fields.h"

namespace oriel::push {
namespace {

using std::chrono::seconds;

// What a server says, as a part of a line: its first words, without control characters and secrets.
std::string said(std::string_view body) {
  constexpr size_t kMost = 160;
  std::string text(body.substr(0, 4 * kMost));
  make_valid_utf8(text);
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; }, ' ');
  text = redact_text(text);
  text = std::string(trimmed(text));
  return text.size() > kMost ? text.substr(0, utf8_end(text, kMost)) + "…" : text;
}

// Of an answer of OTLP bodies are messages of protobuf, which are not for people.
std::string said_by(const Answer& answer, const Server& server) {
  const bool is_text = server.protocol != Protocol::kOtlp || std::ranges::none_of(answer.body, [](char c) {
                         return static_cast<unsigned char>(c) < ' ' && std::isspace(static_cast<unsigned char>(c)) == 0;
                       });
  const std::string text = is_text ? said(answer.body) : "";
  return text.empty() ? "" : ": " + text;
}

Verdict failed(const Answer& answer, const std::string& url, std::chrono::milliseconds timeout) {
  using Failure = Answer::Failure;
  switch (answer.failure) {
    case Failure::kHost:
      return {Outcome::kLater, fmt::format("the host of {} is not known; check its name", url)};
    case Failure::kConnection:
      return {Outcome::kLater, fmt::format("nobody listens at {}; is the server up, and the port right?", url)};
    case Failure::kTimeout:
      return {Outcome::kLater, fmt::format("{} did not answer within {:.3g} s; --timeout gives it more", url,
                                           static_cast<double>(timeout.count()) / 1000)};
    case Failure::kCertificate:
      return {Outcome::kKept, fmt::format("the certificate of {} cannot be trusted ({}); name that of its authority "
                                          "with --ca",
                                          url, said(answer.reason))};
    case Failure::kTls:
      return {Outcome::kKept,
              fmt::format("{} cannot be spoken to by TLS ({}); is it https?", url, said(answer.reason))};
    case Failure::kAddress:
      return {Outcome::kKept, fmt::format("{} is no address ({}); check it", url, said(answer.reason))};
    case Failure::kInterrupted:
      return {Outcome::kLater, fmt::format("{} had not answered when the push was interrupted", url)};
    case Failure::kOther:
    case Failure::kNone:
      break;
  }
  return {Outcome::kLater, fmt::format("{} cannot be reached ({})", url, said(answer.reason))};
}

struct PartialSuccess {
  int64_t rejected = 0;
  std::string why;  // may be a warning where none is rejected
};

// None for a body that is no such message: the status alone counts then.
PartialSuccess partial_success(const std::string& body) try {
  PartialSuccess found;
  protozero::pbf_message<otlp::Response> response(body);
  while (response.next(otlp::Response::kPartialSuccess, protozero::pbf_wire_type::length_delimited)) {
    protozero::pbf_message<otlp::PartialSuccess> partial(response.get_message());
    while (partial.next()) {
      switch (partial.tag_and_type()) {
        case tag_and_type(otlp::PartialSuccess::kRejectedProfiles, protozero::pbf_wire_type::varint):
          found.rejected = partial.get_int64();
          break;
        case tag_and_type(otlp::PartialSuccess::kErrorMessage, protozero::pbf_wire_type::length_delimited):
          found.why = partial.get_string();
          break;
        default:
          partial.skip();
      }
    }
  }
  return found;
} catch (const protozero::exception&) {
  return {};
}

// A collector may take a part of a request only.
Verdict taken(const Answer& answer, const Server& server) {
  if (server.protocol != Protocol::kOtlp) return {};
  const PartialSuccess partial = partial_success(answer.body);
  const std::string why = said(partial.why);
  if (partial.rejected > 0)
    return {Outcome::kRefused, fmt::format("{} refused {} of the profiles: {}", server.url, partial.rejected,
                                           why.empty() ? "it does not say why" : why)};
  if (why.empty()) return {};
  return {Outcome::kDelivered, fmt::format("{} took the profiles and says: {}", server.url, why)};
}

bool may_be_tried_again(int status, Protocol protocol) {
  if (protocol == Protocol::kOtlp) return status == 429 || status == 502 || status == 503 || status == 504;
  return status == 408 || status == 429 || (status >= 500 && status != 501 && status != 505);
}

}  // namespace

Verdict judge(const Answer& answer, const Server& server, std::chrono::milliseconds timeout) {
  const std::string& url = server.url;
  const int status = answer.status;
  if (answer.failure != Answer::Failure::kNone) return failed(answer, url, timeout);
  if (status >= 200 && status < 300) return taken(answer, server);
  if (status >= 300 && status < 400)
    return {Outcome::kKept, fmt::format("{} redirects to {} ({}), which is not followed; name that address with --to",
                                        url, said(redact_url(answer.location)), status)};
  if (status == 401 || status == 403)
    return {Outcome::kKept,
            fmt::format("{} refuses the credentials ({}); give them by ORIEL_PUSH_HEADERS", url, status)};
  if (status == 404 || status == 405)
    return {Outcome::kKept, fmt::format("the server has no {} ({}); is it one of --protocol {}?", url, status,
                                        name_of(server.protocol))};
  if (status == 413)
    return {Outcome::kRefused, fmt::format("{} takes no profile of this size (413); push less with --from, --until or "
                                           "--thread, or raise the server's limit",
                                           url)};
  const std::string text = said_by(answer, server);
  if (may_be_tried_again(status, server.protocol))
    return {Outcome::kLater, fmt::format("{} is busy or has failed ({}){}", url, status, text)};
  return {Outcome::kRefused, fmt::format("{} refused the profile ({}){}", url, status, text)};
}

std::optional<seconds> retry_after(std::string_view header, int64_t now) {
  constexpr int64_t kMost = 24 * 3600;
  header = trimmed(header);
  if (header.empty()) return std::nullopt;
  if (const std::optional<uint64_t> number = whole_number(header))
    return seconds(static_cast<int64_t>(std::min<uint64_t>(*number, kMost)));
  // IMF-fixdate of RFC 9110, which all servers have to send.
  std::tm date{};
  const std::string text(header);
  const char* const end = strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &date);
  if (!end || *end != '\0') return std::nullopt;
  return seconds(std::clamp<int64_t>(timegm(&date) - now, 0, kMost));
}

}  // namespace oriel::push
