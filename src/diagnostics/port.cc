#include "diagnostics/port.h"

#include <sys/stat.h>
#include <sys/un.h>

#include "base/files/descriptor.h"

namespace oriel::diagnostics {
namespace {

// With a '/' at its end, as the runtime makes it of TMPDIR.
std::string temporary_folder(const Process& process) {
  std::string folder(variable(process, "TMPDIR").value_or(""));
  if (folder.empty()) folder = "/tmp";
  if (!folder.ends_with('/')) folder += '/';
  return folder;
}

bool is_socket(const std::string& path) {
  struct stat about {};
  return lstat(path.c_str(), &about) == 0 && S_ISSOCK(about.st_mode);
}

bool is_folder(const std::string& path) {
  struct stat about {};
  return stat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode);
}

// Sockets that are bound to a path keep it when the file is gone.
bool is_bound(const Process& process, const std::string& path) {
  const std::string sockets = system_text("/proc/" + std::to_string(process.pid) + "/net/unix");
  return sockets.find(" " + path + "\n") != std::string::npos;
}

}  // namespace

PortPlace find_port(const Process& process) {
  const std::string folder = temporary_folder(process);
  std::string name = "dotnet-diagnostic-" + std::to_string(process.own_pid) + "-" + std::to_string(process.start_ticks);
  name += "-socket";
  PortPlace place{PortState::kThere, {seen_path(process, folder), name, process.pid}};
  place.port.folder.pop_back();
  if (folder.size() + name.size() >= sizeof(sockaddr_un::sun_path)) {
    place.state = PortState::kTooLong;
  } else if (!is_socket(place.port.path())) {
    const bool removed = process.readable && is_bound(process, folder + name);
    const bool has_folder = is_folder(seen_path(process, folder));
    place.state = removed ? PortState::kRemoved : has_folder ? PortState::kNone : PortState::kNoFolder;
  }
  return place;
}

}  // namespace oriel::diagnostics
