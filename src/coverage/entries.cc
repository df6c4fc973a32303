#include "coverage/entries.h"

#include <algorithm>
#include <set>
#include <vector>

namespace oriel::coverage {
namespace {

using il::Instruction;

void add_next(const Instruction& at, std::vector<const Instruction*>& to) {
  if (il::falls_through(at.info().flow)) to.push_back(at.next());
  if (at.target()) to.push_back(at.target());
  to.insert(to.end(), at.cases().begin(), at.cases().end());
}

// The first counted instructions on all ways from these.
std::set<const Instruction*> first_counted(std::vector<const Instruction*> ways, const Counts& counts) {
  std::set<const Instruction*> seen, found;
  while (!ways.empty()) {
    const Instruction* const at = ways.back();
    ways.pop_back();
    if (at->is_end() || !seen.insert(at).second) continue;
    if (counts.has(at->original_offset()))
      found.insert(at);
    else
      add_next(*at, ways);
  }
  return found;
}

}  // namespace

uint64_t entries(const il::Body& body, const Counts& counts) {
  std::vector<const Instruction*> behind_counted;
  for (const Instruction* at = body.first(); !at->is_end(); at = at->next())
    if (counts.has(at->original_offset())) add_next(*at, behind_counted);
  const std::set<const Instruction*> others = first_counted(std::move(behind_counted), counts);
  uint64_t sum = 0;
  for (const Instruction* const at : first_counted({body.first()}, counts))
    if (!others.contains(at)) sum += counts.at(at->original_offset());
  return std::max<uint64_t>(sum, 1);
}

}  // namespace oriel::coverage
