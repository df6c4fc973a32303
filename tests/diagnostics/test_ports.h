// A diagnostics port that this process has, in a folder of its own, and what answers there.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "diagnostics/port.h"

namespace oriel::diagnostics {

class TestFolder {
 public:
  TestFolder() {
    char pattern[] = "/tmp/oriel-diagnostics-XXXXXX";
    path_ = mkdtemp(pattern);
  }
  ~TestFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Listens as `name`; each connection is given to `serve`, by its descriptor, which is then closed. Without `serve` none
// is ever accepted.
class TestPort {
 public:
  TestPort(const TestFolder& folder, const std::string& name, std::function<void(int)> serve)
      : port_{folder.path(), name, getpid()}, listener_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    port_.path().copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(listener_, 1), 0);
    if (serve) thread_ = std::thread([this, serve] { accept_all(serve); });
  }
  ~TestPort() {
    shutdown(listener_, SHUT_RDWR);
    if (thread_.joinable()) thread_.join();
    close(listener_);
  }
  TestPort(const TestPort&) = delete;
  TestPort& operator=(const TestPort&) = delete;

  const Port& port() const { return port_; }

 private:
  void accept_all(const std::function<void(int)>& serve) const {
    for (int client; (client = accept(listener_, nullptr, nullptr)) >= 0; close(client)) serve(client);
  }

  Port port_;
  int listener_;
  std::thread thread_;
};

}  // namespace oriel::diagnostics
