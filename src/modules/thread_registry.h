// Per-thread records with one reader thread, for instance a buffer of events and the log's writer.
#pragma once

#include <atomic>
#include <new>

#include "base/process/thread_key.h"
#include "oriel/oriel.h"

namespace oriel::modules {

// A Record is constructed from its thread's id and has `Record* next_record`. A thread finds its own through a
// thread-local pointer of the registry's owner, which is fast enough for each event. A registry lives as long as the
// process.
template <typename Record>
class ThreadRegistry {
 public:
  // `ends` is called with a thread's record when that thread ends; see ThreadKey.
  explicit ThreadRegistry(void (*ends)(void*)) : key_(ends) {}

  // A record for the calling thread, which must have none yet; nullptr without memory. Takes no lock.
  Record* make();

  // The calling thread's record, which it was given last; nullptr: it has had none.
  Record* own() const { return static_cast<Record*>(key_.get()); }

  // The reader's: the list of all, along next_record. The reader may take some out of it.
  Record*& all();

  // For the reader, if a Record has `std::atomic<bool> finished`, set when its thread ends: calls visit(record) for
  // each, which returns whether it left the record empty. Deletes records that were finished before that and are empty.
  template <typename Visit>
  void drain(Visit visit);

 private:
  const ThreadKey key_;
  std::atomic<Record*> new_{nullptr};  // pushed by threads, newest first
  Record* known_ = nullptr;            // used by the reader only
};

template <typename Record>
Record* ThreadRegistry<Record>::make() {
  oriel_thread* thread = oriel_thread_current();
  auto* record = new (std::nothrow) Record(thread != nullptr ? oriel_thread_id(thread) : 0);
  if (record == nullptr) return nullptr;
  key_.set(record);
  record->next_record = new_.load(std::memory_order_relaxed);
  while (
      !new_.compare_exchange_weak(record->next_record, record, std::memory_order_release, std::memory_order_relaxed)) {
  }
  return record;
}

template <typename Record>
Record*& ThreadRegistry<Record>::all() {
  Record* fresh = new_.exchange(nullptr, std::memory_order_acquire);
  if (fresh == nullptr) return known_;
  Record* oldest = fresh;
  while (oldest->next_record != nullptr) oldest = oldest->next_record;
  oldest->next_record = known_;
  known_ = fresh;
  return known_;
}

template <typename Record>
template <typename Visit>
void ThreadRegistry<Record>::drain(Visit visit) {
  for (Record** link = &all(); *link != nullptr;) {
    Record* record = *link;
    const bool finished = record->finished.load(std::memory_order_acquire);
    if (visit(*record) && finished) {
      *link = record->next_record;
      delete record;
    } else {
      link = &record->next_record;
    }
  }
}

}  // namespace oriel::modules
