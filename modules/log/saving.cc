#include "saving.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "base/clock.h"
#include "log/properties.h"
#include "log/writer.h"

namespace oriel::log_module {
namespace {

bool is_there(const std::string& path) {
  struct stat status;
  return lstat(path.c_str(), &status) == 0;
}

double megabytes(uint64_t bytes) { return static_cast<double>(bytes) / 1e6; }

}  // namespace

std::string name_of_saved(const std::string& of_recorder, const std::string& word) {
  const time_t now = time(nullptr);
  tm date{};
  gmtime_r(&now, &date);
  char when[32];
  strftime(when, sizeof when, "-%Y%m%d-%H%M%S-", &date);
  const size_t name = of_recorder.rfind('/') + 1;
  const size_t dot = of_recorder.find('.', name) == std::string::npos ? of_recorder.size() : of_recorder.rfind('.');
  const std::string front = of_recorder.substr(0, dot) + when + word, ending = of_recorder.substr(dot);
  std::string path = front + ending;
  for (int number = 2; is_there(path); ++number) path = front + "-" + std::to_string(number) + ending;
  return path;
}

Status save_ring(const log::RingFile& ring, const std::string& path, std::span<const log::Lost> lost,
                 const std::function<void()>& between) {
  auto writer = log::Writer::create_unpublished(path);
  if (!writer) return writer.status();
  Status status = (*writer)->copy(ring, between);
  if (status) {
    const bool is_full = ring.held(clock_monotonic_ns()).is_full;
    (*writer)->counters({{{log::counter::kRecorderFull, is_full ? 1u : 0u}}});
    (*writer)->end({.clock = clock_pair()});
    status = (*writer)->flush(lost);
  }
  if (status) status = (*writer)->publish();
  (*writer)->close();
  return status;
}

std::string held_text(const log::RingFile::Held& held, const modules::FileLimits& asked, uint32_t saved,
                      const std::string& last) {
  const uint64_t most = static_cast<uint64_t>(asked.time.count());
  char text[160];
  std::snprintf(text, sizeof text, "holds the last %llu s of %llu s (%.1f MB of %.1f MB)%s",
                static_cast<unsigned long long>(std::min(held.ns / 1'000'000'000, most)),
                static_cast<unsigned long long>(most), megabytes(held.bytes), megabytes(asked.bytes),
                held.is_full ? ", as that is full" : "");
  std::string result = text;
  if (saved != 0) result += "; saved " + std::to_string(saved) + (saved == 1 ? ": " : ", the last: ") + last;
  return result;
}

}  // namespace oriel::log_module
