#include "runtimes/coreclr/guests/child_environment.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/process/clr_setting.h"
#include "base/process/clsid_text.h"
#include "base/process/coreclr_clsid.h"
#include "base/process/own_environment.h"

namespace oriel::coreclr {
namespace {

constexpr std::string_view kEnabled = "CORECLR_ENABLE_PROFILING=";
constexpr std::string_view kProfiler = "CORECLR_PROFILER=";
constexpr std::string_view kPaths = "CORECLR_PROFILER_PATH";  // also with a suffix for the processor
constexpr std::string_view kPath = "CORECLR_PROFILER_PATH=";
constexpr std::string_view kWidePath = "CORECLR_PROFILER_PATH_64=";
constexpr std::string_view kGuests = "ORIEL_GUESTS=";
constexpr std::string_view kTakenProfiler = "ORIEL_TAKEN_CORECLR_PROFILER=";

// How many entries the result may have beyond those given: Oriel's three, the guests, and the end.
constexpr size_t kAdded = 5;

// The text without its first `size` bytes, which it must have. substr may throw, which is not allowed here.
std::string_view behind(size_t size, std::string_view text) {
  text.remove_prefix(size);
  return text;
}

// A variable's value. `variable` is its name with '='; "" if it is not set.
std::string_view value_of(char* const* environment, std::string_view variable) {
  for (; *environment != nullptr; ++environment)
    if (std::string_view entry = *environment; entry.starts_with(variable)) return behind(variable.size(), entry);
  return {};
}

// A class id in the notation of ORIEL_GUESTS.
struct Clsid {
  std::array<char, kClsidShape.size()> text{};
  bool valid = false;

  explicit Clsid(std::string_view written) {
    if (written.starts_with('{') && written.ends_with('}')) {
      written.remove_prefix(1);
      written.remove_suffix(1);
    }
    if (written.size() + 2 != text.size()) return;
    text.front() = '{';
    for (size_t i = 0; i < written.size(); ++i) text[i + 1] = capital(written[i]);
    text.back() = '}';
    valid = like_clsid(view()) == text.size();
  }
  std::string_view view() const { return {text.data(), text.size()}; }
};

// The profiler that the runtime would load; none if the path is empty.
struct Named {
  Clsid clsid;
  std::string_view path;
};

Named named_in(char* const* environment) {
  Named named{Clsid(value_of(environment, kProfiler)), {}};
  if (!is_clr_switch_on(value_of(environment, kEnabled)) || !named.clsid.valid) return named;
  named.path = value_of(environment, kWidePath);
  if (named.path.empty()) named.path = value_of(environment, kPath);
  return named;
}

// Takes the next line off `text`.
std::string_view next_line(std::string_view& text) {
  const std::string_view line(text.data(), std::min(text.find('\n'), text.size()));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

// Builds the environment: pointers first, then the text of new entries. If there is no room, it only measures.
class Composed {
 public:
  Composed(size_t entries, std::span<char> scratch) {
    const size_t skipped = -reinterpret_cast<uintptr_t>(scratch.data()) % alignof(char*);
    size_ = skipped + (entries + kAdded) * sizeof(char*);
    fits_ = scratch.size() >= size_;
    if (!fits_) return;
    scratch_ = scratch;
    entries_ = reinterpret_cast<char**>(scratch.data() + skipped);
  }

  void keep(char* entry) {
    if (fits_) entries_[count_++] = entry;
  }
  void begin(std::string_view part) {
    keep(fits_ ? scratch_.data() + size_ : nullptr);
    add(part);
  }
  void add(std::string_view part) {
    fits_ = fits_ && scratch_.size() - size_ >= part.size();
    if (fits_) std::memcpy(scratch_.data() + size_, part.data(), part.size());
    size_ += part.size();
  }
  void end() { add(std::string_view("\0", 1)); }
  void write(std::string_view name, std::string_view value) {
    begin(name);
    add(value);
    end();
  }
  // NULL if there was not enough room.
  char** done() {
    keep(nullptr);
    return fits_ ? entries_ : nullptr;
  }
  // The size needed at any alignment.
  size_t size() const { return size_ + alignof(char*); }

 private:
  char** entries_ = nullptr;
  size_t count_ = 0;
  std::span<char> scratch_;
  size_t size_ = 0;
  bool fits_ = false;
};

// The guests of `oriel run --clr-profiler`, without the one that was taken over.
struct GivenGuests {
  Clsid taken;
  std::string_view list;

  // The next guest; "" at the end.
  std::string_view next() {
    while (!list.empty()) {
      const std::string_view line = next_line(list);
      if (!line.empty() && !(taken.valid && line.starts_with(taken.view()))) return line;
    }
    return {};
  }
};

bool is_line_of(std::string_view line, const Named& named) {
  return line.starts_with(named.clsid.view()) && behind(named.clsid.text.size() + 1, line) == named.path;
}

void write_guests(const Named* taken, GivenGuests given, Composed& result) {
  std::string_view guest = given.next();
  if (taken == nullptr && guest.empty()) return;
  result.begin(kGuests);
  if (taken != nullptr)
    for (const std::string_view part :
         {taken->clsid.view(), std::string_view("="), taken->path, std::string_view("\n")})
      result.add(part);
  for (; !guest.empty(); guest = given.next()) {
    if (taken != nullptr && guest.starts_with(taken->clsid.view())) continue;
    result.add(guest);
    result.add("\n");
  }
  result.end();
}

bool names_profiler(std::string_view entry) {
  return entry.starts_with(kEnabled) || entry.starts_with(kProfiler) || entry.starts_with(kPaths);
}

// Writes all entries that stay, and those that name the taken-over profiler, under the names for guests' values.
void write_rest(char* const* given, std::string_view engine, bool taken, Composed& result) {
  for (; *given != nullptr; ++given) {
    const std::string_view entry = *given;
    if (names_profiler(entry)) {
      if (taken && !entry.ends_with(engine)) result.write(kTakenPrefix, entry);
    } else if (!entry.starts_with(kTakenPrefix) && !entry.starts_with(kGuests)) {
      result.keep(*given);
    }
  }
}

bool is_to_change(char* const* given, const Named& named) {
  const bool has_oriel = !named.path.empty() && named.clsid.view() == ORIEL_CORECLR_CLSID;
  return value_of(given, "ORIEL_CHILDREN=") == "1" && !has_oriel;
}

Composed compose(char* const* given, const Named& named, std::string_view engine, std::span<char> scratch) {
  const GivenGuests guests{Clsid(value_of(given, kTakenProfiler)), value_of(given, kGuests)};
  // A path that contains a line feed cannot be written in a list of lines.
  const bool is_guest =
      !named.path.empty() && named.path.find('\n') == named.path.npos && value_of(given, "ORIEL_NO_GUESTS=") != "1";
  const bool taken = is_guest && !is_line_of(GivenGuests(guests).next(), named);
  size_t entries = 0;
  while (given[entries] != nullptr) ++entries;
  Composed result(entries, scratch);
  write_rest(given, engine, taken, result);
  write_guests(taken ? &named : nullptr, guests, result);
  result.write(kEnabled, "1");
  result.write(kProfiler, ORIEL_CORECLR_CLSID);
  result.write(kPath, engine);
  return result;
}

}  // namespace

size_t child_environment_size(char* const* given, std::string_view engine) {
  const Named named = named_in(given);
  return is_to_change(given, named) ? compose(given, named, engine, {}).size() : 0;
}

char* const* child_environment(char* const* given, std::string_view engine, std::span<char> scratch) {
  const Named named = named_in(given);
  if (!is_to_change(given, named)) return given;
  char* const* const composed = compose(given, named, engine, scratch).done();
  return composed != nullptr ? composed : given;
}

}  // namespace oriel::coreclr
