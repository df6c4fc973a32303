// What the engine has to say in several processes at once: gathered in a file, told when all is over.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace oriel::cli {

// The lines to tell the user of those that were gathered, "PID MESSAGE" each, each message once with where it holds if
// that is not all of the `processes` that were profiled.
std::vector<std::string> summarized(std::string_view gathered, size_t processes);

// The file, for as long as this lives: it is locked so long. Processes that find it without a lock tell what is in it
// themselves.
class GatheredMessages {
 public:
  GatheredMessages() = default;
  ~GatheredMessages();
  GatheredMessages(const GatheredMessages&) = delete;
  GatheredMessages& operator=(const GatheredMessages&) = delete;

  // Makes it in that folder; "": in the one for temporary files, where others of this user that were left behind go. If
  // that cannot be, each process speaks for itself, on stderr.
  void start(const std::string& folder = "");
  // For ORIEL_MESSAGES; "" if there is none.
  const std::string& path() const { return path_; }
  // What was written, and the end of it: from now on each process speaks for itself.
  std::string take();

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace oriel::cli
