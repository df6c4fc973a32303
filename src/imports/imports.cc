#include "imports/imports.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <tuple>
#include <vector>

#include "base/files/input_file.h"
#include "imports/formats.h"
#include "imports/log_maker.h"
#include "log/properties.h"

namespace oriel::imports {
namespace {

struct Importer {
  Format format;
  const char* name;
  const char* words;
  bool (*is_one)(std::string_view beginning);
  Status (*read)(const InputFile& file, LogMaker& maker, const ImportOptions& options);
};

constexpr Importer kImporters[] = {
    {Format::kNettrace, "nettrace", "a .nettrace file", is_nettrace, read_nettrace},
    {Format::kSpeedscope, "speedscope", "a speedscope file", is_speedscope, read_speedscope},
    {Format::kPerfScript, "perf-script", "text of perf script", is_perf_script, read_perf_script},
    {Format::kMoar, "moarvm", "a MoarVM profile", is_moar, read_moar},
};

const Importer& importer_of(Format format) { return *std::ranges::find(kImporters, format, &Importer::format); }

Status about(const std::string& path, const std::string& what) {
  return Status::error("'" + path + "' cannot be read: " + what);
}

// Which file it is, and in which state.
using Identity = std::tuple<uint64_t, uint64_t, int64_t, int64_t, int64_t>;
Identity identity_of(const std::string& path) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0) return {};
  return {about.st_dev, about.st_ino, about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec};
}

}  // namespace

const char* format_words(Format format) { return importer_of(format).words; }

std::optional<Format> format_of(const std::string& path) {
  constexpr size_t kBeginning = 64u << 10;
  const Result<InputFile> file = InputFile::open(path, UINT64_MAX);
  if (!file) return std::nullopt;
  std::string beginning(kBeginning, '\0');
  const int64_t got = file->read_some(0, beginning.data(), beginning.size());
  beginning.resize(got > 0 ? static_cast<size_t>(got) : 0);
  for (const Importer& importer : kImporters)
    if (importer.is_one(beginning)) return importer.format;
  return std::nullopt;
}

Result<Imported> import_file(const std::string& path, Format format, log::Writer& writer,
                             const ImportOptions& options) try {
  const Importer& importer = importer_of(format);
  if (options.process != 0 && format != Format::kNettrace)
    return about(path, std::string(importer.words) + " does not tell its processes apart");
  const Result<InputFile> file = InputFile::open(path, kMostFileBytes);
  if (!file) return about(path, file.message());
  LogMaker maker;
  maker.properties.emplace_back(log::property::kImported, importer.name);
  if (Status status = importer.read(*file, maker, options); !status) return about(path, status.message());
  const Imported imported{maker.samples(), maker.events(), maker.calls(), maker.left_out(), maker.cut()};
  if (Status status = maker.write(writer); !status) return status;
  return imported;
} catch (const std::bad_alloc&) {
  return about(path, "there is no memory for it");
}

Result<std::string> log_of(const std::string& path, const Progress& progress) {
  static std::mutex lock;
  static std::map<Identity, std::string> known;  // what the descriptors of the process's own are open for
  const std::lock_guard guard(lock);
  const std::optional<Format> format = format_of(path);
  if (!format) return path;
  const Identity identity = identity_of(path);
  if (const auto found = known.find(identity); found != known.end()) return found->second;
  const int file = memfd_create("oriel-import", MFD_CLOEXEC);
  if (file < 0) return about(path, std::strerror(errno));
  Result<std::unique_ptr<log::Writer>> writer = log::Writer::create_unnamed(file);
  const Result<Imported> imported =
      writer ? import_file(path, *format, **writer, {.progress = progress}) : writer.status();
  if (!imported) {
    close(file);
    return imported.status();
  }
  return known[identity] = "/proc/self/fd/" + std::to_string(file);
}

}  // namespace oriel::imports
