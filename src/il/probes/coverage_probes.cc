#include "il/probes/coverage_probes.h"

#include <map>

#include "base/files/coverage_file.h"
#include "il/operands.h"
#include "il/sequence.h"

namespace oriel::il {
namespace {

class Inserter {
 public:
  Inserter(Body& body, const std::vector<CoveragePoint>& points, const CoverageProbes& probes)
      : body_(body), points_(points), probes_(probes), of_run_(counters_of(points)) {}

  void run() {
    for (const CoveragePoint& point : points_) {
      if (point.kind != CoveragePoint::Kind::kRun) continue;
      of_run_[point.counter] = true;
      if (needs(point.counter)) insert_run(body_.at_original_offset(point.il), point.counter);
    }
    for (size_t i = 0; i < points_.size(); ++i) {
      if (points_[i].kind == CoveragePoint::Kind::kOutcome && points_[i].outcome == 0) insert_outcomes(i);
    }
    if (probes_.hits == 0) insert_question();
  }

 private:
  bool needs(uint32_t counter) const { return !probes_.needs || probes_.needs(counter); }

  // `behind` follows. A hit is stored only once: threads that run the same code would otherwise invalidate each other's
  // caches.
  void add_probe(Sequence& sequence, uint32_t counter, Instruction* behind) const {
    if (probes_.hits != 0) {
      sequence.address(probes_.hits + counter);
      sequence.add(Opcode::Ldind_U1);
      sequence.add(body_.make_branch(Opcode::Brtrue, behind));
      sequence.address(probes_.hits + counter);
      sequence.add(Opcode::Ldc_I4_1);
      sequence.add(Opcode::Stind_I1);
      return;
    }
    // Load the address twice instead of duplicating it: the JIT compiler then makes one instruction of it.
    add_address(sequence, counter);
    add_address(sequence, counter);
    sequence.add(Opcode::Ldind_I8);
    sequence.add(Opcode::Ldc_I4_1);
    sequence.add(Opcode::Conv_I8);
    sequence.add(Opcode::Add);
    sequence.add(Opcode::Stind_I8);
  }

  void add_address(Sequence& sequence, uint32_t counter) const {
    sequence.add(load_local(body_, probes_.counters_local));
    sequence.add(load_int32(body_, probes_.first_counter + static_cast<int32_t>(coverage_file::bytes_behind(counter))));
    sequence.add(Opcode::Add);
  }

  void insert_run(Instruction* at, uint32_t counter) {
    if (!ends_tail_call(at)) {
      Sequence sequence(body_, at, Branches::kMove, Regions::kOfNext);
      add_probe(sequence, counter, at);
      return;
    }
    // Nothing may be inserted between a tail call and its ret, so branches to that ret get another one.
    Instruction* const ret = body_.make(Opcode::Ret);
    body_.insert_before(body_.end(), ret, Branches::kStay, Regions::kOfNext);
    body_.move_branches(at, ret);
    Sequence sequence(body_, ret, Branches::kMove, Regions::kOfNext);
    add_probe(sequence, counter, ret);
  }

  bool ends_tail_call(const Instruction* at) const {
    if (at->opcode() != Opcode::Ret) return false;
    for (const Instruction* unit = at->previous(); !unit->is_end(); unit = unit->previous()) {
      if (unit->previous()->info().flow != Flow::Prefix) return false;
      if (unit->previous()->opcode() == Opcode::Tailcall) return true;
    }
    return false;
  }

  // Inserts the outcomes of a branch or switch, starting at its first. After it come, as needed:
  //   br next; way 0: probe, br target 0; way 1: …; [fall through: probe]; next: …
  void insert_outcomes(size_t first) {
    Instruction* const branch = body_.at_original_offset(points_[first].il);
    const size_t ways = branch->target() != nullptr ? 1 : branch->cases().size();
    Instruction* const next = branch->next();
    Sequence sequence(body_, next, Branches::kStay, Regions::kOfPrevious);
    std::map<uint32_t, Instruction*> way_of;  // by counter
    Instruction* over = nullptr;              // branch over them
    for (size_t way = 0; way < ways; ++way) {
      const uint32_t counter = points_[first + way].counter;
      if (of_run_[counter] || !needs(counter)) continue;
      if (over == nullptr) sequence.add(over = body_.make_branch(Opcode::Br, next));
      if (!way_of.contains(counter)) way_of[counter] = add_way(sequence, counter, target(branch, way));
      retarget(branch, way, way_of[counter]);
    }
    const bool falls_through = first + ways < points_.size() && points_[first + ways].outcome == ways;
    if (!falls_through || of_run_[points_[first + ways].counter] || !needs(points_[first + ways].counter)) return;
    Instruction* const before = next->previous();
    add_probe(sequence, points_[first + ways].counter, next);
    if (over != nullptr) body_.retarget(over, before->next());
  }

  Instruction* add_way(Sequence& sequence, uint32_t counter, Instruction* to) {
    Instruction* const begin = body_.make(Opcode::Nop);
    Instruction* const end = body_.make_branch(Opcode::Br, to);
    sequence.add(begin);
    add_probe(sequence, counter, end);
    sequence.add(end);
    return begin;
  }

  static Instruction* target(const Instruction* branch, size_t way) {
    return branch->target() != nullptr ? branch->target() : branch->cases()[way];
  }

  void retarget(Instruction* branch, size_t way, Instruction* to) {
    branch->target() != nullptr ? body_.retarget(branch, to) : body_.retarget_case(branch, way, to);
  }

  void insert_question() {
    Sequence sequence(body_, body_.first(), Branches::kStay, Regions::kOfPrevious);
    sequence.address(probes_.counters_of_thread);
    sequence.add(body_.make_call(Opcode::Calli, probes_.call_signature, {1, 1}));
    sequence.add(store_local(body_, probes_.counters_local));
  }

  Body& body_;
  const std::vector<CoveragePoint>& points_;
  const CoverageProbes probes_;
  std::vector<bool> of_run_;  // by counter
};

}  // namespace

void insert_coverage_probes(Body& body, const std::vector<CoveragePoint>& points, const CoverageProbes& probes) {
  if (!points.empty()) Inserter(body, points, probes).run();
}

}  // namespace oriel::il
