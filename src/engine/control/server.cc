#include "engine/control/server.h"

#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/files/own_files.h"
#include "base/process/code_memory.h"
#include "base/process/own_thread.h"
#include "control/message.h"
#include "control/place.h"
#include "engine/attached.h"
#include "engine/control/commands.h"
#include "engine/messages.h"
#include "engine/or_else.h"
#include "oriel/oriel.h"

namespace oriel::control {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr size_t kMostClients = 8;
constexpr milliseconds kLastWords{500};    // until a tool has taken the last messages
constexpr milliseconds kPatience{10'000};  // with a client that does not send all of its request, or read its answer
// Whatever clients do, the thread takes one part in so many of a processor. Commands themselves count not.
constexpr int kShare = 100;

constinit std::mutex place_lock;  // guards the next, where they change
// The socket's path, for who removes it. Never destroyed.
std::string& path() {
  static auto* const made = new std::string;
  return *made;
}
constinit std::atomic<bool> serving{false};
constinit bool is_wanted = false;

// Under place_lock.
void remove_socket() {
  unlink(path().c_str());
  rmdir(path().substr(0, path().rfind('/')).c_str());  // where it was the last
}

// An attached engine has left, and no other has come since.
bool ends_with_attachment() {
  const std::lock_guard guard(place_lock);
  if (!attached::has_left() || !serving.exchange(false)) return false;
  remove_socket();
  return true;
}

bool is_allowed(int client) {
  const std::optional<ucred> peer = peer_of(client);
  return peer && (peer->uid == geteuid() || peer->uid == 0);
}

class Client {
 public:
  explicit Client(int socket) : socket_(socket), until_(steady_clock::now() + kPatience) {}
  ~Client() {
    close(socket_);
    if (tool_of_ != 0) attached::tool_is_gone(tool_of_);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  pollfd wanted() const { return {socket_, static_cast<short>(answer_.empty() ? POLLIN : POLLOUT), 0}; }
  bool is_late() const { return tool_of_ == 0 && steady_clock::now() >= until_; }
  bool is_answered() const { return answer_.empty(); }

  // Reads or writes what there is. False if it is to be closed.
  bool go_on() { return answer_.empty() ? read_more() : write_more(); }

 private:
  bool read_more() {
    char bytes[4096];
    const ssize_t size = recv(socket_, bytes, sizeof bytes, MSG_DONTWAIT);
    if (size <= 0) return size < 0 && (errno == EAGAIN || errno == EINTR);
    request_.append(bytes, static_cast<size_t>(size));
    const size_t end = request_.find('\n');
    if (end == std::string::npos) return request_.size() < kMostRequest;
    if (end + 1 < request_.size()) return false;  // more than a request
    answer(std::string_view(request_).substr(0, end));
    request_.clear();
    return write_more();
  }

  void answer(std::string_view line) {
    const Result<Words> words = words_of(line);
    // What cannot be read is not talked with any further.
    is_last_ = !words;
    if (words && words->front() == "watch") tool_of_ = attached::number();
    answer_ = text_of(words ? execute(*words) : Answer{words.status(), {}});
    until_ = steady_clock::now() + kPatience;
  }

  bool write_more() {
    const ssize_t size = send(socket_, answer_.data(), answer_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (size < 0) return errno == EAGAIN || errno == EINTR;
    answer_.erase(0, static_cast<size_t>(size));
    return !answer_.empty() || !is_last_;
  }

  const int socket_;
  steady_clock::time_point until_;
  std::string request_, answer_;
  bool is_last_ = false;
  uint32_t tool_of_ = 0;  // the attachment whose tool it is
};

class Server {
 public:
  explicit Server(int listener) : listener_(listener) {}

  void serve() {
    while (serving.load(std::memory_order_acquire)) {
      const uint64_t before = clock_thread_cpu_ns();
      attempt([this] { once(); });
      const bool answered = std::ranges::all_of(clients_, [](const auto& client) { return client->is_answered(); });
      const bool may_end = answered && (!has_messages() || attached::left_ago() >= kLastWords);
      if (may_end && ends_with_attachment()) return;
      const std::chrono::nanoseconds cost(clock_thread_cpu_ns() - before);
      std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(kShare * cost, milliseconds(20)));
    }
  }

 private:
  // Waits until a client wants something, and sees to it. Where there are as many clients as there may be, others wait
  // in the kernel's queue.
  void once() {
    std::array<pollfd, kMostClients + 1> wanted{};
    size_t count = 0;
    for (const auto& client : clients_) wanted[count++] = client->wanted();
    const bool is_full = clients_.size() == kMostClients;
    if (!is_full) wanted[count++] = {listener_, POLLIN, 0};
    if (poll(wanted.data(), count, longest_wait()) < 0) return;
    for (size_t i = clients_.size(); i-- > 0;) {
      const bool goes_on = wanted[i].revents == 0 ? !clients_[i]->is_late() : clients_[i]->go_on();
      if (!goes_on) clients_.erase(clients_.begin() + static_cast<ptrdiff_t>(i));
    }
    if (!is_full && (wanted[count - 1].revents & POLLIN) != 0) take_client();
  }

  // Milliseconds. Clients may be late, and an attached engine may leave.
  int longest_wait() const {
    if (attached::is_here() || attached::has_left()) return 200;
    return clients_.empty() ? -1 : 1'000;
  }

  void take_client() {
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0) return;
    if (is_allowed(socket))
      clients_.push_back(std::make_unique<Client>(socket));
    else
      close(socket);
  }

  const int listener_;
  std::vector<std::unique_ptr<Client>> clients_;
};

// Whether nobody listens there any more: its process was killed.
bool is_left_over(const std::string& path) {
  const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (probe < 0) return false;
  const sockaddr_un address = socket_address(path);
  const bool refused =
      connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 && errno == ECONNREFUSED;
  close(probe);
  return refused;
}

// Removes the sockets of processes that were killed.
void tidy(int folder) {
  constexpr int kMost = 256;
  DIR* const list = fdopendir(dup(folder));
  if (!list) return;
  for (int seen = 0; seen < kMost; ++seen) {
    const dirent* const entry = readdir(list);
    if (!entry) break;
    const std::string name = entry->d_name;
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (is_left_over(socket_path(folder, name))) unlinkat(folder, name.c_str(), 0);
  }
  closedir(list);
}

// The socket that clients connect to, or -1. It gets its name once it listens: other processes remove those that do not
// (tidy). Another process that ends may remove the folder meanwhile.
int try_to_listen(const std::string& folder_path, const std::string& name) {
  const Result<int> folder = open_socket_folder(folder_path, geteuid(), true);
  if (!folder) return -1;
  tidy(*folder);
  const std::string new_name = name + ".new";
  unlinkat(*folder, new_name.c_str(), 0);
  const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const sockaddr_un address = socket_address(socket_path(*folder, new_name));
  const bool listens = listener >= 0 &&
                       bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
                       listen(listener, 16) == 0 && renameat(*folder, new_name.c_str(), *folder, name.c_str()) == 0;
  close(*folder);
  if (listens) return listener;
  if (listener >= 0) close(listener);
  return -1;
}

int listen_at(const std::string& folder, const std::string& name) {
  constexpr int kTries = 5;
  int listener = -1;
  for (int i = 0; i < kTries && listener < 0; ++i) listener = try_to_listen(folder, name);
  return listener;
}

void* run(void*) {
  pthread_setname_np(pthread_self(), "oriel-control");
  oriel_thread_attach_tools();
  // Without a table of its own the program would see the sockets; without the memory for code the runtime would end the
  // process where a module asks it for names.
  const std::optional<int> keep = descriptor_to_keep();
  if (!keep || !unshare_descriptors(*keep)) return nullptr;
  open_standard_streams();
  attempt([] {
    int listener = -1;
    {
      const std::lock_guard guard(place_lock);
      if (!is_wanted) return;  // the process has ended before: nobody would remove the socket
      const size_t slash = path().rfind('/');
      listener = listen_at(path().substr(0, slash), path().substr(slash + 1));
      if (listener < 0) return;
      serving.store(true, std::memory_order_release);
    }
    Server(listener).serve();
  });
  return nullptr;
}

}  // namespace

void start_server() {
  const char* const wish = std::getenv("ORIEL_CONTROL");
  if (wish && std::strcmp(wish, "off") == 0) return;
  const char* const temporary = std::getenv("TMPDIR");
  const std::lock_guard guard(place_lock);
  if (serving.load()) return;  // an attached engine has left and come again meanwhile
  is_wanted = true;
  path() = socket_folder(temporary ? temporary : "", geteuid()) + "/" + socket_name(getpid());
  pthread_t thread{};
  if (start_own_thread(thread, run, nullptr) == 0) pthread_detach(thread);
}

bool serves_within(milliseconds most) {
  const auto until = steady_clock::now() + most;
  while (!serving.load(std::memory_order_acquire) && steady_clock::now() < until)
    std::this_thread::sleep_for(milliseconds(1));
  return serving.load();
}

void stop_server() {
  const std::lock_guard guard(place_lock);
  is_wanted = false;
  if (serving.exchange(false)) remove_socket();
}

}  // namespace oriel::control
