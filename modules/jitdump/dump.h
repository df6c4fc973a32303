// The jitdump file of this process. It is opened, written and closed on the module's own thread (modules/worker.h).
#pragma once

#include <cstddef>
#include <string>

#include "base/files/open_file.h"
#include "base/status.h"

namespace oriel::jitdump {

class Dump {
 public:
  ~Dump();

  // Makes the file, which replaces an older one, and maps it as if it were code: by that `perf record` notes its name.
  Status open(const std::string& path);
  // The first failure is kept, and nothing is written after it.
  void write(const std::string& records);
  Status close();

 private:
  std::string path_;
  OpenFile file_{-1};
  void* mark_ = nullptr;
  Status failed_ = Status::ok();
};

}  // namespace oriel::jitdump
