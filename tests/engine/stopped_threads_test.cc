// Threads that a walk over the heap finds when the program is stopped, and their stacks.
#include "engine/heap/stopped_threads.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace oriel {
namespace {

struct Stack {
  uintptr_t start, end;
  bool has(uintptr_t address) const { return start <= address && address < end; }
};

// The calling thread's.
Stack stack() {
  pthread_attr_t about;
  void* start = nullptr;
  size_t size = 0;
  pthread_getattr_np(pthread_self(), &about);
  pthread_attr_getstack(&about, &start, &size);
  pthread_attr_destroy(&about);
  return {reinterpret_cast<uintptr_t>(start), reinterpret_cast<uintptr_t>(start) + size};
}

// The mapping with that address. What pthread_getattr_np() tells of the main thread may end below what the system put
// above its stack.
Stack mapping_with(uintptr_t address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    char* rest = nullptr;
    const uintptr_t start = std::strtoul(line.c_str(), &rest, 16), end = std::strtoul(rest + 1, nullptr, 16);
    if (const Stack mapping{start, end}; mapping.has(address)) return mapping;
  }
  return {};
}

// A thread that waits or computes until it is told to end.
class Other {
 public:
  explicit Other(bool computes)
      : thread_([this, computes] {
          stack_ = stack();
          id_.store(static_cast<uint32_t>(gettid()));
          if (!computes) ends_.wait(false);
          while (!ends_) {
          }
        }) {
    while (id() == 0) std::this_thread::yield();
  }
  ~Other() {
    ends_ = true;
    ends_.notify_all();
    thread_.join();
  }
  uint32_t id() const { return id_.load(); }
  Stack stack_of() const { return stack_; }

 private:
  std::atomic<bool> ends_ = false;
  std::atomic<uint32_t> id_ = 0;
  Stack stack_ = {};
  std::thread thread_;
};

StoppedThread found(const StoppedThreads& threads, uint32_t id) {
  const auto its = std::ranges::find(threads.all(), id, &StoppedThread::os_id);
  EXPECT_NE(its, threads.all().end());
  return its == threads.all().end() ? StoppedThread{} : *its;
}

// It says its id before it waits.
void wait_until_it_sleeps(uint32_t id) {
  std::string line;
  do {
    std::this_thread::yield();
    std::ifstream stat("/proc/self/task/" + std::to_string(id) + "/stat");
    std::getline(stat, line);
  } while (line.find(") S ") == line.npos);
}

TEST(StoppedThreads, HaveTheirStacks) {
  const Other waiting(false), computing(true);
  wait_until_it_sleeps(waiting.id());
  StoppedThreads threads;
  threads.read();
  const StoppedThread waits = found(threads, waiting.id()), computes = found(threads, computing.id());
  EXPECT_FALSE(waits.is_running);
  EXPECT_TRUE(waiting.stack_of().has(waits.in_stack));
  EXPECT_TRUE(computes.is_running);
  EXPECT_TRUE(computing.stack_of().has(computes.in_stack));
  EXPECT_EQ(std::ranges::count(threads.all(), static_cast<uint32_t>(gettid()), &StoppedThread::os_id), 0);
}

TEST(StoppedThreads, HaveTheMainThreadsStack) {
  const Stack main = mapping_with(stack().end - 1);
  StoppedThreads threads;
  std::atomic<bool> done = false;
  std::thread reader([&] {
    threads.read();
    done = true;
  });
  while (!done) {
  }
  reader.join();
  const StoppedThread computes = found(threads, static_cast<uint32_t>(getpid()));
  EXPECT_TRUE(computes.is_running);
  EXPECT_TRUE(main.has(computes.in_stack));
}

// Whether a thread that is on its way into a wait, when the threads are read, is found there.
bool is_waited_for() {
  std::atomic<bool> reads = false, ends = false;
  std::atomic<uint32_t> id = 0;
  std::thread late([&] {
    id = static_cast<uint32_t>(gettid());
    while (!reads) {
    }
    ends.wait(false);
  });
  while (id == 0) std::this_thread::yield();
  StoppedThreads threads;
  reads = true;
  threads.read();
  const bool waits = !found(threads, id).is_running;
  ends = true;
  ends.notify_all();
  late.join();
  return waits;
}

TEST(StoppedThreads, AreSeenToWaitAfterAMoment) {
  // On a busy machine it may get no processor meanwhile.
  bool any = false;
  for (int i = 0; i < 100 && !any; ++i) any = is_waited_for();
  EXPECT_TRUE(any);
}

}  // namespace
}  // namespace oriel
