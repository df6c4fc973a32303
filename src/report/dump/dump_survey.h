// The first pass of a dump: clock, names and threads, which are only sure when the whole log has been read.
#pragma once

#include <string>
#include <vector>

#include "log/sink.h"
#include "profile/build/clock_map.h"
#include "profile/build/names.h"
#include "profile/build/threads.h"
#include "profile/profile.h"

namespace oriel::report {

class DumpSurvey : public log::EventSink {
 public:
  void on_intro(const log::Intro& intro) override;
  void on_clock(const ClockPair& pair) override { clock_.add(pair); }
  void on_image(const log::ImageName& image) override { names_.add(image); }
  void on_class(const log::ClassName& klass) override { names_.add(klass); }
  void on_method(const log::MethodName& method) override { names_.add(method); }
  void on_library(const log::LibraryName& library) override { names_.add(library); }
  void on_native(const log::NativeName& native) override { names_.add(native); }
  void on_thread(const log::ThreadName& thread) override;
  void on_event(const log::Event& event) override;
  void on_sample(uint64_t thread, const log::Sample&) override { threads_.index(thread); }

  // After the whole log, once. `wanted` is a filter's thread; an error if there is none such.
  Status finish(const std::string& wanted);

  const profile::Names& names() const { return names_; }
  int64_t ns(uint64_t counter) const { return clock_.ns(counter); }
  int64_t duration_ns(uint64_t counts) const { return clock_.duration_ns(counts); }
  // The thread, or one without a name.
  profile::Thread thread(uint64_t id) const;
  bool wants_thread(uint64_t id) const;

 private:
  log::Intro intro_;
  profile::ClockMap clock_;
  profile::Names names_;
  profile::Threads threads_;
  profile::IdMap<uint32_t> index_;  // of threads, by id
  std::vector<profile::Thread> all_;
  std::vector<bool> wanted_;
  bool wants_all_ = true;
};

}  // namespace oriel::report
