#include "records.h"

#include <cstring>

#include "base/machine.h"
#include "base/text/shown_shell_word.h"
#include "base/text/utf8.h"

namespace oriel::jitdump {
namespace {

enum RecordId : uint32_t { kCodeLoad = 0, kCodeClose = 3 };

// The machine's own byte order, which readers find by the magic number.
template <typename Number>
void put(std::string& out, Number number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  out.append(bytes, sizeof bytes);
}

std::string record(RecordId id, uint64_t time_ns, std::string_view body) {
  constexpr size_t kPrefix = 16;
  std::string out;
  put(out, static_cast<uint32_t>(id));
  put(out, static_cast<uint32_t>(kPrefix + body.size()));
  put(out, time_ns);
  return out += body;
}

// perf writes names to the terminal as they are.
std::string shown_name(std::string_view name) {
  std::string shown;
  for (size_t at = 0; at < name.size();) {
    const Utf8Character character = utf8_at(name, at);
    const bool is_shown = character.valid && !acts_on_terminal(character.code);
    shown += is_shown ? name.substr(at, character.size) : std::string_view("?");
    at += character.size;
  }
  return shown;
}

}  // namespace

std::string header(uint32_t process, uint64_t time_ns) {
  constexpr uint32_t kMagic = 0x4A695444, kVersion = 1, kBytes = 40;
  constexpr uint64_t kFlags = 0;  // times are not of the processor's counter
  std::string out;
  for (const uint32_t number : {kMagic, kVersion, kBytes, uint32_t{kOwnMachine}, uint32_t{0}, process})
    put(out, number);
  put(out, time_ns);
  put(out, kFlags);
  return out;
}

std::string load_record(const CompiledCode& code) {
  std::string body;
  put(body, code.process);
  put(body, code.thread);
  put(body, code.address);  // where it was made, and where it runs
  put(body, code.address);
  put(body, uint64_t{code.bytes.size()});
  put(body, code.number);
  body += shown_name(code.name.substr(0, code.name.find('\0')));
  body += '\0';
  body.append(reinterpret_cast<const char*>(code.bytes.data()), code.bytes.size());
  return record(kCodeLoad, code.time_ns, body);
}

std::string close_record(uint64_t time_ns) { return record(kCodeClose, time_ns, ""); }

}  // namespace oriel::jitdump
