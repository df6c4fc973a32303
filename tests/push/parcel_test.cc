// What is sent, field by field.
#include "push/parcel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <array>
#include <map>

#include "otlp.pb.h"
#include "pprof.pb.h"

namespace oriel::push {
namespace {

namespace otlp = ::oriel::testing::otlp;  // as protobuf reads it

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string gunzip(const std::string& packed) {
  z_stream stream = {};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string plain(1 << 16, '\0');
  stream.next_out = reinterpret_cast<Bytef*>(plain.data());
  stream.avail_out = static_cast<uInt>(plain.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  plain.resize(stream.total_out);
  inflateEnd(&stream);
  return plain;
}

// Two threads in Main → Work, one also in Main → native code; 100 samples a second of CPU time.
pprof::Profile shop() {
  pprof::Profile profile;
  for (const char* text : {"", "samples", "count", "cpu", "nanoseconds", "Main", "Work", "write", "libc.so.6", "b01d",
                           "thread", "tid", "Worker", "Shop.cs", "Shop.Main"})
    profile.strings.push_back(text);
  profile.sample_types = {{1, 2}, {3, 4}};
  profile.period_type = {3, 4};
  profile.period = 10'000'000;
  profile.default_sample_type = 3;
  profile.time_nanos = 1'700'000'000'500'000'000;
  profile.duration_nanos = 15'000'000'000;
  profile.mappings = {{.id = 1, .memory_limit = UINT64_MAX, .file = 8, .build_id = 9}};
  const std::array<int64_t, 3> names{5, 6, 7};
  for (uint64_t id = 1; id <= 3; ++id) {
    const auto line = static_cast<int64_t>(id) * 10;
    const int64_t name = names[id - 1];
    profile.functions.push_back({id, name, id == 1 ? 14 : name, id == 3 ? 8 : 13, line});
    profile.locations.push_back({id, id == 3 ? 1u : 0, id == 3 ? 0x1234u : 0, id, line + 1});
  }
  const auto add_sample = [&](uint64_t leaf, int64_t count, int64_t tid) {
    profile.samples.push_back({{leaf, 1}, {count, count * profile.period}, {{10, 12, 0}, {11, 0, tid}}});
  };
  add_sample(2, 5, 100);
  add_sample(2, 7, 101);
  add_sample(3, 2, 101);
  add_sample(3, 4, 101);  // the same stack again
  return profile;
}

// Of bytes, without a period.
pprof::Profile heap() {
  pprof::Profile profile = shop();
  profile.period_type = {};
  profile.period = 0;
  profile.strings[1] = "alloc_objects";
  profile.strings[3] = "alloc_space";
  profile.strings[4] = "bytes";
  return profile;
}

const Identity kShop{"shop", {{"service.version", "1.4"}, {"k8s.pod.name", "shop-7"}}};

TEST(Pyroscope, GetsTimeRateAndLabelsInTheQuery) {
  const Result<Parcel> parcel = pyroscope_parcel(*parse_server("http://host:4040", ""), kShop, shop());
  ASSERT_TRUE(parcel) << parcel.message();
  EXPECT_EQ(parcel->url, "http://host:4040/ingest");
  EXPECT_EQ(parcel->query,
            "name=shop%7Bservice_version%3D1.4%2Ck8s_pod_name%3Dshop-7%7D&from=1700000000&until=1700000016"
            "&format=pprof&spyName=oriel&units=samples&aggregationType=sum&sampleRate=100");
  EXPECT_EQ(parcel->content_type, "application/octet-stream");
  EXPECT_EQ(parcel->content_encoding, "");
  EXPECT_EQ(gunzip(parcel->body), exports::pprof_message(shop()));
  ::oriel::testing::pprof::Profile sent;
  ASSERT_TRUE(sent.ParseFromString(gunzip(parcel->body)));
  EXPECT_EQ(sent.SerializeAsString(), exports::pprof_message(shop())) << "as protobuf itself writes it";
}

TEST(Pyroscope, OfAllocationsTheUnitIsBytesAndThereIsNoRate) {
  const Result<Parcel> parcel = pyroscope_parcel(*parse_server("http://host:4040", ""), kShop, heap());
  ASSERT_TRUE(parcel) << parcel.message();
  EXPECT_THAT(parcel->query, HasSubstr("&units=bytes&"));
  EXPECT_THAT(parcel->query, Not(HasSubstr("sampleRate")));
}

TEST(Pyroscope, WhatItsNamesCannotHaveIsReplaced) {
  const Identity odd{"my shop,a", {{"a-b/c", "x,y}z=ä"}}};
  const Result<Parcel> parcel = pyroscope_parcel(*parse_server("http://host:4040", ""), odd, shop());
  ASSERT_TRUE(parcel) << parcel.message();
  EXPECT_THAT(parcel->query, HasSubstr("name=my_shop_a%7Ba_b_c%3Dx_y_z%3D%C3%A4%7D&"));
}

class Otlp : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::array profiles{shop(), heap()};
    const Result<Parcel> parcel = otlp_parcel(*parse_server("http://host:4318", ""), kShop, profiles);
    ASSERT_TRUE(parcel) << parcel.message();
    EXPECT_EQ(parcel->url, "http://host:4318/v1development/profiles");
    EXPECT_EQ(parcel->query, "");
    EXPECT_EQ(parcel->content_type, "application/x-protobuf");
    EXPECT_EQ(parcel->content_encoding, "gzip");
    ASSERT_TRUE(request_.ParseFromString(gunzip(parcel->body)));
    ASSERT_EQ(request_.resource_profiles_size(), 1);
    ASSERT_EQ(request_.resource_profiles(0).scope_profiles_size(), 1);
  }

  const otlp::ProfilesDictionary& dictionary() const { return request_.dictionary(); }
  const otlp::Profile& profile(int index) const {
    return request_.resource_profiles(0).scope_profiles(0).profiles(index);
  }
  const std::string& string(int32_t index) const { return dictionary().string_table(index); }
  std::string type(const otlp::ValueType& of) const {
    return string(of.type_strindex()) + " " + string(of.unit_strindex());
  }
  // "Work:21 < Main:11"
  std::string stack(const otlp::Sample& sample) const {
    std::string text;
    for (const int32_t index : dictionary().stack_table(sample.stack_index()).location_indices()) {
      const otlp::Line& line = dictionary().location_table(index).lines(0);
      text += (text.empty() ? "" : " < ") + string(dictionary().function_table(line.function_index()).name_strindex()) +
              ":" + std::to_string(line.line());
    }
    return text;
  }
  std::string attributes(const google::protobuf::RepeatedField<int32_t>& indices) const {
    std::string text;
    for (const int32_t index : indices) {
      const otlp::KeyValueAndUnit& attribute = dictionary().attribute_table(index);
      const otlp::AnyValue& value = attribute.value();
      text += (text.empty() ? "" : " ") + string(attribute.key_strindex()) + "=" +
              (value.has_int_value() ? std::to_string(value.int_value()) : value.string_value());
    }
    return text;
  }
  std::map<std::string, int64_t> samples(int index) const {
    std::map<std::string, int64_t> all;
    for (const otlp::Sample& sample : profile(index).samples()) {
      EXPECT_EQ(sample.values_size(), 1);
      const std::string key = stack(sample) + " " + attributes(sample.attribute_indices());
      EXPECT_FALSE(all.contains(key)) << key << " is there twice";
      all[key] = sample.values(0);
    }
    return all;
  }

  otlp::ExportProfilesServiceRequest request_;
};

TEST_F(Otlp, TheResourceIsTheService) {
  std::map<std::string, std::string> attributes;
  for (const otlp::KeyValue& attribute : request_.resource_profiles(0).resource().attributes())
    attributes[attribute.key()] = attribute.value().string_value();
  EXPECT_EQ(attributes, (std::map<std::string, std::string>{
                            {"service.name", "shop"}, {"service.version", "1.4"}, {"k8s.pod.name", "shop-7"}}));
  const otlp::InstrumentationScope& scope = request_.resource_profiles(0).scope_profiles(0).scope();
  EXPECT_EQ(scope.name(), "oriel");
  EXPECT_FALSE(scope.version().empty());
}

TEST_F(Otlp, EntryZeroOfEachTableIsEmpty) {
  EXPECT_EQ(string(0), "");
  EXPECT_EQ(dictionary().mapping_table(0).ByteSizeLong(), 0u);
  EXPECT_EQ(dictionary().location_table(0).ByteSizeLong(), 0u);
  EXPECT_EQ(dictionary().function_table(0).ByteSizeLong(), 0u);
  EXPECT_EQ(dictionary().attribute_table(0).ByteSizeLong(), 0u);
  EXPECT_EQ(dictionary().stack_table(0).ByteSizeLong(), 0u);
  ASSERT_EQ(dictionary().link_table_size(), 1);
  EXPECT_EQ(dictionary().link_table(0).trace_id(), std::string(16, '\0'));
  EXPECT_EQ(dictionary().link_table(0).span_id(), std::string(8, '\0'));
}

TEST_F(Otlp, SamplesHaveOneValueAndTheirPeriodSaysTheTime) {
  ASSERT_EQ(request_.resource_profiles(0).scope_profiles(0).profiles_size(), 3);
  EXPECT_EQ(type(profile(0).sample_type()), "samples count");
  EXPECT_EQ(type(profile(0).period_type()), "cpu nanoseconds");
  EXPECT_EQ(profile(0).period(), 10'000'000);
  EXPECT_EQ(profile(0).time_unix_nano(), 1'700'000'000'500'000'000u);
  EXPECT_EQ(profile(0).duration_nano(), 15'000'000'000u);
  EXPECT_EQ(samples(0), (std::map<std::string, int64_t>{
                            {"Work:21 < Main:11 thread.name=Worker thread.id=100", 5},
                            {"Work:21 < Main:11 thread.name=Worker thread.id=101", 7},
                            {"write:31 < Main:11 thread.name=Worker thread.id=101", 6},
                        }));
}

TEST_F(Otlp, AllocationsAreTwoProfiles) {
  EXPECT_EQ(type(profile(1).sample_type()), "alloc_objects count");
  EXPECT_EQ(type(profile(2).sample_type()), "alloc_space bytes");
  EXPECT_FALSE(profile(1).has_period_type());
  EXPECT_EQ(samples(1), samples(0));
  EXPECT_EQ(samples(2).at("Work:21 < Main:11 thread.name=Worker thread.id=100"), 50'000'000);
}

TEST_F(Otlp, ProfilesShareTheTables) {
  EXPECT_EQ(dictionary().function_table_size(), 4);
  EXPECT_EQ(dictionary().location_table_size(), 4);
  EXPECT_EQ(dictionary().stack_table_size(), 3);
  ASSERT_EQ(dictionary().mapping_table_size(), 2);
  const otlp::Mapping& mapping = dictionary().mapping_table(1);
  EXPECT_EQ(string(mapping.filename_strindex()), "libc.so.6");
  EXPECT_EQ(attributes(mapping.attribute_indices()), "process.executable.build_id.gnu=b01d");
  EXPECT_EQ(dictionary().location_table(3).mapping_index(), 1);
  EXPECT_EQ(dictionary().location_table(3).address(), 0x1234u);
  const otlp::Function& main = dictionary().function_table(1);
  EXPECT_EQ(string(main.system_name_strindex()), "Shop.Main");
  EXPECT_EQ(string(main.filename_strindex()), "Shop.cs");
  EXPECT_EQ(main.start_line(), 10);
}

TEST_F(Otlp, ProfilesHaveDifferentIds) {
  EXPECT_EQ(profile(0).profile_id().size(), 16u);
  EXPECT_NE(profile(0).profile_id(), profile(1).profile_id());
  EXPECT_NE(profile(1).profile_id(), profile(2).profile_id());
}

}  // namespace
}  // namespace oriel::push
