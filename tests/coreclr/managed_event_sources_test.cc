#include "runtimes/coreclr/callbacks/managed_event_sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string_view>

#include "base/text/utf16.h"

namespace oriel::coreclr {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A payload's fields: numbers, and terminated UTF-16.
class Fields {
 public:
  Fields& text(std::string_view text) {
    for (const char16_t unit : utf16_of(text)) number(unit);
    return number(char16_t{0});
  }
  template <typename T>
  Fields& number(T value) {
    const auto* begin = reinterpret_cast<const uint8_t*>(&value);
    bytes_.insert(bytes_.end(), begin, begin + sizeof value);
    return *this;
  }
  operator std::span<const uint8_t>() const { return bytes_; }
  std::span<const uint8_t> first(size_t size) const { return std::span(bytes_).first(size); }
  size_t size() const { return bytes_.size(); }

 private:
  std::vector<uint8_t> bytes_;
};

Fields meter(const char* tags) {
  Fields fields;
  for (const char* text : {"SHARED", "Shop", "1.0", "orders", "{order}", tags}) fields.text(text);
  return fields;
}

Fields description(const char* event) { return Fields().number(7u).text(event).number(uint64_t{0}); }

TEST(ToldByName, ACounterIsItsTotalAndAGaugeItsValue) {
  constexpr uint32_t kCounter = 4, kGauge = 5, kUpDown = 16;
  auto values = read_meter_values(kCounter, meter("kind=tea,to=me").text("2.5").text("40"));
  ASSERT_EQ(values.size(), 1u);
  EXPECT_TRUE(values[0].is_total);
  EXPECT_EQ(values[0].value, 40);
  EXPECT_EQ(values[0].name, "Shop\torders\t{order}\tkind=tea\tto=me");
  values = read_meter_values(kGauge, meter("").text("-1.5E+02"));
  ASSERT_EQ(values.size(), 1u);
  EXPECT_FALSE(values[0].is_total);
  EXPECT_EQ(values[0].value, -150);
  values = read_meter_values(kUpDown, meter("").text("1").text("3"));
  ASSERT_EQ(values.size(), 1u);
  EXPECT_FALSE(values[0].is_total);
  EXPECT_EQ(values[0].value, 3);
}

TEST(ToldByName, WhatFollowsACommaInATagIsOfItsValue) {
  constexpr uint32_t kGauge = 5;
  const auto name_with = [](const char* tags) {
    const auto values = read_meter_values(kGauge, meter(tags).text("1"));
    return values.empty() ? "" : values[0].name;
  };
  EXPECT_EQ(name_with("db.query.text=SELECT a FROM t WHERE b IN ('s1','hunter2'),to=me"),
            "Shop\torders\t{order}\tdb.query.text=SELECT a FROM t WHERE b IN (?,?),to=me");
  EXPECT_EQ(name_with("api_key=a,hunter2,to=me"), "Shop\torders\t{order}\tapi_key=…\tto=me");
}

TEST(ToldByName, AHistogramIsItsQuantiles) {
  constexpr uint32_t kHistogram = 6;
  const auto values = read_meter_values(kHistogram, meter("kind=tea").text("0.5=12;0.95=31;").number(9).number(100.0));
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[1].value, 31);
  EXPECT_EQ(values[1].name, "Shop\torders\t{order}\tPercentile=95\tkind=tea");
}

TEST(ToldByName, LongNamesAreToldApartWhereALogCutsThem) {
  constexpr uint32_t kGauge = 5;
  constexpr size_t kMost = 255;
  const std::string begin = "queue=" + std::string(300, 'q');
  std::vector<std::string> names;
  for (const char* end : {"a", "b", "a"}) {
    names.push_back(read_meter_values(kGauge, meter((begin + end).c_str()).text("1")).at(0).name);
    EXPECT_LE(names.back().size(), kMost);
    EXPECT_TRUE(names.back().starts_with("Shop\torders\t{order}\tqueue=qqq")) << names.back();
  }
  EXPECT_NE(names[0], names[1]);
  EXPECT_EQ(names[0], names[2]);
}

TEST(ToldByName, WhatIsNoValueIsNone) {
  constexpr uint32_t kOther = 7;
  for (const uint32_t event : {4u, 5u, 6u, 16u}) {
    EXPECT_THAT(read_meter_values(event, meter("").text("").text("")), IsEmpty()) << event;
    EXPECT_THAT(read_meter_values(event, meter("").text("nan").text("inf")), IsEmpty()) << event;
    const Fields whole = meter("a=b").text("1").text("2");
    for (size_t size = 0; size + 10 < whole.size(); ++size) read_meter_values(event, whole.first(size));
  }
  EXPECT_THAT(read_meter_values(kOther, meter("").text("1").text("2")), IsEmpty());
}

// The limits are dotnet-counters' defaults: the source refuses a second session with other limits.
TEST(ToldByName, MetersAreAskedForAsOtherToolsDo) {
  EXPECT_EQ(utf8_of(meters_filter("A,B.*").c_str()),
            "SessionId=SHARED;ClientId=oriel;RefreshInterval=1;MaxTimeSeries=1000;MaxHistograms=10;Metrics=A,B.*");
}

TEST(ToldByName, OnlyWhatIsRefusedToUsIsRefused) {
  constexpr uint32_t kOtherSession = 15, kOtherLimits = 17;
  using enum MetersRefused;
  EXPECT_EQ(read_meters_refused(kOtherSession, Fields().text("a-tool")), kOurs);
  EXPECT_EQ(read_meters_refused(kOtherSession, Fields().text("SHARED")), kNone) << "another came later";
  EXPECT_EQ(read_meters_refused(kOtherLimits, Fields().text("oriel").text("10")), kOurs);
  EXPECT_EQ(read_meters_refused(kOtherLimits, Fields().text("another").text("10")), kNone);
  EXPECT_EQ(read_meters_refused(kOtherSession, {}), kNone);
  constexpr uint32_t kTooManySeries = 12, kTooManyHistograms = 13;
  EXPECT_EQ(read_meters_refused(kTooManySeries, Fields().text("SHARED")), kTimeSeries);
  EXPECT_EQ(read_meters_refused(kTooManyHistograms, Fields().text("SHARED")), kHistograms);
  EXPECT_EQ(read_meters_refused(kTooManyHistograms, Fields().text("a-tool")), kNone);
}

TEST(ToldByName, EventCountersAreKnownByTheirKind) {
  const Fields mean =
      Fields().text("weight").text("Weight").number(250.0).number(1.0).number(3).number(1.0).number(300.0);
  Fields whole = mean;
  whole.number(1.0f).text("Interval=1").text("Mean").text("").text("g");
  const auto weight = read_event_counter("Shop-Old", description("EventCounters"), whole);
  ASSERT_TRUE(weight);
  EXPECT_EQ(weight->value, 250);
  EXPECT_EQ(weight->name, "Shop-Old\tWeight\tg");
  const Fields sum = Fields()
                         .text("parcels")
                         .text("")
                         .text("")
                         .number(6.0)
                         .number(2.0f)
                         .text("")
                         .text("Interval=2")
                         .text("Sum")
                         .text("");
  const auto parcels = read_event_counter("Shop-Old", description("EventCounters"), sum);
  ASSERT_TRUE(parcels);
  EXPECT_EQ(parcels->value, 3) << "a second";
  EXPECT_EQ(parcels->name, "Shop-Old\tparcels\t/s");
  EXPECT_FALSE(read_event_counter("Shop-Old", description("Other"), whole));
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(read_event_counter("Shop-Old", description("EventCounters"), whole.first(size))) << size;
}

Fields activity(const char* source, const char* name,
                std::initializer_list<std::pair<const char*, const char*>> pairs) {
  Fields fields = Fields().text(source).text(name).number(static_cast<uint16_t>(pairs.size()));
  for (const auto& [key, value] : pairs) fields.text(key).text(value);
  return fields;
}

TEST(ToldByName, AnActivityIsItsIdsItsNameAndItsTags) {
  const Fields fields = activity("Shop.Web", "Request",
                                 {{"TraceId", "ab"},
                                  {"SpanId", "c"},
                                  {"ParentSpanId", "0"},
                                  {"DisplayName", "GET  /cart\n"},
                                  {"Status", "Error"},
                                  {"DurationTicks", "1234"},
                                  {"Tags", "[cart.id, 7],[note, a, b]"}});
  const auto told = read_activity(description("ActivityStop"), fields);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->duration_ns, 123'400u);
  EXPECT_EQ(told->text, "ab\tc\t0\tError\tShop.Web\tGET /cart \tcart.id=7\tnote=a, b");
  EXPECT_FALSE(read_activity(description("ActivityStart"), fields));
  for (size_t size = 0; size < fields.size(); ++size)
    EXPECT_FALSE(read_activity(description("ActivityStop"), fields.first(size))) << size;
  EXPECT_FALSE(read_activity(description("ActivityStop"), activity("", "", {{"DurationTicks", "-1"}})));
}

// Text between brackets in a value may look like the value's end.
TEST(ToldByName, SecretsAreLeftOutOfAnActivity) {
  const auto text_of = [](const char* title, const char* tags) {
    const auto told =
        read_activity(description("ActivityStop"),
                      activity("S", "N", {{"DisplayName", title}, {"DurationTicks", "1"}, {"Tags", tags}}));
    return told ? told->text.substr(4) : "";
  };
  EXPECT_EQ(text_of("GET /a?id=5", "[url.full, https://u:p@h/a?b=c],[user.token, x]"),
            "S\tGET /a?id=…\turl.full=https://…@h/a?b=…\tuser.token=…");
  EXPECT_EQ(
      text_of("-- mine\nSELECT 5", "[db.system, mssql],[db.statement, SELECT [a],[b, c] FROM t WHERE d = 'e'],[x, y]"),
      "S\tSELECT ?\tdb.system=mssql\tdb.statement=SELECT [a],[b, c] FROM t WHERE d = ?\tx=y");
  EXPECT_EQ(text_of("q", "[db.statement, SELECT ']' AS a],[note, b]"), "S\tq\tdb.statement=SELECT ? AS a\tnote=b");
}

TEST(ToldByName, WhatAnotherToolAskedForIsKnownByWhatItHas) {
  const Fields ours = activity("Web", "Request", {{"TraceId", "ab"}, {"DurationTicks", "1"}});
  const Fields others = activity("Web", "Request", {{"Id", "00-ab-cd-01"}});
  EXPECT_FALSE(is_for_another_tool(description("ActivityStop"), ours));
  EXPECT_TRUE(is_for_another_tool(description("ActivityStop"), others));
  EXPECT_TRUE(is_for_another_tool(description("ActivityStart"), ours));
  EXPECT_TRUE(is_for_another_tool(description("Event"), others));
  EXPECT_FALSE(is_for_another_tool(description("Event"), activity("Microsoft.AspNetCore", "End", {{"Method", "GET"}})));
  EXPECT_FALSE(is_for_another_tool(description("NewDiagnosticListener"), Fields().text("Web")));
}

TEST(ToldByName, AWebRequestIsNamedByItsRoute) {
  const auto told = read_activity(description("Event"), activity("Microsoft.AspNetCore", "EndRequest",
                                                                 {{"Method", "GET"},
                                                                  {"Path", "/orders/7/lines"},
                                                                  {"Code", "200"},
                                                                  {"Route", "[id, 7],[controller, orders]"},
                                                                  {"DurationTicks", "0"}}));
  ASSERT_TRUE(told);
  // The part that a log may cut off comes last.
  EXPECT_EQ(told->text,
            "\t\t\t\tMicrosoft.AspNetCore\t\thttp.request.method=GET\thttp.response.status_code=200\t"
            "http.route=/orders/{id}/lines\turl.path=/orders/7/lines");
}

TEST(ToldByName, OfALongQueryTheColumnsAreLeftOut) {
  const std::string query = "SELECT " + std::string(90, 'c') + "\nFROM Orders WHERE Id = @id";
  const auto told =
      read_activity(description("Event"), activity("", "", {{"DisplayName", query.c_str()}, {"DurationTicks", "1"}}));
  ASSERT_TRUE(told);
  EXPECT_THAT(told->text, ::testing::HasSubstr("\tSELECT … FROM Orders WHERE Id = @id\t"));
}

TEST(ToldByName, OnlyExactNamesMayBeEventCounters) {
  const std::string names = "Shop.*,Shop-Old,Shop\\orders,System.Runtime";
  for (const uint16_t major : {0, 9, 10}) EXPECT_THAT(event_counter_sources(names, major), ElementsAre("Shop-Old"));
  // A runtime without a meter of its own.
  EXPECT_THAT(event_counter_sources(names, 8), ElementsAre("Shop-Old", "System.Runtime"));
}

}  // namespace
}  // namespace oriel::coreclr
