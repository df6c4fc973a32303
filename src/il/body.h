// A method body as a graph: instructions in a doubly linked list, branches and exception clauses as links into it.
//
// Edits are total: an invalid one (an instruction that is not in the body, or one inserted twice) changes nothing and
// is remembered; verify() and encode() then refuse the body with its message. A Body is for one thread at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "il/instruction.h"

namespace oriel::il {

enum class ClauseKind : uint32_t { kCatch = 0, kFilter = 1, kFinally = 2, kFault = 4 };

// An exception clause. Each end is exclusive: the first instruction behind the region, or the body's end mark.
struct Clause {
  ClauseKind kind = ClauseKind::kCatch;
  Instruction* try_begin = nullptr;
  Instruction* try_end = nullptr;
  Instruction* filter_begin = nullptr;  // kFilter only; the filter ends where its handler begins
  Instruction* handler_begin = nullptr;
  Instruction* handler_end = nullptr;
  uint32_t class_token = 0;  // kCatch only
};

// A section of method data other than an exception table, kept unchanged.
struct ExtraSection {
  uint8_t kind = 0;  // without the flags for size and for further sections
  std::vector<uint8_t> data;
};

// Whether branches to the instruction behind move to the inserted one.
enum class Branches : uint8_t { kStay, kMove };
// The regions of an instruction that is inserted at a boundary: those of its predecessor (boundaries stay), those of
// its successor (boundaries at the successor move to it), or only those that contain both (ends move to it, beginnings
// stay). A filter ends where its handler begins: an instruction between the two is then in the filter.
enum class Regions : uint8_t { kOfPrevious, kOfNext, kOfBoth };

class Body {
 public:
  // Empty: no instruction, no clause.
  Body();
  Body(Body&&) = default;
  Body& operator=(Body&&) = default;

  // The method header.
  uint16_t max_stack = 8;   // as decoded; encode() never writes less
  bool fat_header = false;  // as decoded: kept fat
  bool init_locals = false;
  uint16_t other_flags = 0;    // bits of the fat header that have no meaning yet, kept
  uint32_t locals_token = 0;   // StandAloneSig of the local variables, or 0
  uint32_t encoded_bytes = 0;  // bytes of the decoded body, including sections

  // Inner clauses precede outer ones. Boundaries may be changed freely; add_clause finds the place for a new one.
  std::vector<Clause> clauses;
  std::vector<ExtraSection> extra_sections;

  Instruction* end() const { return end_; }
  // The end mark if there is no instruction.
  Instruction* first(View view = View::kCurrent) const { return end_->next(view); }
  Instruction* last(View view = View::kCurrent) const { return end_->previous(view); }
  bool contains(const Instruction* instruction) const { return instruction && instruction->is_in(View::kCurrent); }
  // The decoded instruction at an offset of the original code, even if it was removed; null if none starts there.
  Instruction* at_original_offset(uint32_t offset) const;

  // New instructions, in no view until inserted. `operand` is as Instruction::operand() returns it.
  Instruction* make(Opcode opcode, int64_t operand = 0);
  Instruction* make_branch(Opcode opcode, Instruction* target);
  Instruction* make_switch(std::vector<Instruction*> cases);
  // A call with a known stack effect, so that MethodFacts is not asked: `pops` includes `this` and, for calli, the
  // function pointer.
  Instruction* make_call(Opcode opcode, uint32_t token, StackEffect effect);

  // Prefixes and their instruction are one unit to all edits: nothing is inserted between them. Returns the unit's
  // first.
  Instruction* unit_begin(Instruction* instruction) const;
  // The instruction that the prefixes apply to.
  Instruction* unit_end(Instruction* instruction) const;

  // Before the whole unit of `at`; before end() it appends.
  void insert_before(Instruction* at, Instruction* made, Branches branches, Regions regions);
  // After the whole unit of `at`, in its regions. Branches to the next instruction do not reach it.
  void insert_after(Instruction* at, Instruction* made);
  // At the end. Unlike insert_before(end()) it may follow a prefix: for building a body in order.
  void append(Instruction* made);
  // Removes the whole unit. Branches to it and boundaries at it move to the next instruction.
  void remove(Instruction* at);
  // Puts a prefix before an instruction and its other prefixes. Branches to the instruction move to the prefix.
  void add_prefix(Instruction* to, Instruction* prefix);
  // Removes a single prefix.
  void remove_prefix(Instruction* prefix);
  // Replaces the whole unit of `at` by a made instruction, which gets its branches and boundaries.
  void replace(Instruction* at, Instruction* made);
  void retarget(Instruction* branch, Instruction* target);
  void retarget_case(Instruction* switch_instruction, size_t which, Instruction* target);
  // Later cases move up.
  void remove_case(Instruction* switch_instruction, size_t which);
  // For an instruction that has an operand and is no branch; as Instruction::operand() returns it.
  void set_operand(Instruction* at, int64_t operand);
  // The branch is never encoded short.
  void keep_long(Instruction* branch);
  // All branches to `from` go to `to`.
  void move_branches(Instruction* from, Instruction* to);
  // Whether a branch or a switch in the body goes to `instruction`.
  bool is_branched_to(const Instruction* instruction);
  // Adds a clause before the first one whose try or handler encloses it, after those with the same try.
  void add_clause(const Clause& clause);

  // The current state becomes View::kBaseline.
  void set_baseline();
  // The reverse, for links: instructions, branches, switches. Later edits and their errors are forgotten. The caller
  // restores the rest of the body (operands, clauses, the header).
  void return_to_baseline();

  // Numbers the current instructions (Instruction::index) and lists them; the end mark's number is their count.
  const std::vector<Instruction*>& number();
  // Whether `instruction` was in the list of the last number(), or is the end mark.
  bool is_numbered(const Instruction* instruction) const;

  // The first invalid edit.
  const Status& edit_error() const { return edit_error_; }

 private:
  friend class Decoder;

  Instruction* allocate(size_t count);
  Instruction* make_linkless(Opcode opcode);
  bool refuse(const char* what);
  bool check_in(const Instruction* at, const char* what);
  bool check_new(const Instruction* made, const char* what);
  void link_before(Instruction* at, Instruction* made);
  void unlink(Instruction* at);
  std::vector<Instruction*>* cases_now(Instruction* at);
  void set_current_cases(Instruction* at, std::vector<Instruction*> cases);
  void move_boundaries(const Instruction* from, Instruction* to);
  void move_ends(const Instruction* from, Instruction* to);
  void record_targets_of(Instruction* source);
  void build_incoming();

  // Instructions are allocated in blocks; the first holds the decoded ones in order.
  struct Block {
    std::unique_ptr<Instruction[]> items;
    size_t count;
  };
  std::vector<Block> blocks_;
  size_t free_in_last_block_ = 0;
  size_t decoded_count_ = 0;
  std::deque<Instruction::Cases> cases_;
  Instruction* end_;
  std::vector<Instruction*> order_;
  // The branches to each instruction: built on first use; may list some that no longer go there.
  std::unordered_map<const Instruction*, std::vector<Instruction*>> incoming_;
  bool incoming_built_ = false;
  Status edit_error_ = Status::ok();
};

// Errors with their location in the code.

// "IL_0012: …", an offset of the original code.
Status error_at(uint32_t il_offset, const std::string& what);
// Likewise for an instruction; "inserted before IL_0012: …" for an inserted one.
Status error_at(const Instruction& at, const std::string& what);

}  // namespace oriel::il
