#include "diagnostics/message.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/process/clsid_text.h"
#include "base/text/utf16.h"

namespace oriel::diagnostics {
namespace {

constexpr char kMagic[14] = "DOTNET_IPC_V1";
constexpr size_t kSizeAt = 14, kSetAt = 16, kCommandAt = 17;
constexpr size_t kMostBytes = UINT16_MAX;

enum CommandSet : uint8_t { kProfiler = 3, kProcess = 4, kServer = 0xff };
constexpr uint8_t kAttachProfiler = 1;
constexpr uint8_t kProcessInfo[] = {0, 4, 8};  // by version
constexpr uint8_t kOk = 0, kError = 0xff;      // of the server

template <typename T>
void append_number(Bytes& to, T value) {
  for (size_t i = 0; i < sizeof value; ++i) to.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

void append_text(Bytes& to, std::string_view text) {
  const std::u16string units = utf16_of(text);
  append_number(to, static_cast<uint32_t>(units.size() + 1));
  for (const char16_t unit : units) append_number(to, static_cast<uint16_t>(unit));
  append_number(to, uint16_t{0});
}

Bytes message(CommandSet set, uint8_t command, const Bytes& payload) {
  Bytes bytes(kMagic, kMagic + sizeof kMagic);
  append_number(bytes, static_cast<uint16_t>(kHeaderBytes + payload.size()));
  bytes.push_back(set);
  bytes.push_back(command);
  append_number(bytes, uint16_t{0});
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  return bytes;
}

// Takes a payload apart from its front. After a failure everything is 0 or empty.
class PayloadReader {
 public:
  explicit PayloadReader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  bool failed() const { return failed_; }
  void skip(size_t size) { take(size); }
  uint64_t number(size_t size) {
    uint64_t value = 0;
    const std::span<const uint8_t> bytes = take(size);
    for (size_t i = 0; i < bytes.size(); ++i) value |= uint64_t{bytes[i]} << (8 * i);
    return value;
  }
  // To its first NUL.
  std::string text() {
    const std::span<const uint8_t> bytes = take(size_t{2} * number(4));
    std::u16string units(bytes.size() / 2, 0);
    if (!units.empty()) std::memcpy(units.data(), bytes.data(), bytes.size());
    return utf8_of(std::u16string_view(units).substr(0, units.find(u'\0')));
  }

 private:
  std::span<const uint8_t> take(size_t size) {
    failed_ = failed_ || size > bytes_.size();
    if (failed_) return {};
    const std::span<const uint8_t> taken = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return taken;
  }

  std::span<const uint8_t> bytes_;
  bool failed_ = false;
};

// The bytes of a GUID as Windows lays them out: the first three numbers little-endian.
void append_guid(Bytes& to, std::string_view text) {
  Bytes digits;
  for (const char c : text) {
    if (!is_hex_digit(c)) continue;
    digits.push_back(static_cast<uint8_t>(is_digit(c) ? c - '0' : capital(c) - 'A' + 10));
  }
  constexpr size_t kOrder[] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
  for (const size_t at : kOrder) to.push_back(static_cast<uint8_t>(digits[2 * at] << 4 | digits[2 * at + 1]));
}

}  // namespace

Result<size_t> message_size(std::span<const uint8_t> header) {
  if (header.size() < kHeaderBytes || !std::equal(kMagic, kMagic + sizeof kMagic, header.begin()))
    return Status::error("its reply is not one of the diagnostics protocol");
  const size_t size = static_cast<size_t>(header[kSizeAt] | header[kSizeAt + 1] << 8);
  if (size < kHeaderBytes) return Status::error("its reply is damaged");
  return size;
}

Result<Reply> parse_reply(std::span<const uint8_t> message) {
  const Result<size_t> size = message_size(message);
  if (!size) return size.status();
  if (*size > message.size()) return Status::error("its reply is cut short");
  const std::span<const uint8_t> payload = message.first(*size).subspan(kHeaderBytes);
  if (message[kSetAt] != kServer) return Status::error("its reply is damaged");
  Reply reply;
  if (message[kCommandAt] == kOk) {
    reply.payload.assign(payload.begin(), payload.end());
    return reply;
  }
  reply.error = static_cast<uint32_t>(PayloadReader(payload).number(4));
  if (message[kCommandAt] != kError || reply.error == 0) return Status::error("its reply is damaged");
  return reply;
}

Bytes process_info_request(int version) { return message(kProcess, kProcessInfo[version - 1], {}); }

Result<ProcessInfo> parse_process_info(int version, std::span<const uint8_t> payload) {
  constexpr size_t kCookieBytes = 16;
  PayloadReader reader(payload);
  ProcessInfo info;
  if (version >= 3) reader.skip(4);  // the payload's own version: later ones have more at the end
  info.pid = reader.number(8);
  reader.skip(kCookieBytes);
  info.command_line = reader.text();
  info.os = reader.text();
  info.architecture = reader.text();
  if (version >= 2) {
    info.entry_assembly = reader.text();
    info.version = reader.text();
  }
  if (version >= 3) info.rid = reader.text();
  if (reader.failed()) return Status::error("its reply is cut short");
  return info;
}

Result<Bytes> attach_request(const AttachRequest& request) {
  if (request.clsid.size() != kClsidShape.size() || like_clsid(request.clsid) != kClsidShape.size())
    return Status::error("'" + request.clsid + "' is no class id; write it as " + std::string(kClsidShape));
  Bytes payload;
  append_number(payload, static_cast<uint32_t>(request.timeout.count()));
  append_guid(payload, request.clsid);
  append_text(payload, request.library);
  append_number(payload, static_cast<uint32_t>(request.client_data.size()));
  payload.insert(payload.end(), request.client_data.begin(), request.client_data.end());
  if (kHeaderBytes + payload.size() > kMostBytes)
    return Status::error("the request to attach has more than 64 KB; shorten the options");
  return message(kProfiler, kAttachProfiler, payload);
}

}  // namespace oriel::diagnostics
