// Rows that events make, one each.
//
// The kind of row has the event's number as kEvent, and a function made_from(event) that fills all but what any event
// has: its time, its thread and its stack, which go into the fields of these kinds.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <vector>

#include "log/event.h"
#include "profile/build/async/async_stacks.h"
#include "profile/build/clock_map.h"
#include "profile/build/incoming.h"
#include "profile/profile.h"
#include "profile/table/renumber.h"

namespace oriel::table {

template <typename Row>
concept MadeFromEvents = requires(const log::Event& event) {
  { Row::kEvent } -> std::convertible_to<uint32_t>;
  { Row::made_from(event) } -> std::same_as<Row>;
};

class FromEvents {
 public:
  // `rows`: of the profile's table that has such rows.
  template <MadeFromEvents Row>
  void add(const profile::Incoming& told, std::vector<Row>& rows) {
    set(rows.emplace_back(Row::made_from(told.event)), told.thread, told.stack);
    counters_[profile::kTableOf<Row>].push_back(told.event.counter);
  }

  // Times, and stacks as people read them.
  void finish(const profile::ClockMap& clock, profile::LogicalStacks& stacks, profile::Profile& profile) {
    profile::each_table([&](const profile::TableName&, auto member) {
      auto& rows = profile.*member;
      using Row = std::remove_cvref_t<decltype(*rows.begin())>;
      if constexpr (MadeFromEvents<Row>) {
        const std::vector<uint64_t>& counters = counters_[profile::kTableOf<Row>];
        for (size_t i = 0; i < rows.size(); ++i) place(rows[i], clock.ns(counters[i]), stacks);
        sort(rows);
      }
    });
  }

 private:
  template <typename Row>
  static void set(Row& row, uint32_t thread, uint32_t stack) {
    each_stored_field<Row>([&](const auto& field) {
      constexpr Kind kKind = std::remove_cvref_t<decltype(field)>::kKind;
      if constexpr (kKind == Kind::kThread) field.of(row) = thread;
      if constexpr (kKind == Kind::kNode) field.of(row) = stack;
    });
  }

  template <typename Row>
  static void place(Row& row, int64_t ns, profile::LogicalStacks& stacks) {
    uint32_t thread = kNone;
    each_stored_field<Row>([&](const auto& field) {
      constexpr Kind kKind = std::remove_cvref_t<decltype(field)>::kKind;
      if constexpr (kKind == Kind::kTime || kKind == Kind::kEnd) field.of(row) = ns;
      if constexpr (kKind == Kind::kThread) thread = field.of(row);
    });
    each_stored_field<Row>([&](const auto& field) {
      if constexpr (std::remove_cvref_t<decltype(field)>::kKind == Kind::kNode)
        if (thread != kNone) field.of(row) = stacks.of(thread, ns, field.of(row));
    });
  }

  std::array<std::vector<uint64_t>, profile::kTables> counters_;  // of each row, by table
};

}  // namespace oriel::table
