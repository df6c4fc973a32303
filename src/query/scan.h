// Going through a table's rows, without those that conditions leave out.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "query/log.h"
#include "query/source.h"

namespace oriel::query {

class Scan {
 public:
  // All are views. `stop`: once it is set, there are no more rows.
  Scan(const Source& source, const Logs& logs, const std::atomic<bool>& stop)
      : source_(source), logs_(logs), stop_(stop) {}

  // Only rows whose value is so; several hold together. Columns that are by a time: rows of which it is not known, -1,
  // may be among them. Both ends are included, and are of all logs' common time.
  void keep_times(const Column& column, int64_t from_ns, int64_t to_ns);
  // Columns that are by a thread or a function: of that name.
  void keep_name(const Column& column, const std::string& name);
  // Columns that are by a stack.
  void keep_stack(const Column& column, int64_t number);
  void keep_stacks(const Column& column, Logs::Sets sets);
  // The row of that number, from 0, over all logs.
  void keep_row(int64_t number);

  // To the first row, and to the one after. False: there is none.
  bool start();
  bool next();

  const Log& log() const { return logs_[log_]; }
  size_t row() const { return row_; }
  // Over all logs, from 0.
  int64_t number() const { return static_cast<int64_t>(before_ + row_); }
  // How many rows were looked at so far.
  uint64_t looked_at() const { return looked_at_; }

 private:
  struct Times {
    const Column* column;
    int64_t from_ns, to_ns;
  };
  struct Indexes {
    const Column* column;
    std::vector<StackSet> wanted;  // by log and index
    Logs::Sets sets;               // or these
  };

  bool find();
  bool find_in_log();
  bool may_have_zone(size_t zone) const;
  bool is_kept() const;
  const std::vector<Zone>& zones_of(const Column& column) const;

  const Source& source_;
  const Logs& logs_;
  const std::atomic<bool>& stop_;
  std::vector<Times> times_;
  std::vector<Indexes> indexes_;
  int64_t only_row_ = -1;  // -1: all
  bool none_ = false;
  size_t log_ = 0, row_ = 0, rows_ = 0;
  size_t before_ = 0;  // rows of earlier logs
  uint64_t looked_at_ = 0;
};

}  // namespace oriel::query
