// Pages for the browser of the person at this machine: HTTP on the loopback address, at a place that only this person
// knows.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/status.h"

namespace oriel::serve {

struct Answer {
  int status = 200;  // as in HTTP
  std::string type = "text/plain; charset=utf-8";
  std::string body = {};
};

struct Request {
  std::string path;                          // behind the token: "", "rows"
  std::map<std::string, std::string> query;  // decoded; of several of one name the first
};

// Must not throw.
using Handler = std::function<Answer(const Request&)>;

// One thread's.
class PageServer {
 public:
  // Listens on 127.0.0.1; `port` 0: on any that is free. The error says why it cannot.
  static Result<std::unique_ptr<PageServer>> open(uint16_t port);
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  // "http://127.0.0.1:34567/<32 random digits>/". Other paths are answered with 404, and other names of this machine as
  // well: a page of another site may have its own name lead here, and then reads what it gets.
  const std::string& address() const;

  // Answers GET requests, one after another, until SIGINT, SIGTERM or SIGHUP. From then on SIGPIPE is ignored. Once.
  Status serve(const Handler& handler);

 private:
  struct Parts;
  explicit PageServer(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace oriel::serve
