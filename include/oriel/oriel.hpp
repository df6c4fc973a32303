// A thin C++17 wrapper of oriel.h: callbacks are member functions of the profiler's own class, with no cost at run
// time.
//
//   struct Counter {
//     std::atomic<unsigned> collections = 0;
//     void on_gc_end(uint32_t number, uint32_t generation) { ++collections; }
//   };
//   static Counter counter;
//   oriel::Profiler<Counter> profiler(counter);
//   profiler.on_gc_end<&Counter::on_gc_end>();      from now on called
//   profiler.off_gc_end();                          no longer
//
// A callback that throws ends the process, as exceptions must not leave a module; mark callbacks noexcept.
#pragma once

#include "oriel/oriel.h"

namespace oriel {

// One profiler whose state is a `State`. The state must outlive the callbacks; this object need not.
template <typename State>
class Profiler {
 public:
  explicit Profiler(State& state) : handle_(oriel_profiler_create(reinterpret_cast<oriel_profiler*>(&state))) {}

  oriel_profiler_handle handle() const { return handle_; }

  // Called once when the process ends, after the last event.
  template <void (State::*Method)()>
  void on_cleanup() {
    oriel_profiler_set_cleanup_callback(
        handle_, [](oriel_profiler* self) noexcept { (reinterpret_cast<State*>(self)->*Method)(); });
  }

  // on_EVENT<&State::method>() sets the callback, off_EVENT() removes it. Any time; async-safe. It may be too late for
  // an event: see oriel_event_obstacle(oriel_event_EVENT).
#define ORIEL_FIRST_ARG_A(kind, name) name ORIEL_NEXT_ARG_B
#define ORIEL_FIRST_ARG_A_END
#define ORIEL_NEXT_ARG_A(kind, name) , name ORIEL_NEXT_ARG_B
#define ORIEL_NEXT_ARG_B(kind, name) , name ORIEL_NEXT_ARG_A
#define ORIEL_NEXT_ARG_A_END
#define ORIEL_NEXT_ARG_B_END
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc)                                         \
  template <auto Method>                                                                                             \
  void on_##name() {                                                                                                 \
    oriel_profiler_set_##name##_callback(handle_, [](oriel_profiler* self ORIEL_SEQ(ORIEL_PARAM, fields)) noexcept { \
      (reinterpret_cast<State*>(self)->*Method)(ORIEL_SEQ(ORIEL_FIRST_ARG, fields));                                 \
    });                                                                                                              \
  }                                                                                                                  \
  void off_##name() { oriel_profiler_set_##name##_callback(handle_, nullptr); }
#include "oriel/events.def"
#undef ORIEL_EVENT
#undef ORIEL_FIRST_ARG_A
#undef ORIEL_FIRST_ARG_A_END
#undef ORIEL_NEXT_ARG_A
#undef ORIEL_NEXT_ARG_B
#undef ORIEL_NEXT_ARG_A_END
#undef ORIEL_NEXT_ARG_B_END

 private:
  oriel_profiler_handle handle_;
};

}  // namespace oriel
