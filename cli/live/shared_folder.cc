#include "live/shared_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/files/open_file.h"

namespace oriel::cli {
namespace {

Status cannot(const std::string& what, int error) {
  return Status::error("attach: cannot " + what + ": " + std::strerror(error));
}

}  // namespace

// The folder's owner is changed by its descriptor: nobody can put another in its place.
Result<SharedFolder> SharedFolder::make(const LiveProcess& live) {
  const diagnostics::Process& process = live.process;
  std::string made = live.place.port.folder + "/oriel-log-XXXXXX";
  if (mkdtemp(made.data()) == nullptr) return cannot("make a folder in " + live.place.port.folder, errno);
  SharedFolder folder(made, made.substr(process.root.size()));
  const OpenFile opened(open(made.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (opened.number() < 0) return cannot("open " + made, errno);
  const bool is_other = process.user != geteuid();  // only root's tool has another
  if (is_other && fchownat(opened.number(), "", process.user, static_cast<gid_t>(-1), AT_EMPTY_PATH) != 0)
    return cannot("give " + made + " to the program's user", errno);
  return folder;
}

SharedFolder::~SharedFolder() {
  if (!here_.empty()) rmdir(here_.c_str());
}

}  // namespace oriel::cli
