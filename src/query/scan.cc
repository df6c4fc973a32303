#include "query/scan.h"

#include <algorithm>
#include <utility>

namespace oriel::query {
namespace {

using By = Column::By;

// By index, which of a log's threads or functions have that name.
StackSet named(By by, const std::string& name, const profile::Profile& profile) {
  StackSet set;
  if (by == By::kThread)
    for (const profile::Thread& thread : profile.threads) set.push_back(thread.name == name);
  else
    for (const profile::Function& function : profile.functions) set.push_back(function.name == name);
  if (by == By::kFunction && !set.empty()) set[0] = 0;
  return set;
}

// A time of all logs as one of this log: the least number, if it is too far before it.
int64_t own_time(int64_t ns, const Log& log) { return ns < INT64_MIN + log.later_ns ? INT64_MIN : ns - log.later_ns; }

}  // namespace

void Scan::keep_times(const Column& column, int64_t from_ns, int64_t to_ns) {
  times_.push_back({&column, from_ns, to_ns});
}

void Scan::keep_name(const Column& column, const std::string& name) {
  Indexes indexes{&column, {}, {}};
  for (size_t i = 0; i < logs_.size(); ++i) indexes.wanted.push_back(named(column.by, name, logs_[i].profile()));
  indexes_.push_back(std::move(indexes));
}

void Scan::keep_stack(const Column& column, int64_t number) {
  const Logs::Place place = logs_.stack(number);
  if (!place.log) {
    none_ = true;
    return;
  }
  Indexes indexes{&column, std::vector<StackSet>(logs_.size()), {}};
  for (size_t i = 0; i < logs_.size(); ++i) {
    if (&logs_[i] != place.log) continue;
    indexes.wanted[i].resize(place.stack + size_t{1});
    indexes.wanted[i][place.stack] = 1;
  }
  indexes_.push_back(std::move(indexes));
}

void Scan::keep_stacks(const Column& column, Logs::Sets sets) { indexes_.push_back({&column, {}, std::move(sets)}); }

void Scan::keep_row(int64_t number) {
  none_ = none_ || number < 0 || (only_row_ >= 0 && only_row_ != number);
  only_row_ = number;
}

bool Scan::start() {
  log_ = row_ = before_ = 0;
  if (none_ || logs_.size() == 0) return false;
  rows_ = source_.rows(log());
  return find();
}

bool Scan::next() {
  ++row_;
  return find();
}

bool Scan::find() {
  while (!find_in_log()) {
    if (stop_.load(std::memory_order_relaxed) || log_ + 1 == logs_.size()) return false;
    before_ += rows_;
    row_ = 0;
    rows_ = source_.rows(logs_[++log_]);
  }
  return true;
}

bool Scan::find_in_log() {
  if (only_row_ >= 0) {
    const int64_t at = only_row_ - static_cast<int64_t>(before_);
    if (at < static_cast<int64_t>(row_) || at >= static_cast<int64_t>(rows_)) return false;
    row_ = static_cast<size_t>(at);
    ++looked_at_;
    return is_kept();
  }
  for (; row_ < rows_; ++row_) {
    if (row_ % Zone::kRows == 0) {
      if (stop_.load(std::memory_order_relaxed)) return false;
      if (!may_have_zone(row_ / Zone::kRows)) {
        row_ += Zone::kRows - 1;
        continue;
      }
    }
    ++looked_at_;
    if (is_kept()) return true;
  }
  return false;
}

bool Scan::may_have_zone(size_t zone) const {
  return std::ranges::all_of(times_, [&](const Times& wanted) {
    const Zone& known = zones_of(*wanted.column)[zone];
    return known.most >= own_time(wanted.from_ns, log()) && known.least <= own_time(wanted.to_ns, log());
  });
}

bool Scan::is_kept() const {
  for (const Times& wanted : times_) {
    const int64_t ns = wanted.column->number(log(), row_);
    if (ns < own_time(wanted.from_ns, log()) || ns > own_time(wanted.to_ns, log())) return false;
  }
  for (const Indexes& indexes : indexes_) {
    const StackSet& wanted = indexes.sets ? (*indexes.sets)[log_] : indexes.wanted[log_];
    const auto index = static_cast<size_t>(indexes.column->number(log(), row_));
    if (index >= wanted.size() || wanted[index] == 0) return false;
  }
  return true;
}

const std::vector<Zone>& Scan::zones_of(const Column& column) const {
  std::vector<Zone>& zones = log().zones[{&source_, static_cast<size_t>(&column - source_.columns.data())}];
  if (!zones.empty()) return zones;
  zones.resize(rows_ / Zone::kRows + 1);
  for (size_t row = 0; row < rows_; ++row) {
    Zone& zone = zones[row / Zone::kRows];
    const int64_t ns = column.number(log(), row);
    zone.least = std::min(zone.least, ns);
    zone.most = std::max(zone.most, ns);
  }
  return zones;
}

}  // namespace oriel::query
