#include "heap_snapshots.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "base/files/open_file.h"
#include "log/framing.h"
#include "log/heap_chunk_writer.h"
#include "oriel/heap.h"
#include "signal_trigger.h"

namespace oriel::log_module {
namespace {

struct FreeHeap {
  void operator()(const oriel_heap* heap) const { oriel_heap_free(heap); }
};
using Heap = std::unique_ptr<const oriel_heap, FreeHeap>;

// A file without a name beside the log: O_TMPFILE, or where the file system has none, one that is removed at once.
// A descriptor, or an error.
Result<int> file_beside(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  std::string name = path + ".heap-XXXXXX";
  file = mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return Status::error("cannot write beside " + path + ": " + std::strerror(errno));
  unlink(name.c_str());
  return file;
}

// In the copy of the process, or in the stopped one (oriel/heap.h).
const oriel_heap_visitor kVisitor = {
    nullptr,
    -1,
    [](void* writer, const oriel_heap_object* object) {
      static_cast<log::HeapChunkWriter*>(writer)->object(object->type + 1, object->address, object->bytes,
                                                         object->has_length, object->length);
    },
    [](void* writer, uint64_t from, uint64_t target) {
      static_cast<log::HeapChunkWriter*>(writer)->slot(from, target);
    },
    [](void* context) {
      auto* const writer = static_cast<log::HeapChunkWriter*>(context);
      writer->finish();
      return writer->error();
    },
    [](void* writer, int64_t value) { static_cast<log::HeapChunkWriter*>(writer)->value(value); }};

Result<Heap> walk(const OpenFile& file, uint64_t number) {
  const std::unique_ptr<uint8_t[]> memory(new (std::nothrow) uint8_t[log::HeapChunkWriter::memory_bytes()]);
  if (memory == nullptr) return Status::error("out of memory");
  log::HeapChunkWriter writer(memory.get(), file.number(), number);
  oriel_heap_visitor visitor = kVisitor;
  visitor.context = &writer;
  visitor.file = file.number();
  char message[256];
  Heap heap(oriel_heap_snapshot(&visitor, message, sizeof message));
  if (heap == nullptr) return Status::error(message);
  return heap;
}

// Passes the file's blocks on, whole ones, about a megabyte at a time.
Status pass_on(const OpenFile& file, const HeapSnapshots::Of& log, const std::atomic<bool>& is_given_up) {
  constexpr size_t kPiece = 1 << 20;
  std::vector<uint8_t> bytes;
  size_t filled = 0;
  for (off_t at = 0;; filled = 0) {
    if (is_given_up) return Status::error("the program ends");
    bytes.resize(std::max(bytes.size(), kPiece));
    const ssize_t got = pread(file.number(), bytes.data(), bytes.size(), at);
    if (got < 0) return Status::error(std::strerror(errno));
    if (got == 0) return Status::ok();
    log::BlockView block;
    while (log::read_block(bytes.data(), static_cast<size_t>(got), filled, block)) filled = log::end_of(block);
    if (filled == 0 && static_cast<size_t>(got) < bytes.size()) return Status::error("the copy's file is damaged");
    if (filled == 0) bytes.resize(bytes.size() * 2);
    const std::span<const uint8_t> blocks(bytes.data(), filled);
    if (filled != 0) {
      if (Status status = log.with_file([&](LogFile& its) { return its.add_blocks(blocks); }); !status) return status;
    }
    at += static_cast<off_t>(filled);
  }
}

// "1,234,567" of a number.
std::string with_commas(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string text_of(const oriel_heap& heap, uint64_t number) {
  char text[200];
  std::snprintf(text, sizeof text, "snapshot %llu: %s objects, %.1f MB; the program was stopped for %.1f ms",
                static_cast<unsigned long long>(number), with_commas(heap.objects).c_str(),
                static_cast<double>(heap.bytes) / 1e6, static_cast<double>(heap.frozen_ns) / 1e6);
  return *heap.not_copied == 0 ? text : std::string(text) + ", as no copy of it could be made: " + heap.not_copied;
}

Result<std::string> take_into(const HeapSnapshots::Of& log, uint64_t number, const std::string& cause,
                              const std::atomic<bool>& is_given_up) {
  const Result<int> opened = file_beside(log.path());
  if (!opened) return opened.status();
  const OpenFile file(*opened);
  const Result<Heap> heap = walk(file, number);
  if (!heap) return heap.status();
  Status status = pass_on(file, log, is_given_up);
  if (status) status = log.with_file([&](LogFile& its) { return its.add(**heap, number, cause); });
  if (!status) return status;
  return text_of(**heap, number);
}

}  // namespace

Status HeapSnapshots::start_thread() {
  if (has_thread_) return Status::ok();
  // With descriptors of its own: the copy must have nothing of the program's open.
  const Status status = thread_.start("oriel-heap", [] { return Status::ok(); });
  has_thread_ = status.is_ok();
  return status;
}

Status HeapSnapshots::apply(const modules::HeapWhen& when) {
  constexpr std::chrono::milliseconds kFirst{200};
  {
    const std::lock_guard guard(lock_);
    when_ = when;
    if (!when.any() && !is_periodic_) return Status::ok();
    if (Status status = start_thread(); !status) return status;
    if (!std::exchange(is_periodic_, true)) thread_.run_periodically(kFirst, [this] { return take_if_due(); });
  }
  // At once: without a handler, the signal would end the program.
  thread_.do_now([this] { watch(); }, kFirst);
  return Status::ok();
}

void HeapSnapshots::watch() {
  int wanted = 0;
  {
    const std::lock_guard guard(lock_);
    wanted = when_.signal;
  }
  if (wanted != std::exchange(signal_, wanted)) watch_signal(wanted);
}

// nullptr: none is due.
const char* HeapSnapshots::due_cause() {
  if (signal_ != 0 && take_signal("asks for no snapshot any more; use oriel ctl PID snapshot")) return "signal";
  const std::lock_guard guard(lock_);
  if (when_.every_ns != 0 && std::chrono::steady_clock::now() - last_ >= std::chrono::nanoseconds(when_.every_ns))
    return "interval";
  const uint64_t size = size_.load(std::memory_order_relaxed);
  if (size_then_ == 0) size_then_ = size;
  if (when_.growth_percent != 0 && size_then_ != 0 && size > size_then_ + size_then_ / 100 * when_.growth_percent)
    return "growth";
  return nullptr;
}

std::chrono::milliseconds HeapSnapshots::take_if_due() {
  constexpr std::chrono::milliseconds kPause{200};
  const char* const cause = due_cause();
  if (cause == nullptr) return kPause;
  const Result<std::string> text = take_here(cause);
  if (!text && !std::exchange(any_failed_, true)) oriel_warn(("log: " + text.message()).c_str());
  return kPause;
}

Result<std::string> HeapSnapshots::take_here(const std::string& cause) {
  Result<std::string> result = Status::error("out of memory");
  is_writing_ = true;
  is_given_up_ = false;
  last_ = std::chrono::steady_clock::now();
  size_then_ = size_.load(std::memory_order_relaxed);
  try {
    result = take_into(log_, ++taken_, cause, is_given_up_);
  } catch (const std::exception&) {  // as it says already
  }
  is_writing_ = false;
  return result ? result : Result<std::string>(Status::error("a snapshot of the heap failed: " + result.message()));
}

Result<std::string> HeapSnapshots::take(const std::string& cause) {
  {
    const std::lock_guard guard(lock_);
    if (Status status = start_thread(); !status) return status;
  }
  auto result = std::make_shared<Result<std::string>>(Status::error("out of memory"));
  if (!thread_.do_now([this, cause, result] { *result = take_here(cause); }, kLongest))
    return Status::error("the snapshot of the heap was not finished in time");
  return *result;
}

bool HeapSnapshots::end() {
  bool is_last = false;
  {
    const std::lock_guard guard(lock_);
    if (!has_thread_) return true;
    is_last = when_.at_end;
    when_ = {};
  }
  if (is_last) {
    const Result<std::string> text = take("exit");
    if (!text) oriel_warn(("log: " + text.message()).c_str());
  }
  return thread_.stop(is_given_up_ ? kLongestGivenUp : kLongest, [this] { watch(); });
}

}  // namespace oriel::log_module
