// Processor of exceptions: when each was thrown, counts by class, messages, catching methods, and the exception that
// ended the process.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "log/event.h"
#include "oriel/oriel.h"
#include "profile/build/async/async_stacks.h"
#include "profile/build/clock_map.h"
#include "profile/build/incoming.h"
#include "profile/build/names.h"
#include "profile/functions.h"
#include "profile/profile.h"

namespace oriel::profile {

class ExceptionCounts {
 public:
  // In older logs an exception has no stack, and the events before it may have one.
  void keep_stacks() { keeps_stacks_ = true; }
  // Of a profile that has its nodes and functions.
  void finish(const Names& names, const ClockMap& clock, LogicalStacks& stacks, Functions& functions, Profile& profile);

  void take_message(const Incoming& told);
  void add_throw(const Incoming& told);
  void add_catch(const Incoming& told);
  void add_abort(const Incoming& told);
  static constexpr Taking<ExceptionCounts> kTakes[] = {
      {oriel_event_exception_message, &ExceptionCounts::take_message},
      {oriel_event_exception_throw, &ExceptionCounts::add_throw},
      {log::Event::kClassException, &ExceptionCounts::add_throw},
      {oriel_event_exception_clause, &ExceptionCounts::add_catch},
      {oriel_event_process_abort, &ExceptionCounts::add_abort},
  };

 private:
  // Place and time: the logical stack of an async method depends on the time.
  struct Place {
    uint32_t stack = 0;
    uint32_t thread = 0;
    uint64_t counter = 0;
  };
  struct Counts {
    uint64_t thrown = 0;
    uint64_t caught = 0;
    std::map<uint64_t, uint64_t> caught_in;  // by method id
    std::vector<Place> thrown_at;            // one for each that was thrown
    struct Last {
      Place place;
      std::string message;
    };
    std::map<uint32_t, Last> last_thrown;  // by stack
    struct Message {
      std::string text;
      Place place;
    };
    std::vector<Message> messages;
  };
  struct Thrown {
    uint64_t klass = 0;
    Place place;
    std::string message;
  };
  struct OfThread {
    std::string message;                   // of the next thrown exception
    std::vector<Thrown> thrown;            // not known to be caught; native code of others may have caught some
    std::map<uint64_t, Thrown> caught_in;  // the last one, by method id
  };
  struct AbortEvent {
    Place place;
    std::optional<Thrown> thrown;
    std::map<uint64_t, Thrown> caught_in;
  };
  // What Mono itself caught, in code around the program's, to end the process for it.
  struct CaughtByMono {
    uint64_t method = 0;
    Thrown thrown;
  };
  using NodeOf = std::function<uint32_t(const Place&)>;

  Place place_of(const Incoming& told) const;
  static void add_first_throw(uint64_t before, const Counts& counts, const Profile& profile, const NodeOf& node_of,
                              Abort& abort);
  std::optional<CaughtByMono> caught_by_mono(const AbortEvent& event, const Names& names, const Profile& profile) const;
  Abort abort_of(const AbortEvent& event, const Names& names, const Profile& profile, const NodeOf& node_of) const;
  // Those that ended the process are not caught.
  void forget_catches_by_mono(const Names& names, const Profile& profile);

  std::map<uint64_t, Counts> by_class_;
  std::map<uint32_t, OfThread> by_thread_;
  std::vector<AbortEvent> aborts_;
  bool keeps_stacks_ = false;
};

}  // namespace oriel::profile
