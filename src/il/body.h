// A method body as a graph: instructions in a doubly linked list, branches and exception clauses as links into it.
//
// Edits are total: one that makes no sense (an instruction that is not in the body, one inserted twice) changes nothing
// and is remembered, and verify() and encode() then refuse the body with its text. A Body is for one thread at a time.
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

// An exception clause. Each end is the first instruction behind the region, or the body's end mark.
struct Clause {
  ClauseKind kind = ClauseKind::kCatch;
  Instruction* try_begin = nullptr;
  Instruction* try_end = nullptr;
  Instruction* filter_begin = nullptr;  // kFilter only; the filter ends where its handler begins
  Instruction* handler_begin = nullptr;
  Instruction* handler_end = nullptr;
  uint32_t class_token = 0;  // kCatch only
};

// A section of method data that is no exception table, kept as it is.
struct ExtraSection {
  uint8_t kind = 0;  // without the flags for size and for more sections
  std::vector<uint8_t> data;
};

// Does an inserted instruction take over the branches to the instruction behind it?
enum class Branches : uint8_t { kStay, kMove };
// Which regions is an instruction inserted at a boundary in: those of its predecessor (boundaries stay where they are),
// those of its successor (boundaries at the successor move to it), or only those that both are in (ends move to it,
// beginnings stay)? A filter ends where its handler begins: between the two an instruction is in the filter then.
enum class Regions : uint8_t { kOfPrevious, kOfNext, kOfBoth };

class Body {
 public:
  // No instruction, no clause.
  Body();
  Body(Body&&) = default;
  Body& operator=(Body&&) = default;

  // The header.
  uint16_t max_stack = 8;   // as decoded; encode() never writes less
  bool fat_header = false;  // as decoded: kept fat
  bool init_locals = false;
  uint16_t other_flags = 0;    // bits of the fat header without a meaning so far, kept
  uint32_t locals_token = 0;   // StandAloneSig of the local variables, or 0
  uint32_t encoded_bytes = 0;  // taken up by what was decoded, with sections

  // Inner clauses stand before outer ones. Boundaries may be changed freely; add_clause finds the right place for a new
  // one.
  std::vector<Clause> clauses;
  std::vector<ExtraSection> extra_sections;

  Instruction* end() const { return end_; }
  // The end mark if there is none.
  Instruction* first(View view = View::kCurrent) const { return end_->next(view); }
  Instruction* last(View view = View::kCurrent) const { return end_->previous(view); }
  bool contains(const Instruction* instruction) const { return instruction && instruction->is_in(View::kCurrent); }
  // The decoded instruction at an offset of the original code, also if removed since; null if none starts there.
  Instruction* at_original_offset(uint32_t offset) const;

  // New instructions, in no view until inserted. Operands are what Instruction::operand() gives back.
  Instruction* make(Opcode opcode, int64_t operand = 0);
  Instruction* make_branch(Opcode opcode, Instruction* target);
  Instruction* make_switch(std::vector<Instruction*> cases);
  // A call whose effect on the stack the caller knows, so that nobody is asked for it: `pops` counts `this` and, of
  // calli, the function pointer.
  Instruction* make_call(Opcode opcode, uint32_t token, StackEffect effect);

  // Prefixes and what they apply to are one unit to all edits: nothing comes between them. This is the unit's first.
  Instruction* unit_begin(Instruction* instruction) const;
  // The instruction that the prefixes apply to.
  Instruction* unit_end(Instruction* instruction) const;

  // Before the whole unit of `at`; before end() appends.
  void insert_before(Instruction* at, Instruction* made, Branches branches, Regions regions);
  // Behind the whole unit of `at`, in its regions. Branches to what follows pass it by.
  void insert_after(Instruction* at, Instruction* made);
  // Behind all others. Unlike insert_before(end()) it may come behind a prefix: for who makes a body in order.
  void append(Instruction* made);
  // Takes the whole unit out. Branches to it and boundaries at it go to the instruction behind it.
  void remove(Instruction* at);
  // Puts a prefix before an instruction, and before those it has. What came to the instruction comes to the prefix.
  void add_prefix(Instruction* to, Instruction* prefix);
  // Takes a single prefix away from its instruction.
  void remove_prefix(Instruction* prefix);
  // Puts a made instruction where the whole unit of `at` was, with its branches and boundaries.
  void replace(Instruction* at, Instruction* made);
  void retarget(Instruction* branch, Instruction* target);
  void retarget_case(Instruction* switch_instruction, size_t which, Instruction* target);
  // Those behind it move up.
  void remove_case(Instruction* switch_instruction, size_t which);
  // Of an instruction that has an operand and goes nowhere; as Instruction::operand() gives it back.
  void set_operand(Instruction* at, int64_t operand);
  // It is never encoded short.
  void keep_long(Instruction* branch);
  // All branches to `from` go to `to`.
  void move_branches(Instruction* from, Instruction* to);
  // Does a branch or a switch in the body go to `instruction`?
  bool is_branched_to(const Instruction* instruction);
  // Adds a clause before the first one whose try or handler encloses it, behind those with the same try.
  void add_clause(const Clause& clause);

  // The state of now becomes View::kBaseline.
  void set_baseline();
  // The other way round, for links: instructions, branches, switches. Edits since, and what was wrong with them, are
  // forgotten. What else a body has (operands, clauses, the header) is the caller's to put back.
  void return_to_baseline();

  // Numbers the instructions of now (Instruction::index) and lists them; the end mark's number is their count.
  const std::vector<Instruction*>& number();
  // Was `instruction` in the list of the last number(), or is it the end mark?
  bool is_numbered(const Instruction* instruction) const;

  // The first edit that made no sense.
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
  void note_targets_of(Instruction* source);
  void build_incoming();

  // Instructions by the block; the first one is of the decoded instructions in order.
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
  // Who branches to an instruction: built when first asked for; may list some that no longer do.
  std::unordered_map<const Instruction*, std::vector<Instruction*>> incoming_;
  bool incoming_built_ = false;
  Status edit_error_ = Status::ok();
};

// Errors with their place in the code.

// "IL_0012: …", an offset of the original code.
Status error_at(uint32_t il_offset, const std::string& what);
// The same of an instruction; of an inserted one "inserted before IL_0012: …".
Status error_at(const Instruction& at, const std::string& what);

}  // namespace oriel::il
