// What the heap report says of snapshots: what grows and what holds it, one type, dominators, differences.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "heap/maker/heap_maker.h"
#include "report/report_text.h"

namespace oriel::report {
namespace {

using heap::HeapMaker;
using log::HeapRootKind;
using oriel::testing::json_of;
using oriel::testing::options_of;
using oriel::testing::text_of;
using profile::Profile;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr uint64_t kTicksPerMinute = 60'000'000'000;

// A log, and its folder, for as long as a test runs.
class HeapLog {
 public:
  HeapLog() {
    char folder[] = "/tmp/oriel-heap-report-XXXXXX";
    if (mkdtemp(folder) == nullptr) std::abort();
    folder_ = folder;
    writer_ = std::move(*log::Writer::create(path()));
    log::Intro intro;
    intro.clock = {1'000, 1'000'000};
    writer_->intro(intro);
    log::Mapping mapping;
    mapping.start = mapping.end = intro.clock;
    const char* names[] = {"System.Collections.Generic.Dictionary<int, Shop.Order>",
                           "System.Collections.Generic.Dictionary<int, Shop.Order>.Entry[]", "Shop.Order",
                           "Shop.Program", "string"};
    for (uint64_t i = 0; i < 5; ++i) mapping.classes.push_back({i + 1, 0, 0, names[i]});
    mapping.methods.push_back({10, 4, "Main()", ""});
    mapping.threads.push_back({1, 100, true, "main"});
    writer_->mapping(mapping);
  }
  ~HeapLog() { std::filesystem::remove_all(folder_); }
  HeapLog(const HeapLog&) = delete;

  std::string path() const { return folder_ + "/shop.oriel"; }

  // So many orders, each of which has the next, from a static field; a longer chain has more behind those of a shorter.
  HeapLog& chain(uint64_t orders) {
    HeapMaker maker(++snapshots_);
    const uint64_t order = maker.type(3, 20'000, {"next"});
    for (uint64_t i = 1; i <= orders; ++i) maker.object(order, {i < orders ? i : HeapMaker::kNull});
    maker.root(HeapRootKind::kStatic, 0, "Shop.Cache.First");
    return add(maker);
  }

  // A dictionary in a static field with so many orders, each of 20 kB; one more in a local variable, and garbage.
  HeapLog& snapshot(uint64_t orders) {
    HeapMaker maker(++snapshots_);
    const uint64_t dictionary = maker.type(1, 80, {"_buckets", "_entries"});
    const uint64_t entries = maker.type(2, 16, {}, 24, {"value"}), order = maker.type(3, 20'000, {"next"});
    std::vector<uint64_t> references;
    for (uint64_t i = 0; i < orders; ++i) references.push_back(2 + i);
    maker.object(dictionary, {HeapMaker::kNull, 1});
    maker.object(entries, references, orders);
    for (uint64_t i = 0; i < orders + 5; ++i) maker.object(order);
    maker.root(HeapRootKind::kStatic, 0, "Shop.Cache.Orders");
    maker.root(HeapRootKind::kStack, 2 + orders, "", 1, 10);
    return add(maker);
  }

  // The next snapshots are taken while the program is stopped.
  HeapLog& without_copies(const std::string& why) {
    not_copied_ = why;
    return *this;
  }

  // So many orders with equal texts of 10 kB.
  HeapLog& texts(uint64_t orders) {
    HeapMaker maker(++snapshots_);
    const uint64_t entries = maker.type(2, 24, {}, 24, {"value"}), order = maker.type(3, 24, {"_currency"}),
                   text = maker.type(5, 22, {}, 2);
    maker.details(text, log::HeapTypeKind::kOther, {log::HeapValueKind::kContents});
    std::vector<uint64_t> references;
    for (uint64_t i = 0; i < orders; ++i) references.push_back(1 + 2 * i);
    maker.object(entries, references, orders);
    for (uint64_t i = 0; i < orders; ++i) {
      maker.object(order, {2 + 2 * i});
      maker.values(maker.object(text, {}, 5'000), {12'345});
    }
    maker.text(2, "pounds");
    maker.root(HeapRootKind::kStatic, 0, "Shop.Cache.Orders");
    maker.write(*writer_);
    return *this;
  }

  Profile load() {
    EXPECT_TRUE(writer_->flush({}).is_ok());
    writer_->close();
    Result<Profile> profile = profile::load(path());
    EXPECT_TRUE(profile.is_ok());
    return std::move(*profile);
  }

 private:
  // One a minute.
  HeapLog& add(HeapMaker& maker) {
    const ClockPair clock{1'000 + snapshots_ * kTicksPerMinute, 1'000'000 + snapshots_ * 60'000'000};
    log::ProcessUsage usage;
    usage.clock = clock;
    writer_->process(usage);
    maker.snapshot().counter = clock.counter;
    maker.snapshot().cause = "interval";
    maker.snapshot().frozen_ns = 41'000'000;
    maker.snapshot().not_copied = not_copied_;
    maker.write(*writer_);
    return *this;
  }

  std::string folder_;
  std::unique_ptr<log::Writer> writer_;
  uint64_t snapshots_ = 0;
  std::string not_copied_;
};

// Without line breaks.
std::string in_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

TEST(HeapSnapshots, OneSaysWhatIsHeld) {
  HeapLog log;
  const Profile profile = log.snapshot(1000).load();
  const std::string text = in_one_line(text_of("heap", profile));
  EXPECT_THAT(text, HasSubstr("The heap in snapshot 1, at "));
  EXPECT_THAT(text, HasSubstr("The program was stopped for 41.0 ms. Nothing refers to 80.0 kB of it in 4 objects: "
                              "garbage that is not collected yet."));
  EXPECT_THAT(text, HasSubstr("1,001 objects of Shop.Order retain 20.0 MB. static Shop.Cache.Orders → "));
  EXPECT_THAT(text, HasSubstr("holds 99.9 % of their bytes"));
  EXPECT_THAT(text, Not(HasSubstr("grew")));
  EXPECT_THAT(text, Not(HasSubstr("a minute")));
}

TEST(HeapSnapshots, WithoutACopyTheReasonIsTold) {
  HeapLog log;
  const Profile profile = log.without_copies("Cannot allocate memory").snapshot(1000).load();
  EXPECT_THAT(
      in_one_line(text_of("heap", profile)),
      HasSubstr("The program was stopped for 41.0 ms, as no copy of it could be made: Cannot allocate memory."));
}

TEST(HeapSnapshots, MuchWasteIsToldWithWhereItIs) {
  HeapLog log;
  const Profile profile = log.texts(200).load();
  const std::string sentence = "199 strings repeat others: 1.99 MB could be saved.";
  const std::string text = in_one_line(text_of("heap", profile));
  EXPECT_THAT(text, HasSubstr(sentence + " The most is \"pounds\", 200 times. All references to them are in "
                                         "Shop.Order._currency. static Shop.Cache.Orders → "));
  const std::string all = in_one_line(text_of("heap", profile, *options_of("heap", {{"--findings", ""}})));
  EXPECT_THAT(all, HasSubstr(sentence));
  EXPECT_THAT(all, HasSubstr("1.99 MB      200  \"pounds\"  Shop.Order._currency"));
  const nlohmann::json json = json_of("heap", profile, *options_of("heap", {{"--findings", ""}}));
  const nlohmann::json& answer = json["findings"]["answers"][0];
  EXPECT_EQ(answer["question"], "equal_strings");
  EXPECT_EQ(answer["objects"], 199);
  EXPECT_EQ(answer["rows"][0]["in"], "Shop.Order._currency");
}

TEST(HeapSnapshots, LittleWasteIsNotTold) {
  HeapLog few, small;
  EXPECT_THAT(text_of("heap", few.texts(90).load()), Not(HasSubstr("could be saved")));
  EXPECT_THAT(text_of("heap", small.snapshot(1000).load()), Not(HasSubstr("could be saved")));
}

TEST(HeapSnapshots, GrowthThatGoesOnIsCalledSo) {
  HeapLog log;
  const Profile profile = log.snapshot(100).snapshot(400).snapshot(700).snapshot(1000).load();
  const std::string text = in_one_line(text_of("heap", profile));
  EXPECT_THAT(text, HasSubstr("Shop.Order grew from 105 to 1,001 objects"));
  EXPECT_THAT(text, HasSubstr("and kept growing over 4 snapshots: is all of it still needed? static "
                              "Shop.Cache.Orders → "));
  const nlohmann::json json = json_of("heap", profile);
  const nlohmann::json& told = json["heap_snapshots"];
  EXPECT_EQ(told["verdict"]["trend"], "grows");
  EXPECT_EQ(told["verdict"]["type"], "Shop.Order");
  EXPECT_EQ(told["verdict"]["holder"]["steps"][0], "static Shop.Cache.Orders");
  EXPECT_EQ(told["verdict"]["holder"]["steps"][1], "System.Collections.Generic.Dictionary<int, Shop.Order>._entries");
  EXPECT_EQ(told["verdict"]["holder"]["steps"][2],
            "System.Collections.Generic.Dictionary<int, Shop.Order>.Entry[].value");
  EXPECT_EQ(told["verdict"]["holder"]["bytes"], 1000 * 20'000);
  EXPECT_EQ(told["snapshots"].size(), 4u);
}

TEST(HeapSnapshots, GrowthThatStoppedIsNoLeak) {
  HeapLog log;
  const Profile profile = log.snapshot(10).snapshot(990).snapshot(1000).snapshot(1000).load();
  EXPECT_EQ(json_of("heap", profile)["heap_snapshots"]["verdict"]["trend"], "grew");
  EXPECT_THAT(in_one_line(text_of("heap", profile)), HasSubstr("It did not grow all the time."));
}

TEST(HeapSnapshots, AHeapThatStaysHasNoVerdict) {
  HeapLog log;
  const Profile profile = log.snapshot(1000).snapshot(1002).snapshot(1000).load();
  EXPECT_EQ(json_of("heap", profile)["heap_snapshots"]["verdict"]["trend"], "none");
  EXPECT_THAT(text_of("heap", profile), HasSubstr("No type kept growing by"));
}

TEST(HeapSnapshots, OfOneTypeShowHoldersAndPaths) {
  HeapLog log;
  const Profile profile = log.snapshot(1000).load();
  const std::string text = text_of("heap", profile, *options_of("heap", {{"--type", "Order"}}));
  EXPECT_THAT(text, HasSubstr("Shop.Order: 1,001 objects, 20.0 MB"));
  EXPECT_THAT(text, HasSubstr(" 99.9 %  static Shop.Cache.Orders\n"));
  EXPECT_THAT(text, HasSubstr("_entries: System.Collections.Generic.Dictionary<int, Shop.Order>.Entry[]\n"));
  Options every;
  every.min_share = 0;
  EXPECT_THAT(text_of("heap", profile, *options_of("heap", {{"--type", "Order"}}, every)),
              HasSubstr(" 0.1 %  a word on the stack of Shop.Program.Main() on thread main\n"));
  EXPECT_THAT(text, HasSubstr("     1,000  System.Collections.Generic.Dictionary<int, Shop.Order>.Entry[].value\n"));
}

TEST(HeapSnapshots, ShowTheLargestDominators) {
  HeapLog log;
  const Profile profile = log.snapshot(1000).load();
  const std::string text = text_of("heap", profile, *options_of("heap", {{"--dominators", ""}}));
  EXPECT_THAT(text, HasSubstr("static Shop.Cache.Orders\n"));
  EXPECT_THAT(text, HasSubstr("  _entries: System.Collections.Generic.Dictionary<int, Shop.Order>.Entry[]\n"));
  EXPECT_THAT(text, HasSubstr("1,000 × [].value: Shop.Order\n"));
}

TEST(HeapSnapshots, AreJsonToo) {
  HeapLog log;
  const Profile profile = log.snapshot(1000).load();
  const nlohmann::json type = json_of("heap", profile, *options_of("heap", {{"--type", "Order"}}))["type"];
  EXPECT_EQ(type["objects"], 1001);
  EXPECT_EQ(type["garbage_objects"], 4);
  EXPECT_EQ(type["paths"][0]["step"], "static Shop.Cache.Orders");
  EXPECT_EQ(type["paths"][0]["objects"], 1000);
  EXPECT_EQ(type["referrers"][0]["references"], 1000);
  const nlohmann::json tree = json_of("heap", profile, *options_of("heap", {{"--dominators", ""}}))["dominators"];
  EXPECT_EQ(tree[0]["name"], "static Shop.Cache.Orders");
  EXPECT_EQ(tree[0]["below"][0]["below"][0]["below"][0]["objects"], 1000);
}

TEST(HeapSnapshots, DifferByTypes) {
  HeapLog log;
  const Profile profile = log.snapshot(100).snapshot(400).snapshot(300).load();
  const auto from_2 = options_of("heap", {{"--diff", ""}, {"--since", "2"}});
  EXPECT_THAT(text_of("heap", profile, *from_2), HasSubstr("-100"));
  EXPECT_THAT(text_of("heap", profile, *options_of("heap", {{"--diff", ""}})), HasSubstr("+200"));
  EXPECT_THAT(text_of("heap", profile, *options_of("heap", {{"--diff", ""}, {"--snapshot", "2"}})), HasSubstr("+300"));
}

TEST(HeapSnapshots, TellWhichObjectsAreStillThere) {
  HeapLog log;
  const Profile profile = log.chain(100).chain(400).chain(300).load();
  const auto diff = options_of("heap", {{"--diff", ""}});
  const std::string text = in_one_line(text_of("heap", profile, *diff));
  EXPECT_THAT(text, HasSubstr("+4.00 MB  6.00 MB     +200  300    100    Shop.Order"));
  EXPECT_THAT(text, HasSubstr("Made between snapshot 1 and snapshot 2, and still there in snapshot 3:"));
  EXPECT_THAT(text, HasSubstr("4.00 MB      200  Shop.Order"));
  const nlohmann::json orders = json_of("heap", profile, *diff)["diff"]["types"][0];
  EXPECT_EQ(orders["type"], "Shop.Order");
  EXPECT_EQ(orders["still_there"]["objects"], 100);
  EXPECT_EQ(orders["made_and_still_there"]["objects"], 200);
  EXPECT_EQ(orders["made_and_still_there"]["bytes"], 200 * 20'000);
}

TEST(HeapSnapshots, RefuseWhatTheyDoNotHave) {
  HeapLog log;
  const Profile profile = log.snapshot(100).load();
  const auto error_of = [&](std::initializer_list<std::pair<const char*, const char*>> options) {
    std::ostringstream out;
    const Status status = write_report(*find_report("heap"), profile, *options_of("heap", options), out);
    return status ? "" : status.message();
  };
  EXPECT_THAT(error_of({{"--snapshot", "7"}}), HasSubstr("there is no snapshot 7 of the heap"));
  EXPECT_THAT(error_of({{"--diff", ""}}), HasSubstr("needs two snapshots"));
  EXPECT_THAT(error_of({{"--type", "Nothing"}}), HasSubstr("no type in the snapshot has 'Nothing' in its name"));
  EXPECT_THAT(error_of({{"--type", "Dictionary"}}), HasSubstr("several types"));
}

TEST(HeapSnapshots, AreCountedWithoutReferences) {
  HeapLog log;
  const Profile profile = log.snapshot(100).load();
  const std::string text = text_of("heap", profile, *options_of("heap", {{"--types", ""}}));
  EXPECT_THAT(text, HasSubstr("Shop.Order"));
  EXPECT_THAT(text, Not(HasSubstr("retains")));
  EXPECT_THAT(text_of("summary", profile), HasSubstr("1 of the heap; the last at"));
}

}  // namespace
}  // namespace oriel::report
