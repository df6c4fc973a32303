// Collects the engine's messages from several processes in a file, and reports them at the end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace oriel::cli {

// Merges collected lines "PID MESSAGE" into lines for the user: each message once, with its processes if it is not from
// all `processes` profiled ones.
std::vector<std::string> summarized(std::string_view gathered, size_t processes);

// The file, locked while this object exists. Processes that find it unlocked print its messages themselves.
class GatheredMessages {
 public:
  GatheredMessages() = default;
  ~GatheredMessages();
  GatheredMessages(const GatheredMessages&) = delete;
  GatheredMessages& operator=(const GatheredMessages&) = delete;

  // Creates the file in `folder`. If that is "", in the temporary folder, where it also removes old files that this
  // user's killed processes left. On failure each process writes to its own stderr.
  void start(const std::string& folder = "");
  // The value for ORIEL_MESSAGES; "" if there is no file.
  const std::string& path() const { return path_; }
  // Returns the messages and removes the file: from now on each process writes to its own stderr.
  std::string take();

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace oriel::cli
