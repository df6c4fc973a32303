// Requests by libcurl, which is loaded when the first Http is made.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "push/answer.h"
#include "push/parcel.h"

namespace oriel::push {

struct HttpSettings {
  std::vector<std::string> headers;  // "NAME: VALUE", with each request
  std::string ca_file;               // certificates to trust instead of the system's; "": these
  std::chrono::milliseconds timeout{30'000};
  std::function<bool()> is_interrupted;  // asked several times a second; may be empty
};

// One thread at a time. Keeps its connection. Certificates are verified, redirections are not followed.
class Http {
 public:
  // An error if libcurl is missing.
  static Result<Http> make(HttpSettings settings);

  Answer post(const Parcel& parcel);

  struct Curl;  // the library and a handle

 private:
  explicit Http(std::shared_ptr<Curl> curl) : curl_(std::move(curl)) {}

  std::shared_ptr<Curl> curl_;
};

}  // namespace oriel::push
