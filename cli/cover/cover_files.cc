#include "cover/cover_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "base/text/shown_shell_word.h"
#include "commands.h"
#include "log/writer.h"
#include "output_file.h"
#include "profile/build/coverage_blocks.h"
#include "run/log_files.h"

namespace oriel::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLog = "log";
constexpr const char* kLogFile = "coverage.oriel";

Result<std::vector<CoverFile>> formats_of(const CoverOutput& output) {
  std::vector<CoverFile> files;
  const auto add = [&](const exports::CoverageExport* format) {
    if (std::ranges::find(files, format, &CoverFile::format) == files.end()) files.push_back({format, ""});
  };
  for (const std::string& list : output.formats) {
    for (size_t at = 0; at <= list.size();) {
      const size_t end = std::min(list.find(',', at), list.size());
      const std::string name = list.substr(at, end - at);
      at = end + 1;
      if (name == kLog) {
        add(nullptr);
        continue;
      }
      const Result<const exports::CoverageExport*> format = exports::find_coverage_export(name);
      if (!format) return Status::error(format.message() + ", " + kLog);
      add(*format);
    }
  }
  if (files.empty()) add(nullptr);
  return files;
}

Status write_log(const std::string& path, const Covered& covered) {
  const auto writer = log::Writer::create(path);
  if (!writer) return writer.status();
  (*writer)->compress();
  (*writer)->intro(covered.intro);
  for (const log::Coverage& block : profile::blocks_of(covered.counted)) (*writer)->coverage(block);
  (*writer)->end({log::kVersion2, covered.intro.clock});
  return (*writer)->flush({});
}

Status write_export(const CoverFile& file, std::ostream& out, const coverage::Coverage& coverage) {
  errno = 0;
  file.format->write(coverage, out);
  if (out.flush()) return Status::ok();
  return cannot_be_written(file.path == "-" ? "stdout" : file.path, errno != 0 ? errno : EIO);
}

Status write_one(const CoverFile& file, const Covered& covered) {
  if (file.path == "-") return write_export(file, std::cout, covered.coverage);
  return write_output(file.path, [&](const std::string& place) {
    if (!file.format) return write_log(place, covered);
    errno = 0;
    std::ofstream out(place, std::ios::binary | std::ios::trunc);
    return out ? write_export(file, out, covered.coverage) : cannot_be_written(file.path, errno);
  });
}

}  // namespace

void add_output(CLI::App& command, CoverOutput& output) {
  command.add_option("-f,--format", output.formats, "Formats to write, separated by commas (default: log)")
      ->type_name("FORMATS")
      ->allow_extra_args(false);
  command
      .add_option("-o,--output", output.path,
                  "File to write, or folder for several formats (default: the names below, in the current folder)")
      ->type_name("OUT");
}

std::vector<CoverFormat> cover_formats() {
  std::vector<CoverFormat> formats = {{kLog, kLogFile, "a log, for oriel report coverage and oriel cover merge"}};
  for (const exports::CoverageExport* format : exports::all_coverage_exports())
    formats.push_back({format->name, format->file, format->description});
  return formats;
}

std::string coverage_formats_for_help() {
  std::string text = "Formats:\n";
  for (const CoverFormat& format : cover_formats())
    text += fmt::format("  {:<10} {:<23} {}\n", format.name, format.file, format.description);
  return text;
}

Result<std::vector<CoverFile>> files_for(const CoverOutput& output) {
  Result<std::vector<CoverFile>> files = formats_of(output);
  if (!files) return files;
  std::error_code error;
  const bool in_folder = files->size() > 1 || output.path.empty() || fs::is_directory(output.path, error);
  if (in_folder && !output.path.empty()) {
    if (output.path == "-") return Status::error("only one format fits on stdout; choose one");
    fs::create_directories(output.path, error);
    if (error) return cannot_be_written(output.path, error.value());
  }
  for (CoverFile& file : *files) {
    const std::string name = file.format ? file.format->file : kLogFile;
    file.path = in_folder ? (fs::path(output.path) / name).string() : output.path;
    if (file.path == "-" && !file.format) return Status::error("a log cannot go to stdout; name a file with -o");
    if (file.path == "-") continue;
    if (Status status = check_writable(file.path); !status) return status;
  }
  return files;
}

Status write_files(const std::vector<CoverFile>& files, const Covered& covered) {
  for (const CoverFile& file : files) {
    if (Status status = write_one(file, covered); !status) return status;
    if (file.path == "-") continue;
    std::error_code error;
    const uint64_t size = fs::file_size(file.path, error);
    std::string line = fmt::format("wrote {}{}", file.path, error ? "" : " (" + human_size(size) + ")");
    if (!file.format) line += ". See it: oriel report coverage " + shown_shell_word(file.path);
    say(line);
  }
  return Status::ok();
}

}  // namespace oriel::cli
