// The samples of a profile, with cached sums: a log has tens of millions, and each report asks several times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "profile/tables/samples.h"

namespace oriel::profile {

struct Spending;        // category.h
struct FunctionTotals;  // call_tree.h

// Its sums are computed on first use and kept until it changes. Not thread-safe, even for reading.
class Samples {
 public:
  Samples() = default;
  Samples(std::initializer_list<Sample> all) : all_(all) {}

  const Sample* begin() const { return all_.data(); }
  const Sample* end() const { return all_.data() + all_.size(); }
  size_t size() const { return all_.size(); }
  bool empty() const { return all_.empty(); }
  const Sample& operator[](size_t at) const { return all_[at]; }
  const Sample& front() const { return all_.front(); }

  void push_back(const Sample& sample) {
    forget();
    all_.push_back(sample);
  }
  // All samples, to be modified. The reference is not valid after the next call of another member.
  std::vector<Sample>& change() {
    forget();
    return all_;
  }

  uint64_t periods() const { return sums().periods; }
  // Periods by node, up to the last node with a sample.
  const std::vector<uint64_t>& by_node() const { return sums().by_node; }

  // Results that others computed from the samples; null before that, and after a change.
  struct Findings {
    std::shared_ptr<const Spending> spending;
    std::shared_ptr<const std::vector<FunctionTotals>> by_function;
  };
  Findings& findings() const { return findings_; }

 private:
  struct Sums {
    bool known = false;
    uint64_t periods = 0;
    std::vector<uint64_t> by_node;
  };
  const Sums& sums() const;
  void forget() {
    sums_.known = false;
    findings_ = {};
  }

  std::vector<Sample> all_;
  mutable Sums sums_;
  mutable Findings findings_;
};

}  // namespace oriel::profile
