// The owner of instructions, graphs and clauses: all of it lives as long as anybody holds any part.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "plugins/code/clauses.h"
#include "plugins/code/graph.h"
#include "plugins/code/instruction.h"

namespace oriel::plugins {

class Code {
 public:
  // A graph without instructions, for a method or none, in a code of its own.
  static ComPtr<Graph> make_graph(IMethodInfo* method);

  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;

  uint32_t hold(uint32_t count = 1) { return count_.fetch_add(count, std::memory_order_relaxed) + count; }
  uint32_t let_go(uint32_t count = 1);

  void own(Instruction* instruction) { instructions_.push_back(instruction); }
  ExceptionClause* make_clause();
  // The clause itself if it belongs to this code; else null.
  ExceptionClause* find(const IExceptionClause* clause) const;
  // An instruction of another code is inserted into a graph of this one: merges the other into this one.
  void absorb(Code& other);

 private:
  Code() = default;
  ~Code();

  std::atomic<uint32_t> count_{1};
  std::vector<Instruction*> instructions_;
  std::vector<std::unique_ptr<ExceptionClause>> clauses_;
  std::vector<std::unique_ptr<Graph>> graphs_;
};

}  // namespace oriel::plugins
