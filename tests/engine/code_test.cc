// A body's instructions through the public API: what is there, each edit, and what becomes of edits that make no sense.
#include "oriel/code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "engine/code/rewriting.h"
#include "engine/engine.h"
#include "engine/running_engine.h"

namespace oriel {
namespace {

using Bytes = std::vector<uint8_t>;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr uint32_t kLocals = 0x11000001, kWrite = 0x0a000001, kText = 0x70000001, kClass = 0x01000001;

// static int M(int), whose image has what is named here.
class Site final : public CodeSite {
 public:
  Status check(std::span<const uint8_t> body) const override { return body.empty() ? Status::error("empty") : refused; }
  std::span<const uint8_t> signature() const override { return own; }
  std::span<const uint8_t> signature_of(uint32_t token) const override {
    if (token == kLocals) return locals;
    return token == kWrite ? std::span<const uint8_t>(write) : std::span<const uint8_t>();
  }
  Result<uint32_t> token(NamedToken kind, const std::string& text) override {
    if (kind == NamedToken::kString) return kText;
    if (kind == NamedToken::kMember && text == "void Out::Write(string)") return kWrite;
    if (kind == NamedToken::kType && text == "Error") return kClass;
    return Status::error("there is no " + text);
  }
  Result<Bytes> type(const std::string& text) override {
    return text == "int32" ? Result<Bytes>(Bytes{0x08}) : Status::error("there is no " + text);
  }
  Result<uint32_t> signature_token(std::span<const uint8_t> signature) override {
    locals.assign(signature.begin(), signature.end());
    return kLocals;
  }
  std::string type_text(std::span<const uint8_t> type) const override { return type[0] == 0x08 ? "int" : "other"; }

  Bytes own = {0x00, 1, 0x08, 0x08}, write = {0x00, 1, 0x01, 0x0e}, locals;
  Status refused = Status::ok();
};

// ldarg.0; brfalse 5; ldc.i4.1; ret; 5: ldc.i4.2; ret
const Bytes kOriginal = {0x1e, 0x02, 0x2c, 0x02, 0x17, 0x2a, 0x18, 0x2a};  // tiny

using Rewrite = std::function<void(oriel_method_body*)>;

class Code : public testing::Test {
 protected:
  void SetUp() override { forget_refusals(); }
  void TearDown() override {
    for (oriel_profiler_handle profiler : profilers_) oriel_profiler_set_rewriter_callbacks(profiler, nullptr, nullptr);
  }
  void add(Rewrite rewrite) {
    rewrites_.push_back(std::make_unique<Rewrite>(std::move(rewrite)));
    profilers_.push_back(oriel_profiler_create(reinterpret_cast<oriel_profiler*>(rewrites_.back().get())));
    oriel_profiler_set_rewriter_callbacks(
        profilers_.back(), [](oriel_profiler*, oriel_method*) { return true; },
        [](oriel_profiler* self, oriel_method*, oriel_method_body* body) {
          (*reinterpret_cast<Rewrite*>(self))(body);
        });
  }
  RewrittenBody run(const Bytes& original = kOriginal) {
    RewrittenBody made;
    said_ = test::said_by([&] { made = rewritten_body(*method_, nullptr, original, site_); });
    return made;
  }
  // The code that one rewriter makes of the original, without its header.
  Bytes code_of(Rewrite rewrite) {
    add(std::move(rewrite));
    const RewrittenBody made = run();
    EXPECT_EQ(said_, "");
    if (made.bytes.empty()) return {};
    return {made.bytes.begin() + ((made.bytes[0] & 3) == 2 ? 1 : 12), made.bytes.end()};
  }
  std::string refusal_of(Rewrite rewrite) {
    forget_refusals();
    add(std::move(rewrite));
    EXPECT_THAT(run().bytes, IsEmpty());
    return said_;
  }

  Site site_;
  oriel_method* method_ = intern_method(0xc0de1, intern_image(0xc0de0), 0x06000001);
  std::vector<oriel_profiler_handle> profilers_;
  std::vector<std::unique_ptr<Rewrite>> rewrites_;
  std::string said_;
};

oriel_instruction* first(oriel_method_body* body) { return oriel_code_first(body, ORIEL_VIEW_CURRENT); }
oriel_instruction* next(oriel_instruction* at) { return oriel_instruction_next(at, ORIEL_VIEW_CURRENT); }
oriel_instruction* nop(oriel_method_body* body) { return oriel_code_make(body, ORIEL_IL_Nop, 0); }
void before(oriel_method_body* body, oriel_instruction* at, oriel_instruction* made) {
  oriel_code_insert_before(body, at, made, ORIEL_BRANCHES_MOVE, ORIEL_REGIONS_OF_NEXT);
}

TEST_F(Code, TellsWhatIsThere) {
  add([](oriel_method_body* body) {
    std::vector<uint32_t> offsets;
    std::vector<std::string> names;
    for (oriel_instruction* at = first(body); at; at = next(at)) {
      offsets.push_back(oriel_instruction_offset(at));
      names.emplace_back(oriel_opcode_name(oriel_instruction_opcode(at)));
    }
    EXPECT_THAT(offsets, ElementsAre(0, 1, 3, 4, 5, 6));
    EXPECT_THAT(names, ElementsAre("ldarg.0", "brfalse", "ldc.i4.1", "ret", "ldc.i4.2", "ret"));
    oriel_instruction* const branch = oriel_code_at(body, 1);
    EXPECT_EQ(oriel_instruction_target(branch, ORIEL_VIEW_ORIGINAL), oriel_code_at(body, 5));
    EXPECT_EQ(oriel_instruction_previous(first(body), ORIEL_VIEW_CURRENT), nullptr);
    EXPECT_EQ(oriel_instruction_next(oriel_code_last(body, ORIEL_VIEW_CURRENT), ORIEL_VIEW_CURRENT), nullptr);
    EXPECT_EQ(oriel_instruction_opcode(oriel_code_end(body)), ORIEL_IL_End);
    EXPECT_EQ(oriel_code_at(body, 2), nullptr);
    EXPECT_EQ(oriel_code_arguments(body), 1u);
    char text[8];
    EXPECT_EQ(oriel_code_type_of(body, ORIEL_RESULT, 0, text, sizeof text), 3u);
    EXPECT_STREQ(text, "int");
    EXPECT_EQ(oriel_code_type_of(body, ORIEL_PARAMETER, 0, nullptr, 0), 3u);
    EXPECT_EQ(oriel_code_type_of(body, ORIEL_PARAMETER, 1, nullptr, 0), 0u);
    EXPECT_EQ(oriel_code_locals(body), 0u);
    EXPECT_EQ(oriel_code_clauses(body, nullptr, 0), 0u);
  });
  EXPECT_THAT(run().bytes, IsEmpty());
  EXPECT_EQ(said_, "");
}

TEST_F(Code, BranchesStayOrMove) {
  for (const oriel_branches branches : {ORIEL_BRANCHES_STAY, ORIEL_BRANCHES_MOVE}) {
    const Bytes code = code_of([&](oriel_method_body* body) {
      oriel_code_insert_before(body, oriel_code_at(body, 5), nop(body), branches, ORIEL_REGIONS_OF_NEXT);
    });
    const uint8_t far = branches == ORIEL_BRANCHES_MOVE ? 2 : 3;
    EXPECT_THAT(code, ElementsAre(0x02, 0x2c, far, 0x17, 0x2a, 0x00, 0x18, 0x2a));
    TearDown();
  }
}

TEST_F(Code, InsertsRemovesReplacesRetargets) {
  const Bytes code = code_of([](oriel_method_body* body) {
    oriel_code_replace(body, oriel_code_at(body, 3), oriel_code_make(body, ORIEL_IL_Ldc_I4, 300));
    oriel_code_insert_after(body, oriel_code_at(body, 0), nop(body));
    oriel_code_retarget(body, oriel_code_at(body, 1), oriel_code_at(body, 5));
    oriel_code_remove(body, first(body));
    before(body, first(body), oriel_code_make(body, ORIEL_IL_Ldarg, 0));
  });
  EXPECT_THAT(code, ElementsAre(0x02, 0x00, 0x2c, 0x06, 0x20, 0x2c, 0x01, 0, 0, 0x2a, 0x18, 0x2a));
}

TEST_F(Code, OperandsChangeInPlaceWhereTheyFit) {
  add([](oriel_method_body* body) {
    oriel_instruction* const at = oriel_code_make(body, ORIEL_IL_Ldc_I4_S, 100);
    oriel_code_replace(body, oriel_code_at(body, 3), at);
    oriel_code_set_operand(body, at, -100);
    EXPECT_EQ(oriel_instruction_operand(at), -100);
  });
  EXPECT_THAT(run().bytes, ElementsAre(0x22, 0x02, 0x2c, 0x03, 0x1f, 0x9c, 0x2a, 0x18, 0x2a));
  add([](oriel_method_body* body) { oriel_code_set_operand(body, oriel_code_at(body, 3), 1000); });
  run();
  EXPECT_THAT(said_, HasSubstr("ldc.i4.1 has no room for 1000"));
}

TEST_F(Code, SwitchesAreMadeAndTheirCasesChanged) {
  add([](oriel_method_body* body) {
    oriel_instruction* const two = oriel_code_at(body, 5);
    oriel_instruction* targets[] = {two, two, oriel_code_at(body, 3)};
    oriel_instruction* const at = oriel_code_make_switch(body, targets, 3);
    oriel_code_replace(body, oriel_code_at(body, 1), at);
    oriel_code_remove_case(body, at, 0);
    oriel_code_retarget_case(body, at, 1, two);
    oriel_instruction* cases[3] = {};
    EXPECT_EQ(oriel_instruction_cases(at, ORIEL_VIEW_CURRENT, cases, 3), 2u);
    EXPECT_THAT(cases, ElementsAre(two, two, nullptr));
  });
  EXPECT_THAT(run().bytes, ElementsAre(0x4a, 0x02, 0x45, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0x17, 0x2a, 0x18, 0x2a));
}

TEST_F(Code, NamesCallAndString) {
  const Bytes code = code_of([](oriel_method_body* body) {
    before(body, first(body), oriel_code_make_named(body, ORIEL_IL_Call, "void Out::Write(string)"));
    before(body, first(body), oriel_code_make_named(body, ORIEL_IL_Ldstr, "hello"));
  });
  EXPECT_THAT(Bytes(code.begin(), code.begin() + 10), ElementsAre(0x72, 1, 0, 0, 0x70, 0x28, 1, 0, 0, 0x0a));
}

TEST_F(Code, LocalsAreListedAndAdded) {
  const Bytes code = code_of([](oriel_method_body* body) {
    EXPECT_EQ(oriel_code_add_local(body, "int32"), 0u);
    EXPECT_EQ(oriel_code_add_local(body, "int32"), 1u);
    EXPECT_EQ(oriel_code_locals(body), 2u);
    char text[8];
    EXPECT_EQ(oriel_code_type_of(body, ORIEL_LOCAL, 1, text, sizeof text), 3u);
    EXPECT_STREQ(text, "int");
    EXPECT_EQ(oriel_code_type_of(body, ORIEL_LOCAL, 2, text, sizeof text), 0u);
    before(body, oriel_code_at(body, 1), oriel_code_make(body, ORIEL_IL_Ldloc, 1));
    before(body, oriel_instruction_previous(oriel_code_at(body, 1), ORIEL_VIEW_CURRENT),
           oriel_code_make(body, ORIEL_IL_Stloc, 1));
  });
  EXPECT_THAT(Bytes(code.begin(), code.begin() + 3), ElementsAre(0x02, 0x0b, 0x07));
  EXPECT_THAT(site_.locals, ElementsAre(0x07, 2, 0x08, 0x08));
}

TEST_F(Code, ReturnsInOnePlace) {
  const Bytes code = code_of([](oriel_method_body* body) {
    oriel_exit exit{};
    ASSERT_TRUE(oriel_code_single_return(body, ORIEL_TAIL_CALLS_KEEP, &exit));
    EXPECT_EQ(next(exit.first), exit.ret);
    before(body, exit.first, nop(body));
  });
  // ldarg.0; brfalse; ldc.i4.1; stloc.0; br; ldc.i4.2; stloc.0; br; nop; ldloc.0; ret
  EXPECT_THAT(code, ElementsAre(0x02, 0x2c, 0x04, 0x17, 0x0a, 0x2b, 0x04, 0x18, 0x0a, 0x2b, 0x00, 0x00, 0x06, 0x2a));
}

TEST_F(Code, WrapsInCatchFinallyAndFault) {
  for (const oriel_clause_kind kind : {ORIEL_CLAUSE_CATCH, ORIEL_CLAUSE_FINALLY, ORIEL_CLAUSE_FAULT}) {
    const Bytes code = code_of([&](oriel_method_body* body) {
      oriel_handler handler{};
      ASSERT_TRUE(oriel_code_wrap(body, kind, kind == ORIEL_CLAUSE_CATCH ? kClass : 0, &handler));
      oriel_code_insert_before(body, handler.last, nop(body), ORIEL_BRANCHES_STAY, ORIEL_REGIONS_OF_NEXT);
      oriel_clause clause{};
      ASSERT_EQ(oriel_code_clauses(body, &clause, 1), 1u);
      EXPECT_EQ(clause.kind, kind);
      EXPECT_EQ(clause.try_begin, first(body));
      EXPECT_EQ(clause.handler_end, handler.exit.first);
    });
    EXPECT_GT(code.size(), 14u) << kind;
    TearDown();
    site_.locals.clear();
  }
}

TEST_F(Code, ClausesAreAddedAndRemoved) {
  add([](oriel_method_body* body) {
    oriel_handler handler{};
    ASSERT_TRUE(oriel_code_wrap(body, ORIEL_CLAUSE_FINALLY, 0, &handler));
    oriel_clause clause{};
    oriel_code_clauses(body, &clause, 1);
    oriel_code_remove_clause(body, 0);
    EXPECT_EQ(oriel_code_clauses(body, nullptr, 0), 0u);
    clause.kind = ORIEL_CLAUSE_FAULT;
    oriel_code_add_clause(body, &clause);
  });
  const RewrittenBody made = run();
  EXPECT_EQ(said_, "");
  add([](oriel_method_body* body) {
    oriel_clause clause{};
    ASSERT_EQ(oriel_code_clauses(body, &clause, 1), 1u);
    EXPECT_EQ(clause.kind, ORIEL_CLAUSE_FAULT);
  });
  EXPECT_EQ(run().bytes, made.bytes);
}

TEST_F(Code, TheNextProfilerSeesThreeViews) {
  add([](oriel_method_body* body) { before(body, first(body), nop(body)); });
  add([](oriel_method_body* body) {
    oriel_instruction* const theirs = first(body);
    EXPECT_EQ(oriel_instruction_opcode(theirs), ORIEL_IL_Nop);
    EXPECT_EQ(oriel_instruction_offset(theirs), ORIEL_NO_IL_OFFSET);
    EXPECT_TRUE(oriel_instruction_is_in(theirs, ORIEL_VIEW_BASELINE));
    EXPECT_FALSE(oriel_instruction_is_in(theirs, ORIEL_VIEW_ORIGINAL));
    oriel_code_remove(body, theirs);
    EXPECT_EQ(oriel_code_first(body, ORIEL_VIEW_BASELINE), theirs);
    EXPECT_EQ(oriel_code_first(body, ORIEL_VIEW_ORIGINAL), first(body));
    before(body, first(body), oriel_code_make(body, ORIEL_IL_Break, 0));
  });
  const RewrittenBody made = run();
  EXPECT_EQ(made.bytes[1], 0x01);
  ASSERT_EQ(made.map.size(), 6u);
  EXPECT_EQ(made.map[1].original, 1u);
  EXPECT_EQ(made.map[1].now, 2u);
}

TEST_F(Code, AnEditThatMakesNoSenseIsToldAndTheBodyStays) {
  add([](oriel_method_body* body) { before(body, first(body), nop(body)); });
  add([](oriel_method_body* body) {
    oriel_code_set_operand(body, oriel_code_make(body, ORIEL_IL_Ldc_I4_S, 1), 2);
    oriel_code_add_local(body, "int32");
    oriel_code_remove(body, first(body));
    oriel_code_insert_after(body, oriel_code_end(body), nop(body));
    char message[200];
    EXPECT_FALSE(oriel_code_verify(body, message, sizeof message));
    EXPECT_THAT(message, HasSubstr("nothing comes behind the end"));
  });
  add([](oriel_method_body* body) {
    EXPECT_EQ(oriel_code_locals(body), 0u);
    EXPECT_TRUE(oriel_code_verify(body, nullptr, 0));
    before(body, first(body), nop(body));
  });
  EXPECT_THAT(run().bytes, ElementsAre(0x26, 0x00, 0x00, 0x02, 0x2c, 0x02, 0x17, 0x2a, 0x18, 0x2a));
  EXPECT_THAT(said_, HasSubstr("insert_after: nothing comes behind the end"));
}

TEST_F(Code, OperandsOfARefusedEditComeBack) {
  add([](oriel_method_body* body) {
    oriel_code_replace(body, oriel_code_at(body, 3), oriel_code_make(body, ORIEL_IL_Ldc_I4_S, 100));
  });
  add([](oriel_method_body* body) {
    oriel_instruction* const at = oriel_instruction_next(oriel_code_at(body, 1), ORIEL_VIEW_CURRENT);
    oriel_code_set_operand(body, at, 50);
    oriel_code_set_operand(body, at, 60);
    oriel_code_remove(body, nullptr);
  });
  add([](oriel_method_body* body) { before(body, first(body), nop(body)); });
  EXPECT_THAT(run().bytes, ElementsAre(0x26, 0x00, 0x02, 0x2c, 0x03, 0x1f, 100, 0x2a, 0x18, 0x2a));
}

TEST_F(Code, EachMakesSomethingOfWhatItIsGiven) {
  EXPECT_THAT(refusal_of([](oriel_method_body* body) { oriel_code_make(body, static_cast<oriel_opcode>(0x24), 0); }),
              HasSubstr("there is no opcode 36"));
  EXPECT_THAT(refusal_of([](oriel_method_body* body) { oriel_code_make(body, ORIEL_IL_Br, 0); }),
              HasSubstr("br is made with where it goes"));
}

TEST_F(Code, NamesThatAreNotThereAreTold) {
  EXPECT_THAT(refusal_of([](oriel_method_body* body) {
                before(body, first(body), oriel_code_make_named(body, ORIEL_IL_Call, "void No::Where()"));
              }),
              HasSubstr("call void No::Where(): there is no void No::Where()"));
  EXPECT_THAT(refusal_of([](oriel_method_body* body) { oriel_code_make_named(body, ORIEL_IL_Add, "x"); }),
              HasSubstr("add takes nothing that has a name"));
  EXPECT_EQ(oriel_code_first(nullptr, ORIEL_VIEW_CURRENT), nullptr);
}

TEST_F(Code, WhatDoesNotVerifyOrTheRuntimeRefusesIsTold) {
  EXPECT_THAT(refusal_of([](oriel_method_body* body) { oriel_code_remove(body, oriel_code_at(body, 5)); }),
              HasSubstr("IL_"));
  TearDown();
  site_.refused = Status::error("it is not for this runtime");
  EXPECT_THAT(refusal_of([](oriel_method_body* body) { before(body, first(body), nop(body)); }),
              HasSubstr("it is not for this runtime"));
}

TEST_F(Code, BytesAndInstructionsDoNotMix) {
  EXPECT_THAT(refusal_of([](oriel_method_body* body) {
                before(body, first(body), nop(body));
                EXPECT_FALSE(oriel_method_body_replace(body, kOriginal.data(), kOriginal.size()));
              }),
              HasSubstr("bytes were given"));
  TearDown();
  add([](oriel_method_body* body) {
    oriel_instruction* const old = first(body);
    const Bytes other = {0x0a, 0x17, 0x2a};
    EXPECT_TRUE(oriel_method_body_replace(body, other.data(), other.size()));
    EXPECT_EQ(oriel_instruction_opcode(old), ORIEL_IL_Ldarg_0) << "what was held may still be read";
    EXPECT_EQ(oriel_instruction_opcode(first(body)), ORIEL_IL_Ldc_I4_1);
    before(body, first(body), nop(body));
  });
  site_.refused = Status::ok();
  const RewrittenBody made = run();
  EXPECT_THAT(made.bytes, ElementsAre(0x0e, 0x00, 0x17, 0x2a));
  EXPECT_THAT(made.map, IsEmpty());
}

TEST_F(Code, ABodyThatCannotBeReadHasNoInstructions) {
  add([](oriel_method_body* body) {
    EXPECT_EQ(first(body), nullptr);
    EXPECT_EQ(oriel_code_end(body), nullptr);
    before(body, first(body), nop(body));
    before(body, first(body), nop(body));
    char message[100];
    EXPECT_FALSE(oriel_code_verify(body, message, sizeof message));
    EXPECT_STRNE(message, "");
    EXPECT_FALSE(oriel_method_body_replace(body, kOriginal.data(), kOriginal.size()));
  });
  EXPECT_THAT(run({0x0a, 0x20, 0x01}).bytes, IsEmpty());
  EXPECT_THAT(said_, ContainsRegex("^oriel: [^\n]*edits of a body that cannot be read: IL_0000[^\n]*\n$"));
}

TEST_F(Code, OneThatThrowsAfterItGaveBytesLeavesTheMapAndTheViews) {
  add([](oriel_method_body* body) { before(body, first(body), nop(body)); });
  add([](oriel_method_body* body) {
    EXPECT_TRUE(oriel_method_body_replace(body, kOriginal.data(), kOriginal.size()));
    throw std::runtime_error("after bytes");
  });
  add([](oriel_method_body* body) {
    EXPECT_EQ(oriel_instruction_offset(first(body)), ORIEL_NO_IL_OFFSET);
    before(body, first(body), nop(body));
  });
  const RewrittenBody made = run();
  EXPECT_THAT(made.bytes, ElementsAre(0x26, 0x00, 0x00, 0x02, 0x2c, 0x02, 0x17, 0x2a, 0x18, 0x2a));
  ASSERT_EQ(made.map.size(), 6u);
  EXPECT_EQ(made.map[0].now, 2u);
}

}  // namespace
}  // namespace oriel
