// Instructions and graphs that plug-ins hold: their lifetime, and the effects of edits.
#include "plugins/code/graph.h"

#include <gtest/gtest.h>

#include "plugins/code/code.h"
#include "plugins/code/decode.h"
#include "plugins/code/factory.h"
#include "plugins/code/render.h"

namespace oriel::plugins {
namespace {

// ldarg.0; brtrue.s → ret; nop; ret
constexpr uint8_t kCode[] = {0x02, 0x2d, 0x01, 0x00, 0x2a};

ComPtr<Graph> graph_of(std::span<const uint8_t> code) {
  std::vector<ComPtr<Instruction>> made;
  EXPECT_TRUE(decode_code(code, made));
  ComPtr<Graph> graph = Code::make_graph(nullptr);
  graph->take(made, Generation::kOriginal);
  return graph;
}

std::string listing(Graph& graph) {
  std::string text;
  for (const Instruction* at = graph.now.first; at != nullptr; at = at->links.next) {
    text += (text.empty() ? "" : "; ") + std::string(facts_of(at->opcode()).name);
    graph.number();
    for (const Instruction* target : at->targets()) text += " " + std::to_string(target->offset);
  }
  return text;
}

TEST(Graph, InstructionsOutliveTheirGraph) {
  ComPtr<Graph> graph = graph_of(kCode);
  ComPtr<Instruction> branch = share(graph->now.first->links.next);
  EXPECT_EQ(graph->Remove(branch.get()), kOk);
  graph = {};
  ComPtr<IInstruction> target;
  EXPECT_EQ(branch->GetBranchTarget(target.receive()), kOk);
  branch = {};
  Opcode opcode{};
  EXPECT_EQ(target->GetOpCode(&opcode), kOk);
  EXPECT_EQ(opcode, Opcode::Ret);
  ComPtr<IInstruction> before;
  EXPECT_EQ(target->GetPreviousInstruction(before.receive()), kOk);
}

TEST(Graph, LooseOnesHoldWhatTheyGoTo) {
  ComPtr<Graph> graph = graph_of(kCode);
  ComPtr<Instruction> loose = Instruction::branch(Opcode::Br, graph->now.last);
  graph = {};
  ComPtr<IInstruction> target;
  EXPECT_EQ(loose->GetBranchTarget(target.receive()), kOk);
  uint32_t length = 0;
  EXPECT_EQ(target->GetInstructionLength(&length), kOk);
  EXPECT_EQ(length, 1u);
}

TEST(Graph, WhatIsTakenFromAnotherGraphLivesWithBoth) {
  ComPtr<Graph> from = graph_of(kCode), to = graph_of(kCode);
  ComPtr<Instruction> moved = share(from->now.first);
  EXPECT_EQ(to->InsertBefore(to->now.last, moved.get()), kUnexpected) << "it is in another graph";
  EXPECT_EQ(from->Remove(moved.get()), kOk);
  EXPECT_EQ(to->InsertBefore(to->now.last, moved.get()), kOk);
  EXPECT_EQ(listing(*to.get()), "ldarg.0; brtrue.s 5; nop; ldarg.0; ret");
  EXPECT_EQ(listing(*from.get()), "brtrue.s 3; nop; ret");
  ComPtr<Instruction> rest = share(from->now.first);
  from = {};
  to = {};
  moved = {};
  EXPECT_EQ(rest->targets()[0]->opcode(), Opcode::Ret);
}

TEST(Graph, EditsMoveBranchesAsTheirNamesSay) {
  const ComPtr<Graph> graph = graph_of(kCode);
  Instruction* const ret = graph->now.last;
  graph->InsertBefore(ret, Instruction::plain(Opcode::Break).get());
  EXPECT_EQ(listing(*graph.get()), "ldarg.0; brtrue.s 5; nop; break; ret");
  graph->InsertBeforeAndRetargetOffsets(ret, Instruction::plain(Opcode::Nop).get());
  EXPECT_EQ(listing(*graph.get()), "ldarg.0; brtrue.s 5; nop; break; nop; ret");
  graph->InsertAfter(graph->now.first, Instruction::plain(Opcode::Nop).get());
  graph->ExpandBranches();
  EXPECT_EQ(listing(*graph.get()), "ldarg.0; nop; brtrue 9; nop; break; nop; ret");
}

TEST(Graph, ABranchToWhatIsGoneGoesToWhatFollows) {
  const ComPtr<Graph> graph = graph_of(kCode);
  Instruction* const ret = graph->now.last;
  const ComPtr<Instruction> between = Instruction::plain(Opcode::Nop);
  graph->InsertBeforeAndRetargetOffsets(ret, between.get());
  graph->Remove(between.get());
  const Result<Rendered> rendered = render(*graph.get(), 0, {});
  ASSERT_TRUE(rendered) << rendered.message();
  EXPECT_EQ(std::vector<uint8_t>(rendered->bytes.begin() + 12, rendered->bytes.begin() + 17),
            std::vector<uint8_t>(std::begin(kCode), std::end(kCode)));
  EXPECT_EQ(rendered->max_stack, 1);
}

TEST(Graph, WhatDoesNotVerifyIsNotRendered) {
  const ComPtr<Graph> graph = graph_of(kCode);
  graph->InsertBefore(graph->now.last, Instruction::plain(Opcode::Pop).get());
  const Result<Rendered> rendered = render(*graph.get(), 0, {});
  ASSERT_FALSE(rendered);
  EXPECT_NE(rendered.message().find("pop takes more values than the stack holds"), std::string::npos);
  const ComPtr<Graph> nowhere = graph_of(kCode);
  const ComPtr<Instruction> unset = Instruction::branch(Opcode::Br, nullptr);
  nowhere->InsertBefore(nowhere->now.first, unset.get());
  EXPECT_FALSE(render(*nowhere.get(), 0, {}));
}

TEST(Graph, OriginalInstructionsAreMappedToWhatWasPutBeforeThem) {
  const ComPtr<Graph> graph = graph_of(kCode);
  graph->InsertBefore(graph->now.last, Instruction::plain(Opcode::Nop).get());
  graph->ExpandBranches();
  const Result<Rendered> rendered = render(*graph.get(), 0, {});
  ASSERT_TRUE(rendered) << rendered.message();
  std::vector<std::pair<uint32_t, uint32_t>> map;
  for (const IlMapEntry& entry : rendered->map) map.emplace_back(entry.old_offset, entry.new_offset);
  EXPECT_EQ(map, (std::vector<std::pair<uint32_t, uint32_t>>{{0, 0}, {1, 1}, {3, 6}, {4, 7}}));
}

TEST(Graph, ClausesFollowAndAreSorted) {
  // nop; leave.s → ret; pop; leave.s → ret; ret
  const ComPtr<Graph> graph = graph_of(std::vector<uint8_t>{0x00, 0xde, 0x03, 0x26, 0xde, 0x00, 0x2a});
  Instruction* const begin = graph->now.first;
  Instruction* const leave = begin->links.next;
  Instruction* const handler = leave->links.next;
  ComPtr<IExceptionClause> outer, inner;
  EXPECT_EQ(graph->section.AddNewExceptionClause(0, begin, leave, handler, handler->links.next, nullptr, 0x01000001,
                                                 outer.receive()),
            kOk);
  EXPECT_EQ(graph->section.AddNewExceptionClause(0, begin, begin, handler, handler->links.next, nullptr, 0x01000001,
                                                 inner.receive()),
            kOk);
  EXPECT_EQ(graph->section.clauses.front(), inner.get()) << "inner before outer";
  const ComPtr<Instruction> first = Instruction::plain(Opcode::Nop);
  graph->InsertBeforeAndRetargetOffsets(begin, first.get());
  ComPtr<IInstruction> now;
  outer->GetTryFirstInstruction(now.receive());
  EXPECT_EQ(now.get(), first.get());
  EXPECT_EQ(graph->section.RemoveExceptionClause(inner.get()), kOk);
  EXPECT_EQ(graph->section.clauses.size(), 1u);
}

Instruction* place_of(IExceptionClause& clause, HResult (IExceptionClause::*get)(IInstruction**)) {
  ComPtr<IInstruction> at;
  (clause.*get)(at.receive());
  return Instruction::of(at.get());
}

TEST(Graph, ARegionEndsBeforeWhatIsRemovedOrWithWhatWasPutBehindIt) {
  // nop; leave.s → ret; pop; leave.s → ret; ret
  const ComPtr<Graph> graph = graph_of(std::vector<uint8_t>{0x00, 0xde, 0x03, 0x26, 0xde, 0x00, 0x2a});
  Instruction* const begin = graph->now.first;
  Instruction* const leave = begin->links.next;
  Instruction* const handler = leave->links.next;
  ComPtr<IExceptionClause> clause;
  graph->section.AddNewExceptionClause(0, begin, leave, handler, handler->links.next, nullptr, 0x01000001,
                                       clause.receive());
  const ComPtr<Instruction> before = Instruction::branch(Opcode::Leave_S, graph->now.last);
  graph->InsertBefore(leave, before.get());
  graph->Remove(leave);
  EXPECT_EQ(place_of(*clause.get(), &IExceptionClause::GetTryLastInstruction), before.get());
  const ComPtr<Instruction> behind = Instruction::branch(Opcode::Leave_S, graph->now.last);
  graph->InsertAfter(before.get(), behind.get());
  graph->Remove(before.get());
  EXPECT_EQ(place_of(*clause.get(), &IExceptionClause::GetTryLastInstruction), behind.get());
  EXPECT_TRUE(render(*graph.get(), 0, {}));
  graph->Remove(behind.get());
  graph->Remove(begin);
  EXPECT_FALSE(render(*graph.get(), 0, {})) << "nothing is left of its try block";
}

TEST(Graph, ClausesThatComeBackNameWhatTookThePlaces) {
  // nop; leave.s → ret; pop; leave.s → ret; ret
  const ComPtr<Graph> graph = graph_of(std::vector<uint8_t>{0x00, 0xde, 0x03, 0x26, 0xde, 0x00, 0x2a});
  Instruction* const begin = graph->now.first;
  Instruction* const leave = begin->links.next;
  Instruction* const handler = leave->links.next;
  ComPtr<IExceptionClause> clause;
  graph->section.AddNewExceptionClause(0, begin, leave, handler, handler->links.next, nullptr, 0x01000001,
                                       clause.receive());
  const Result<Rendered> plain = render(*graph.get(), 0, {});
  graph->section.RemoveAllExceptionClauses();
  ComPtr<Instruction> made = Instruction::plain(Opcode::Nop);
  for (int i = 0; i < 2; ++i) {
    graph->Replace(i == 0 ? begin : graph->now.first, (made = Instruction::plain(Opcode::Nop)).get());
    graph->Replace(graph->now.first->links.next, Instruction::branch(Opcode::Leave_S, graph->now.last).get());
  }
  graph->Replace(handler, Instruction::plain(Opcode::Pop).get());
  EXPECT_EQ(graph->section.AddExceptionClause(clause.get()), kOk);
  const Result<Rendered> rendered = render(*graph.get(), 0, {});
  ASSERT_TRUE(rendered) << rendered.message();
  EXPECT_EQ(rendered->bytes, plain->bytes);
  EXPECT_EQ(graph->section.RemoveExceptionClause(clause.get()), kOk);
  EXPECT_TRUE(graph->section.clauses.empty()) << "it was the one that came back";
}

TEST(Graph, ABranchToWhatWasReplacedGoesToItsReplacement) {
  const ComPtr<Graph> graph = graph_of(kCode);
  const ComPtr<Instruction> nop = share(graph->now.last->links.previous), made = Instruction::plain(Opcode::Break);
  graph->Replace(nop.get(), made.get());
  EXPECT_EQ(graph->now.first->links.next->SetBranchTarget(nop.get()), kOk);
  const Result<Rendered> rendered = render(*graph.get(), 0, {});
  ASSERT_TRUE(rendered) << rendered.message();
  EXPECT_EQ(std::vector<uint8_t>(rendered->bytes.begin() + 12, rendered->bytes.begin() + 17),
            (std::vector<uint8_t>{0x02, 0x2d, 0x00, 0x01, 0x2a}));
}

TEST(Factory, RefusesOperandsThatDoNotFit) {
  const ComPtr<InstructionFactory> factory = make<InstructionFactory>();
  ComPtr<IInstruction> made;
  EXPECT_EQ(factory->CreateInstruction(Opcode::Call, made.receive()), kInvalidArgument);
  EXPECT_EQ(factory->CreateByteOperandInstruction(Opcode::Ldc_I4, 1, made.receive()), kInvalidArgument);
  EXPECT_EQ(factory->CreateIntOperandInstruction(Opcode::Br, 1, made.receive()), kInvalidArgument);
  EXPECT_EQ(factory->CreateBranchInstruction(Opcode::Nop, nullptr, made.receive()), kInvalidArgument);
  EXPECT_EQ(factory->CreateInstruction(static_cast<Opcode>(0x124), made.receive()), kInvalidArgument);
  EXPECT_EQ(factory->CreateLoadArgInstruction(0x1234, made.receive()), kOk);
  uint8_t bytes[2] = {};
  EXPECT_EQ(query<IOperandInstruction>(made.get())->GetOperandValue(2, bytes), kOk);
  EXPECT_EQ(bytes[1], 0x12);
}

}  // namespace
}  // namespace oriel::plugins
