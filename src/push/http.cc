#include "push/http.h"

#include <curl/curl.h>
#include <dlfcn.h>

#include <string_view>
#include <utility>

#include "base/text/ascii.h"
#include "base/text/trimmed.h"
#include "base/version.h"

namespace oriel::push {

struct CurlFunctions {
  decltype(&::curl_global_init) global_init = nullptr;
  decltype(&::curl_easy_init) easy_init = nullptr;
  decltype(&::curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&::curl_easy_setopt) easy_setopt = nullptr;
  decltype(&::curl_easy_perform) easy_perform = nullptr;
  decltype(&::curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&::curl_easy_strerror) easy_strerror = nullptr;
  decltype(&::curl_slist_append) slist_append = nullptr;
  decltype(&::curl_slist_free_all) slist_free_all = nullptr;
};

namespace {

constexpr const char* kLibrary = "libcurl.so.4";
constexpr size_t kMostBody = 64 * 1024;  // of an answer; the rest is not looked at

template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

Result<CurlFunctions> load_curl() {
  CurlFunctions curl;
  void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  const bool whole =
      library && find(library, "curl_global_init", curl.global_init) &&
      find(library, "curl_easy_init", curl.easy_init) && find(library, "curl_easy_cleanup", curl.easy_cleanup) &&
      find(library, "curl_easy_setopt", curl.easy_setopt) && find(library, "curl_easy_perform", curl.easy_perform) &&
      find(library, "curl_easy_getinfo", curl.easy_getinfo) &&
      find(library, "curl_easy_strerror", curl.easy_strerror) &&
      find(library, "curl_slist_append", curl.slist_append) &&
      find(library, "curl_slist_free_all", curl.slist_free_all);
  if (!whole || curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
    return Status::error("libcurl cannot be loaded, which pushes need; install it: apt-get install libcurl4");
  return curl;
}

Answer::Failure failure_of(CURLcode code) {
  using Failure = Answer::Failure;
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return Failure::kHost;
    case CURLE_COULDNT_CONNECT:
      return Failure::kConnection;
    case CURLE_OPERATION_TIMEDOUT:
      return Failure::kTimeout;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
      return Failure::kCertificate;
    case CURLE_SSL_CONNECT_ERROR:
      return Failure::kTls;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return Failure::kAddress;
    case CURLE_ABORTED_BY_CALLBACK:
      return Failure::kInterrupted;
    default:
      return Failure::kOther;
  }
}

size_t take_body(char* data, size_t, size_t size, void* to) {
  auto& body = *static_cast<std::string*>(to);
  body.append(data, std::min(size, kMostBody - body.size()));
  return size;
}

size_t take_header(char* data, size_t, size_t size, void* to) {
  auto& answer = *static_cast<Answer*>(to);
  const std::string_view line(data, size);
  const std::pair<std::string_view, std::string*> wanted[] = {{"retry-after:", &answer.retry_after},
                                                              {"location:", &answer.location}};
  for (const auto& [name, value] : wanted) {
    if (!equal_but_for_case(line.substr(0, name.size()), name)) continue;
    *value = trimmed(line.substr(name.size()));
  }
  return size;
}

int go_on(void* settings, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  const auto& asked = static_cast<const HttpSettings*>(settings)->is_interrupted;
  return asked && asked() ? 1 : 0;
}

}  // namespace

struct Http::Curl {
  Curl(const CurlFunctions& loaded, HttpSettings given)
      : functions(loaded), settings(std::move(given)), handle(functions.easy_init()) {}
  ~Curl() { functions.easy_cleanup(handle); }
  Curl(const Curl&) = delete;
  Curl& operator=(const Curl&) = delete;

  template <typename Value>
  void set(CURLoption option, Value value) {
    functions.easy_setopt(handle, option, value);
  }

  const CurlFunctions functions;
  HttpSettings settings;
  CURL* const handle;
  char error[CURL_ERROR_SIZE] = "";
};

Result<Http> Http::make(HttpSettings settings) {
  const Result<CurlFunctions> functions = load_curl();
  if (!functions) return functions.status();
  auto curl = std::make_shared<Curl>(*functions, std::move(settings));
  if (!curl->handle) return Status::error("there is no memory for a connection; close other programs and try again");
  curl->set(CURLOPT_PROTOCOLS_STR, "http,https");
  curl->set(CURLOPT_FOLLOWLOCATION, 0L);
  curl->set(CURLOPT_SSL_VERIFYPEER, 1L);
  curl->set(CURLOPT_SSL_VERIFYHOST, 2L);
  if (!curl->settings.ca_file.empty()) curl->set(CURLOPT_CAINFO, curl->settings.ca_file.c_str());
  curl->set(CURLOPT_TIMEOUT_MS, static_cast<long>(curl->settings.timeout.count()));
  curl->set(CURLOPT_USERAGENT, (std::string("oriel/") + version_text()).c_str());
  curl->set(CURLOPT_ERRORBUFFER, curl->error);
  curl->set(CURLOPT_WRITEFUNCTION, take_body);
  curl->set(CURLOPT_HEADERFUNCTION, take_header);
  curl->set(CURLOPT_XFERINFOFUNCTION, go_on);
  curl->set(CURLOPT_XFERINFODATA, &curl->settings);
  curl->set(CURLOPT_NOPROGRESS, 0L);
  return Http(std::move(curl));
}

Answer Http::post(const Parcel& parcel) {
  Curl& curl = *curl_;
  Answer answer;
  // No waiting for "100 Continue", which not all servers send.
  std::vector<std::string> lines{"Expect:", "Content-Type: " + parcel.content_type};
  if (!parcel.content_encoding.empty()) lines.push_back("Content-Encoding: " + parcel.content_encoding);
  lines.insert(lines.end(), curl.settings.headers.begin(), curl.settings.headers.end());
  curl_slist* headers = nullptr;
  for (const std::string& line : lines) headers = curl.functions.slist_append(headers, line.c_str());
  curl.set(CURLOPT_HTTPHEADER, headers);
  curl.set(CURLOPT_URL, (parcel.url + (parcel.query.empty() ? "" : "?" + parcel.query)).c_str());
  curl.set(CURLOPT_POSTFIELDS, parcel.body.data());
  curl.set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(parcel.body.size()));
  curl.set(CURLOPT_WRITEDATA, &answer.body);
  curl.set(CURLOPT_HEADERDATA, &answer);
  curl.error[0] = '\0';
  const CURLcode code = curl.functions.easy_perform(curl.handle);
  curl.set(CURLOPT_HTTPHEADER, nullptr);
  curl.functions.slist_free_all(headers);
  if (code != CURLE_OK) {
    answer.failure = failure_of(code);
    answer.reason = curl.error[0] != '\0' ? curl.error : curl.functions.easy_strerror(code);
    return answer;
  }
  long status = 0;
  curl.functions.easy_getinfo(curl.handle, CURLINFO_RESPONSE_CODE, &status);
  answer.status = static_cast<int>(status);
  return answer;
}

}  // namespace oriel::push
