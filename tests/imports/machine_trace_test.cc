// .nettrace files of version 6, which are of several processes of a machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "imports/formats.h"
#include "oriel/oriel.h"
#include "read_back.h"
#include "trace_bytes.h"

namespace oriel::imports {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

enum : uint32_t { kCpu = 1, kSwitch, kProcess, kMapping, kSymbol, kGcStart, kThrow };
enum : uint64_t { kMain = 1, kWorker, kBusy, kNone };  // numbers of threads
constexpr uint64_t kShop = 4711, kOther = 4712;
constexpr uint64_t kMillisecond = 1'000'000;
constexpr char kCodeMap[] = "/memfd:doublemapper (deleted)";

// Times are nanoseconds since the file's begin, which is at kBegin.
class MachineFile {
 public:
  static constexpr uint64_t kBegin = 1000;

  explicit MachineFile(uint32_t version = 6) {
    out_.raw("Nettrace").add<uint32_t>(0).add(version).add<uint32_t>(0);
    Bytes head;
    for (const int part : {2026, 11, 5, 27, 22, 23, 12, 338}) head.add<uint16_t>(static_cast<uint16_t>(part));
    head.add<uint64_t>(kBegin).add<uint64_t>(1'000'000'000).add<uint32_t>(8).add<uint32_t>(2);
    head.raw(counted("HardwareThreadCount")).raw(counted("2"));
    head.raw(counted("ExpectedCPUSamplingRate")).raw(counted("1000000"));
    block(1, head);
  }

  static std::vector<uint8_t> counted(std::string_view text) { return Bytes().varint(text.size()).raw(text).all(); }
  static std::vector<uint8_t> brief(std::string_view text) {
    return Bytes().add(static_cast<uint16_t>(text.size())).raw(text).all();
  }

  void kind(uint32_t number, std::string_view provider, uint32_t id, std::string_view name, int version = -1) {
    Bytes row;
    row.varint(number).raw(counted(provider)).varint(id).raw(counted(name));
    const std::vector<uint8_t> field = Bytes().raw(counted("Value")).add<uint8_t>(21).all();
    row.add<uint16_t>(1).add(static_cast<uint16_t>(field.size())).raw(field);
    Bytes facts;
    facts.add<uint8_t>(3).add<uint64_t>(1).add<uint8_t>(6).raw(counted("key")).raw(counted("value"));
    if (version >= 0) facts.add<uint8_t>(9).add(static_cast<uint8_t>(version));
    row.add(static_cast<uint16_t>(facts.all().size())).raw(facts.all());
    block(3, Bytes().add<uint16_t>(0).add(static_cast<uint16_t>(row.all().size())).raw(row.all()));
  }
  void thread(uint64_t number, uint64_t process, uint64_t id, std::string_view name = "") {
    Bytes row;
    row.varint(number);
    if (!name.empty()) row.add<uint8_t>(1).raw(counted(name));
    row.add<uint8_t>(2).varint(process).add<uint8_t>(3).varint(id);
    block(6, Bytes().add(static_cast<uint16_t>(row.all().size())).raw(row.all()));
  }
  void stack(uint32_t number, const std::vector<uint64_t>& addresses) {
    Bytes bytes;
    bytes.add(number).add<uint32_t>(1).add<uint32_t>(static_cast<uint32_t>(addresses.size() * 8));
    for (const uint64_t address : addresses) bytes.add(address);
    block(5, bytes);
  }
  // Two lists, of which the second one has a version.
  void labels() {
    Bytes bytes;
    bytes.add<uint32_t>(1).add<uint32_t>(2);
    bytes.add<uint8_t>(5).raw(counted("user")).raw(counted("me")).add<uint8_t>(0x80 | 7).add<uint8_t>(1);
    bytes.add<uint8_t>(8).add<uint64_t>(1).add<uint8_t>(0x80 | 10).add<uint8_t>(2);
    block(8, bytes);
  }
  // In a block of its own.
  void event(uint32_t kind, uint64_t thread, uint64_t ns, uint32_t stack, const Bytes& payload, uint32_t labels = 0) {
    Bytes bytes;
    bytes.add<uint16_t>(20).add<uint16_t>(1).add<uint64_t>(0).add<uint64_t>(0);
    bytes.add<uint8_t>(0x9f).varint(kind).varint(sequences_[thread]++).varint(thread).varint(0);
    bytes.varint(thread).varint(stack).varint(kBegin + ns).varint(labels);
    block(2, bytes.varint(payload.all().size()).raw(payload.all()));
  }
  void lose(uint64_t thread, uint32_t events) { sequences_[thread] += events; }
  void point() { block(4, Bytes().add<uint64_t>(0).add<uint32_t>(0).add<uint32_t>(0)); }
  void removed(uint64_t thread) { block(7, Bytes().varint(thread).varint(sequences_[thread])); }
  void unknown() { block(77, Bytes().add<uint32_t>(5)); }
  std::vector<uint8_t> end() {
    block(0, Bytes());
    return out_.all();
  }

 private:
  void block(uint32_t kind, const Bytes& contents) {
    out_.add(static_cast<uint32_t>(contents.all().size()) | kind << 24).raw(contents.all());
  }

  Bytes out_;
  std::map<uint64_t, uint32_t> sequences_;
};

Bytes mapping(uint64_t id, uint64_t first, uint64_t last, const char* file) {
  return Bytes().varint(id).varint(first).varint(last).varint(0).raw(MachineFile::brief(file)).varint(0);
}
Bytes symbol(uint64_t mapping, uint64_t first, uint64_t last, const char* name) {
  return Bytes().varint(1).varint(mapping).varint(first).varint(last).raw(MachineFile::brief(name));
}

// A .NET process, and one that has more samples.
std::vector<uint8_t> small_machine() {
  MachineFile file;
  file.kind(kCpu, "Universal.Events", 1, "cpu");
  file.kind(kSwitch, "Universal.Events", 2, "cswitch");
  file.kind(kProcess, "Universal.System", 0, "ExistingProcess");
  file.kind(kMapping, "Universal.System", 3, "ProcessMapping");
  file.kind(kSymbol, "Universal.System", 4, "ProcessSymbol");
  file.kind(kGcStart, "Microsoft-Windows-DotNETRuntime", 1, "GCStart");
  file.kind(kThrow, "Microsoft-Windows-DotNETRuntime", 80, "ExceptionThrown", 1);
  file.thread(kMain, kShop, kShop, "main");
  file.thread(kWorker, kShop, 4713);
  file.thread(kBusy, kOther, kOther);
  file.event(kProcess, kMain, 0, 0, Bytes().varint(1).raw(MachineFile::brief("Shop")).raw(MachineFile::brief("web")));
  file.event(kProcess, kBusy, 0, 0, Bytes().varint(2).raw(MachineFile::brief("busy")).raw(MachineFile::brief("")));
  file.event(kMapping, kMain, 0, 0, mapping(1, 0x1000, 0x1fff, kCodeMap));
  file.event(kMapping, kMain, 0, 0, mapping(2, 0x8000, 0x8fff, "/lib/libcoreclr.so"));
  file.event(kMapping, kMain, 0, 0, mapping(3, UINT64_MAX - 0xffff, UINT64_MAX, "vmlinux"));
  file.event(kSymbol, kMain, 0, 0, symbol(1, 0x1000, 0x10ff, "int32 [Shop] Shop.Cart::Sum(int32)[Tier0]"));
  file.event(kSymbol, kMain, 0, 0, symbol(1, 0x1200, 0x12ff, "void [Shop] Shop.Program::Main(string[])[Optimized]"));
  file.event(kSymbol, kMain, 0, 0, symbol(3, UINT64_MAX - 0xffff, UINT64_MAX - 0xff00, "do_syscall_64"));
  file.event(kSymbol, kBusy, 0, 0, symbol(9, 0x1000, 0x10ff, "spin"));
  file.labels();
  file.stack(1, {0x1010, 0x1300});  // a call may be a method's last instruction
  file.stack(2, {UINT64_MAX - 0xfff0, 0x8010, 0x8110, 0x1210});
  file.stack(3, {0x5000, 0x6000, 0x1210});  // nothing is known of the first two
  const Bytes once = Bytes().varint(1);
  file.event(kCpu, kMain, 1 * kMillisecond, 1, once);
  file.event(kCpu, kMain, 2 * kMillisecond, 2, Bytes().varint(3));
  file.event(kCpu, kWorker, 2 * kMillisecond, 3, once);
  for (uint64_t i = 1; i <= 5; ++i) file.event(kCpu, kBusy, i * kMillisecond, 1, once);
  file.event(kSwitch, kMain, 3 * kMillisecond, 1, once);
  file.event(kGcStart, kWorker, 3 * kMillisecond, 0,
             Bytes().add<uint32_t>(7).add<uint32_t>(1).add<uint32_t>(1).add<uint32_t>(0).add<uint16_t>(1), 2);
  file.event(kThrow, kMain, 4 * kMillisecond, 1,
             Bytes().text("Shop.EmptyCart").text("it is empty").add<uint64_t>(0).add<uint32_t>(0).add<uint32_t>(0));
  file.unknown();
  file.point();
  // Stacks' numbers begin anew, and other code has come to where there was some.
  file.stack(1, {0x1010});
  file.event(kSymbol, kMain, 5 * kMillisecond, 0,
             symbol(1, 0x1000, 0x107f, "int32 [Shop] Shop.Cart::Sum(int32)[Tier1]"));
  file.event(kSymbol, kMain, 5 * kMillisecond, 0, symbol(1, 0x1080, 0x10ff, "void [Shop] Shop.Cart::Pay()[Tier1]"));
  file.stack(2, {0x1090});
  file.lose(kMain, 2);
  file.event(kCpu, kMain, 6 * kMillisecond, 1, once);
  file.event(kCpu, kMain, 7 * kMillisecond, 2, once);
  file.removed(kWorker);
  return file.end();
}

ReadBack imported(const std::vector<uint8_t>& bytes, uint64_t process = 0) {
  LogMaker maker;
  const Status status = parse_nettrace(as_file(bytes), maker, {.process = process});
  EXPECT_TRUE(status) << (status ? "" : status.message());
  return read_back(maker);
}

TEST(MachineTrace, TheLogIsOfTheDotNetProcess) {
  const ReadBack log = imported(small_machine());
  const std::string main = "Shop.dll!Shop.Program.Main(string[])", sum = "Shop.dll!Shop.Cart.Sum(int)";
  EXPECT_THAT(log.stacks(), ElementsAre(Pair("Shop.dll!Shop.Cart.Pay()", 1), Pair(sum, 1),
                                        Pair(main + ";@/lib/libcoreclr.so;do_syscall_64@[kernel.kallsyms]", 3),
                                        Pair(main + ";" + sum, 1), Pair(main + ";[code without a name]", 1)));
  EXPECT_EQ(log.property("command"), "Shop");
  EXPECT_EQ(log.property("pid"), "4711");
  EXPECT_EQ(log.property("cores"), "2");
  EXPECT_EQ(log.property("sampling.mode"), "process");
  EXPECT_EQ(log.property("sampling.hz"), "1000");
  EXPECT_EQ(log.intro.clock.unix_us, 1795818192338000u);
  EXPECT_TRUE(log.ended);
}

TEST(MachineTrace, EventsOfTheRuntimeHaveTheVersionOfTheirLabels) {
  const ReadBack log = imported(small_machine());
  const auto begin = log.events_of(oriel_event_gc_begin);
  ASSERT_EQ(begin.size(), 1u);
  EXPECT_EQ(begin[0].values[0], 7u);
  const auto thrown = log.events_of(oriel_event_exception_throw);
  ASSERT_EQ(thrown.size(), 1u);
  EXPECT_EQ(log.classes.at(thrown[0].values[0]), "Shop.EmptyCart");
  EXPECT_NE(thrown[0].stack, 0u);
}

TEST(MachineTrace, ThreadsAreTheSystems) {
  const ReadBack log = imported(small_machine());
  std::map<uint64_t, std::string> names;
  for (const auto& [id, thread] : log.threads) names[thread.os_id] = thread.name + (thread.managed ? " managed" : "");
  EXPECT_THAT(names, ElementsAre(Pair(4711, "main managed"), Pair(4713, " managed")));
}

TEST(MachineTrace, WhatIsNotInTheLogIsCounted) {
  const ReadBack log = imported(small_machine());
  EXPECT_THAT(log.lost, ElementsAre(Pair("imported-events", 2)));
  EXPECT_EQ(log.property("imported.left-out"),
            "5 samples of 1 other process, of which oriel convert --process takes one, "
            "1 event of 1 kind that a log does not have, 1 block of an unknown kind");
}

TEST(MachineTrace, AnotherProcessCanBeTaken) {
  const ReadBack log = imported(small_machine(), kOther);
  EXPECT_THAT(log.stacks(), ElementsAre(Pair("[code without a name];spin", 5)));
  EXPECT_EQ(log.property("command"), "busy");
  LogMaker maker;
  const Status status = parse_nettrace(as_file(small_machine()), maker, {.process = 9});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.message(), "it has nothing of process 9; most of its samples are of 4711 (Shop), 4712 (busy)");
}

TEST(MachineTrace, AFileCutAnywhereIsReadAsFarAsItGoes) {
  const std::vector<uint8_t> whole = small_machine();
  uint64_t before = 0;
  for (size_t size = 0; size < whole.size(); ++size) {
    LogMaker maker;
    const std::vector<uint8_t> cut(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size));
    if (!parse_nettrace(as_file(cut), maker, {.process = size * 2 > whole.size() ? kShop : 0})) continue;
    EXPECT_THAT(maker.cut(), HasSubstr("The file has no end")) << size;
    if (size * 2 <= whole.size()) continue;
    EXPECT_GE(maker.samples() + maker.events(), before) << size;
    before = maker.samples() + maker.events();
  }
  EXPECT_GT(before, 6u);
}

TEST(MachineTrace, DamagedFilesAreReadOrRefused) {
  const std::vector<uint8_t> whole = small_machine();
  for (size_t at = 0; at < whole.size(); ++at) {
    std::vector<uint8_t> damaged = whole;
    damaged[at] ^= 0xff;
    LogMaker maker;
    const Status status = parse_nettrace(as_file(damaged), maker);
    EXPECT_TRUE(status || !status.message().empty()) << at;
  }
}

TEST(MachineTrace, LaterVersionsAreNamed) {
  LogMaker maker;
  const Status status = parse_nettrace(as_file(MachineFile(7).end()), maker);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.message(), "it has version 7 of the format; versions 4 and 6 can be read");
}

}  // namespace
}  // namespace oriel::imports
