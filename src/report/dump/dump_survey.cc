#include "report/dump/dump_survey.h"

#include "profile/profile.h"
#include "profile/recorded.h"

namespace oriel::report {

void DumpSurvey::on_intro(const log::Intro& intro) {
  intro_ = intro;
  names_.add(intro);
}

void DumpSurvey::on_thread(const log::ThreadName& thread) {
  threads_.index(thread.id);
  names_.add(thread);
}

void DumpSurvey::on_event(const log::Event& event) {
  threads_.index(event.thread);
  threads_.take_name(event);
}

Status DumpSurvey::finish(const std::string& wanted) {
  clock_.seal(intro_.clock, profile::fallback_rate(intro_));
  all_ = threads_.finish(names_, clock_);
  for (size_t i = 0; i < all_.size(); ++i) index_.at(all_[i].id) = static_cast<uint32_t>(i);
  wants_all_ = wanted.empty();
  wanted_ = profile::matching_threads(wanted, all_);
  return profile::check_thread(wanted, all_);
}

profile::Thread DumpSurvey::thread(uint64_t id) const {
  if (const uint32_t* index = index_.find(id)) return all_[*index];
  profile::Thread unknown;
  unknown.id = id;
  return unknown;
}

bool DumpSurvey::wants_thread(uint64_t id) const {
  const uint32_t* index = index_.find(id);
  return wants_all_ || (index && wanted_[*index]);
}

}  // namespace oriel::report
