#include "profile/samples.h"

namespace oriel::profile {

const Samples::Sums& Samples::sums() const {
  if (sums_.known) return sums_;
  sums_ = {true, 0, {}};
  for (const Sample& sample : all_) {
    if (sample.node >= sums_.by_node.size()) sums_.by_node.resize(size_t{sample.node} * 2 + 1);
    sums_.by_node[sample.node] += sample.periods;
  }
  for (const uint64_t periods : sums_.by_node) sums_.periods += periods;
  while (!sums_.by_node.empty() && sums_.by_node.back() == 0) sums_.by_node.pop_back();
  return sums_;
}

}  // namespace oriel::profile
