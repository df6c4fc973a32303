#include "serve/page_server.h"

#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/random.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <utility>

namespace oriel::serve {

struct Freed {
  void operator()(event_base* base) const { event_base_free(base); }
  void operator()(evhttp* server) const { evhttp_free(server); }
  void operator()(event* it) const { event_free(it); }
  void operator()(evhttp_uri* uri) const { evhttp_uri_free(uri); }
};
template <typename T>
using Owned = std::unique_ptr<T, Freed>;

namespace {

constexpr const char* kLoopback = "127.0.0.1";

// 128 bits in hexadecimal; "" if the system has none.
std::string random_token() {
  std::array<uint8_t, 16> bytes;
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return "";
  std::string token;
  for (const uint8_t byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

uint16_t port_of(evhttp_bound_socket* socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (getsockname(evhttp_bound_socket_get_fd(socket), reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  return ntohs(address.sin_port);
}

std::map<std::string, std::string> query_of(const evhttp_uri* uri) {
  std::map<std::string, std::string> query;
  const char* const text = evhttp_uri_get_query(uri);
  evkeyvalq pairs{};
  if (!text || evhttp_parse_query_str(text, &pairs) != 0) return query;
  for (const evkeyval* pair = pairs.tqh_first; pair; pair = pair->next.tqe_next) query.emplace(pair->key, pair->value);
  evhttp_clear_headers(&pairs);
  return query;
}

void send(evhttp_request* request, const Answer& answer) {
  constexpr std::pair<const char*, const char*> kHeaders[] = {{"Cache-Control", "no-store"},
                                                              {"X-Content-Type-Options", "nosniff"},
                                                              {"X-Frame-Options", "DENY"},
                                                              {"Cross-Origin-Resource-Policy", "same-origin"},
                                                              {"Referrer-Policy", "no-referrer"}};
  evkeyvalq* const headers = evhttp_request_get_output_headers(request);
  for (const auto& [name, value] : kHeaders) evhttp_add_header(headers, name, value);
  evhttp_add_header(headers, "Content-Type", answer.type.c_str());
  evbuffer* const body = evhttp_request_get_output_buffer(request);
  evbuffer_add(body, answer.body.data(), answer.body.size());
  evhttp_send_reply(request, answer.status, nullptr, nullptr);
}

}  // namespace

struct PageServer::Parts {
  Owned<event_base> base;
  Owned<evhttp> server;
  std::string host, place, address;  // "127.0.0.1:34567", "/<token>/", and both
  const Handler* handler = nullptr;

  // Nothing that somebody without the address asks for.
  bool may_ask(evhttp_request* request, const evhttp_uri* uri) const {
    const char* const asked = evhttp_find_header(evhttp_request_get_input_headers(request), "Host");
    const char* const path = uri ? evhttp_uri_get_path(uri) : nullptr;
    return asked && host == asked && path && std::string_view(path).starts_with(place);
  }

  void answer(evhttp_request* request) const {
    const Owned<evhttp_uri> uri(evhttp_uri_parse(evhttp_request_get_uri(request)));
    if (!may_ask(request, uri.get())) return send(request, {.status = 404, .body = "There is nothing here.\n"});
    const std::string path = evhttp_uri_get_path(uri.get());
    send(request, (*handler)({path.substr(place.size()), query_of(uri.get())}));
  }
};

PageServer::PageServer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
PageServer::~PageServer() = default;

const std::string& PageServer::address() const { return parts_->address; }

Result<std::unique_ptr<PageServer>> PageServer::open(uint16_t port) {
  constexpr int kSeconds = 60;
  constexpr ev_ssize_t kMostOfRequest = 1024 * 1024;
  auto parts = std::make_unique<Parts>();
  parts->base.reset(event_base_new());
  parts->server.reset(parts->base ? evhttp_new(parts->base.get()) : nullptr);
  if (!parts->server) return Status::error("out of memory");
  evhttp* const server = parts->server.get();
  evhttp_set_allowed_methods(server, EVHTTP_REQ_GET);
  evhttp_set_max_headers_size(server, kMostOfRequest);
  evhttp_set_max_body_size(server, kMostOfRequest);
  evhttp_set_timeout(server, kSeconds);
  evhttp_bound_socket* const socket = evhttp_bind_socket_with_handle(server, kLoopback, port);
  if (!socket) return Status::error(fmt::format("port {} cannot be had: {}", port, std::strerror(errno)));
  const std::string token = random_token();
  if (token.empty()) return Status::error("the system has no random numbers");
  parts->host = fmt::format("{}:{}", kLoopback, port_of(socket));
  parts->place = "/" + token + "/";
  parts->address = "http://" + parts->host + parts->place;
  return std::unique_ptr<PageServer>(new PageServer(std::move(parts)));
}

Status PageServer::serve(const Handler& handler) {
  parts_->handler = &handler;
  std::signal(SIGPIPE, SIG_IGN);  // a browser may go away while it is answered
  evhttp_set_gencb(
      parts_->server.get(),
      [](evhttp_request* request, void* parts) { static_cast<const Parts*>(parts)->answer(request); }, parts_.get());
  event_base* const base = parts_->base.get();
  Owned<event> signals[] = {nullptr, nullptr, nullptr};
  constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    signals[i].reset(evsignal_new(
        base, kSignals[i],
        [](evutil_socket_t, short, void* ends) { event_base_loopbreak(static_cast<event_base*>(ends)); }, base));
    if (!signals[i] || event_add(signals[i].get(), nullptr) != 0) return Status::error("out of memory");
  }
  return event_base_dispatch(base) >= 0 ? Status::ok() : Status::error(std::strerror(errno));
}

}  // namespace oriel::serve
