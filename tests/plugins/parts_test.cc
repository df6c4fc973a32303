// The pure parts: configurations, log levels, signatures, hashes, items.
#include <gtest/gtest.h>

#include "plugins/code/opcode_facts.h"
#include "plugins/code/signature_builder.h"
#include "plugins/configuration.h"
#include "plugins/info/data_items.h"
#include "plugins/info/enumerator.h"
#include "plugins/log.h"
#include "plugins/sha1.h"
#include "plugins/text.h"

namespace oriel::plugins {
namespace {

constexpr Guid kOne = {1, 2, 3, {4, 5, 6, 7, 8, 9, 10, 11}};

// Counts its own deletion.
class Item final : public IUnknown {
 public:
  explicit Item(int& gone) : gone_(gone) {}
  HResult QueryInterface(const Guid&, void**) override { return kNoInterface; }
  uint32_t AddRef() override { return ++references_; }
  uint32_t Release() override {
    if (--references_ > 0) return references_;
    ++gone_;
    delete this;
    return 0;
  }

 private:
  ~Item() = default;
  uint32_t references_ = 1;
  int& gone_;
};

struct ThrowingHost final : IProfilerManagerLoggingHost {
  HResult QueryInterface(const Guid&, void**) override { return kNoInterface; }
  uint32_t AddRef() override { return 2; }
  uint32_t Release() override { return 1; }
  HResult LogMessage(const char16_t*) override { throw ++heard; }
  HResult LogError(const char16_t*) override { throw ++heard; }
  HResult LogDumpMessage(const char16_t*) override { throw ++heard; }
  int heard = 0;
};

TEST(Log, AHostThatThrowsHearsNoMore) {
  ThrowingHost host;
  Log::of_process().set_host(share<IProfilerManagerLoggingHost>(&host));
  Log::of_process().set_flags(kLogErrors);
  for (int i = 0; i < 3; ++i) Log::of_process().error("an error");
  EXPECT_EQ(host.heard, 1);
  EXPECT_EQ(Log::of_process().flags(), kLogNothing);
  Log::of_process().set_flags(kLogNothing);
}

TEST(Attach, HasWhatTheXmlSays) {
  const auto request = parse_attach(R"(<InstrumentationEngineConfiguration>
  <InstrumentationEngine><Settings>
    <Setting Name="LogLevel" Value="Errors|Messages"/><Setting Name="LogFileLevel" Value="All"/>
    <Setting Name="LogFilePath" Value="/tmp/log"/><Setting Name="Other" Value="x"/>
  </Settings></InstrumentationEngine>
  <InstrumentationMethods>
    <AddInstrumentationMethod ConfigPath="/a.config"><Settings><Setting Name="n" Value="1"/></Settings>
    </AddInstrumentationMethod><AddInstrumentationMethod ConfigPath="/b.config"/>
  </InstrumentationMethods></InstrumentationEngineConfiguration>)");
  ASSERT_TRUE(request) << request.message();
  EXPECT_EQ(request->log_level, "Errors|Messages");
  EXPECT_EQ(request->log_file_level, "All");
  EXPECT_EQ(request->log_path, "/tmp/log");
  ASSERT_EQ(request->methods.size(), 2u);
  EXPECT_EQ(request->methods[0].path, "/a.config");
  EXPECT_EQ(request->methods[0].settings, (Settings{{"n", "1"}}));
  EXPECT_TRUE(request->methods[1].settings.empty());
}

TEST(Attach, SaysWhereItIsNone) {
  const auto fault = [](const char* inner) {
    return parse_attach(std::string("<InstrumentationEngineConfiguration>\n<InstrumentationMethods>") + inner +
                        "</InstrumentationMethods></InstrumentationEngineConfiguration>")
        .message();
  };
  EXPECT_EQ(fault("<AddInstrumentationMethod/>"), "line 2: an <AddInstrumentationMethod> has no ConfigPath");
  EXPECT_EQ(fault("<Add/>"), "line 2: <Add> is no <AddInstrumentationMethod>");
  EXPECT_EQ(fault("<AddInstrumentationMethod ConfigPath='a'><Settings><Setting Value='1'/></Settings>"
                  "</AddInstrumentationMethod>"),
            "line 2: a <Setting> has no Name");
  EXPECT_EQ(fault("<"), "line 2: not well-formed (invalid token)");
}

TEST(Configuration, HasWhatTheXmlSays) {
  const auto specs = parse_configuration(R"(<?xml version="1.0"?>
<InstrumentationEngineConfiguration><!-- a word -->
  <InstrumentationMethod>
    <Name> One &amp; only </Name><Description>d</Description><Module>sub/one.so</Module>
    <ClassGuid>{00000001-0002-0003-0405-060708090A0B}</ClassGuid><Priority>7</Priority>
  </InstrumentationMethod>
  <InstrumentationMethod32>
    <Name>n</Name><Description>d</Description><Module>m</Module>
    <ClassGuid>{00000002-0002-0003-0405-060708090A0B}</ClassGuid>
  </InstrumentationMethod32>
</InstrumentationEngineConfiguration>)",
                                         "/folder");
  ASSERT_TRUE(specs) << specs.message();
  ASSERT_EQ(specs->size(), 1u);
  EXPECT_EQ(specs->front().name, "One & only");
  EXPECT_EQ(specs->front().path, "/folder/sub/one.so");
  EXPECT_TRUE(specs->front().class_id == kOne);
  EXPECT_EQ(specs->front().priority, 7u);
}

TEST(Configuration, WhatIsCutOffIsSaid) {
  const auto specs = parse_configuration("<InstrumentationEngineConfiguration>\n<InstrumentationMethod>", "/");
  ASSERT_FALSE(specs);
  EXPECT_TRUE(specs.message().starts_with("line 2: ")) << specs.message();
}

TEST(Log, LevelsAreWordsInAnyText) {
  EXPECT_EQ(parse_log_level("Errors|Dumps"), kLogErrors | kLogResults);
  EXPECT_EQ(parse_log_level("All"), kLogErrors | kLogTrace | kLogResults);
  EXPECT_EQ(parse_log_level("none"), kLogNothing);
}

TEST(DataItems, AreReleasedWhenReplacedAndWhenTheirThingGoes) {
  int gone = 0;
  {
    DataItems items;
    items.set(&kOne, &kOne, make<Item>(gone).get());
    EXPECT_EQ(gone, 0);
    items.set(&kOne, &kOne, make<Item>(gone).get());
    EXPECT_EQ(gone, 1);
    ComPtr<IUnknown> found;
    EXPECT_EQ(items.get(&kOne, &kIUnknownId, found.receive()), kFail);
    EXPECT_EQ(items.get(&kOne, &kOne, found.receive()), kOk);
  }
  EXPECT_EQ(gone, 2);
}

TEST(SignatureBuilder, WritesNumbersAsSignaturesHaveThem) {
  const ComPtr<SignatureBuilder> builder = make<SignatureBuilder>();
  builder->Add(0x3fff);
  builder->Add(0x4000);
  // ECMA-335 II.23.2's own examples.
  for (int32_t value : {3, -3, 64, -64, 8192, -8192, 268435455, -268435456}) builder->AddSignedInt(value);
  EXPECT_EQ(bytes_of(*builder.get()),
            (std::vector<uint8_t>{0xbf, 0xff, 0xc0, 0x00, 0x40, 0x00, 0x06, 0x7b, 0x80, 0x80, 0x01, 0xc0, 0x00,
                                  0x40, 0x00, 0x80, 0x01, 0xdf, 0xff, 0xff, 0xfe, 0xc0, 0x00, 0x00, 0x01}));
  EXPECT_EQ(builder->Add(0x20000000), kInvalidArgument);
  EXPECT_EQ(builder->AddToken(0x06000001), kInvalidArgument);
}

TEST(Sha1, IsTheStandards) {
  const auto hash = sha1(std::span(reinterpret_cast<const uint8_t*>("abc"), 3));
  EXPECT_EQ(hash[0], 0xa9);
  EXPECT_EQ(hash[19], 0x9d);
  const std::vector<uint8_t> longer(119, 'a');
  EXPECT_EQ(sha1(longer)[0], 0xee);
}

TEST(OpcodeFacts, EveryNumberHasSome) {
  for (int32_t ordinal = -1; ordinal < 0x200; ++ordinal) {
    const OpcodeFacts facts = facts_of(static_cast<Opcode>(ordinal));
    if (facts.opcode != il::Opcode::End) {
      EXPECT_EQ(static_cast<int32_t>(ordinal_of(facts.opcode)), ordinal);
    }
  }
  EXPECT_EQ(long_branch(Opcode::Leave_S), Opcode::Leave);
  EXPECT_EQ(long_branch(Opcode::Nop), Opcode::Nop);
}

TEST(Text, StringsHaveTheirLengthBeforeThem) {
  Bstr text = make_bstr("h\xc3\xa9");
  EXPECT_EQ(reinterpret_cast<uint32_t*>(text)[-1], 4u);
  EXPECT_EQ(text_of(text), "h\xc3\xa9");
  free_bstr(text);
  EXPECT_EQ(guid_text(kOne), "{00000001-0002-0003-0405-060708090A0B}");
}

}  // namespace
}  // namespace oriel::plugins
