// Bodies far larger than compilers make, on a stack too small to recurse through them.
#include <gtest/gtest.h>
#include <pthread.h>

#include <cstring>
#include <functional>

#include "plugins/code/code.h"
#include "plugins/code/decode.h"
#include "plugins/code/factory.h"
#include "plugins/code/render.h"

namespace oriel::plugins {
namespace {

// Runs it on a thread with a stack of 128 KB.
void on_a_small_stack(const std::function<void()>& act) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 128 * 1024);
  pthread_t thread{};
  ASSERT_EQ(pthread_create(
                &thread, &attributes,
                [](void* what) -> void* {
                  (*static_cast<const std::function<void()>*>(what))();
                  return nullptr;
                },
                const_cast<std::function<void()>*>(&act)),
            0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

template <typename T>
void put(std::vector<uint8_t>& bytes, T value) {
  const auto* begin = reinterpret_cast<const uint8_t*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof value);
}

std::vector<uint8_t> with_header(const std::vector<uint8_t>& code, bool has_clauses) {
  std::vector<uint8_t> body;
  put<uint16_t>(body, has_clauses ? 0x301b : 0x3013);
  put<uint16_t>(body, 8);
  put<uint32_t>(body, static_cast<uint32_t>(code.size()));
  put<uint32_t>(body, 0);
  body.insert(body.end(), code.begin(), code.end());
  while (body.size() % 4 != 0) body.push_back(0);
  return body;
}

ComPtr<Graph> graph_of(const std::vector<uint8_t>& body) {
  const Result<DecodedBody> decoded = decode_body(body);
  EXPECT_TRUE(decoded) << decoded.message();
  ComPtr<Graph> graph = Code::make_graph(nullptr);
  graph->take(decoded->instructions, Generation::kOriginal);
  for (const DecodedClause& from : decoded->clauses) {
    ExceptionClause* clause = graph->code().make_clause();
    clause->flags = from.flags;
    clause->type = from.type;
    for (int i = 0; i < ExceptionClause::kPlaces; ++i)
      if (from.at[i] >= 0) clause->at[i] = decoded->instructions[static_cast<size_t>(from.at[i])].get();
    graph->section.clauses.push_back(clause);
  }
  graph->ExpandBranches();
  return graph;
}

void put_nops_everywhere(Graph& graph) {
  for (Instruction* at = graph.now.first; at != nullptr; at = at->links.next)
    if (at->generation == Generation::kOriginal)
      graph.InsertBeforeAndRetargetOffsets(at, Instruction::plain(Opcode::Nop).get());
}

// ldarg.0; brtrue → ret, repeated: this many basic blocks, and this many branches to one instruction.
std::vector<uint8_t> many_blocks(uint32_t count) {
  std::vector<uint8_t> code;
  constexpr uint32_t kBlock = 6;
  for (uint32_t i = 0; i < count; ++i) {
    code.push_back(0x02);
    code.push_back(0x3a);
    put<int32_t>(code, static_cast<int32_t>((count - i - 1) * kBlock));
  }
  code.push_back(0x2a);
  return with_header(code, false);
}

// try { try { … leave end } catch { pop; leave end } } catch { pop; leave end } … end: ret
std::vector<uint8_t> nested(uint32_t depth) {
  std::vector<uint8_t> code;
  const uint32_t inner = 6, handler = 6, size = inner + depth * handler;
  code.push_back(0x00);
  code.push_back(0xdd);
  put<int32_t>(code, static_cast<int32_t>(size - code.size() - 4));
  for (uint32_t i = 0; i < depth; ++i) {
    code.push_back(0x26);
    code.push_back(0xdd);
    put<int32_t>(code, static_cast<int32_t>(size - code.size() - 4));
  }
  code.push_back(0x2a);
  std::vector<uint8_t> body = with_header(code, true);
  put<uint32_t>(body, 0x41 | (4 + 24 * depth) << 8);
  for (uint32_t i = 0; i < depth; ++i)
    for (const uint32_t value : {0u, 0u, inner + i * handler, inner + i * handler, handler, 0x01000001u})
      put<uint32_t>(body, value);
  return body;
}

TEST(Big, AMegabyteOfCode) {
  on_a_small_stack([] {
    const std::vector<uint8_t> body = many_blocks(175'000);
    ASSERT_GT(body.size(), 1'000'000u);
    ComPtr<Graph> graph = graph_of(body);
    put_nops_everywhere(*graph.get());
    const Result<Rendered> rendered = render(*graph.get(), 0, {});
    ASSERT_TRUE(rendered) << rendered.message();
    EXPECT_EQ(rendered->map.size(), 350'001u);
    EXPECT_EQ(rendered->max_stack, 1);
  });
}

TEST(Big, RegionsNestedTenThousandDeep) {
  on_a_small_stack([] {
    ComPtr<Graph> graph = graph_of(nested(10'000));
    put_nops_everywhere(*graph.get());
    const Result<Rendered> rendered = render(*graph.get(), 0, {});
    ASSERT_TRUE(rendered) << rendered.message();
    EXPECT_EQ(graph->section.clauses.size(), 10'000u);
  });
}

TEST(Big, BranchesThatAreInNoMethod) {
  on_a_small_stack([] {
    ComPtr<Instruction> last = Instruction::plain(Opcode::Ret);
    last->AddRef();
    Instruction* const end = last.get();
    for (int i = 0; i < 100'000; ++i) last = Instruction::branch(Opcode::Br, last.get());
    last = ComPtr<Instruction>();
    EXPECT_EQ(end->Release(), 0u) << "none of the chain is left";
  });
}

}  // namespace
}  // namespace oriel::plugins
