#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "exports/export.h"
#include "exports/timed_shop.h"
#include "otlp.pb.h"

namespace oriel::exports {
namespace {

namespace otlp = ::oriel::testing::otlp;  // as protobuf reads it

otlp::ExportProfilesServiceRequest exported(const profile::Profile& profile) {
  std::ostringstream out;
  const Status status = write_export(**find_export("otlp"), profile, out);
  EXPECT_TRUE(status) << status.message();
  otlp::ExportProfilesServiceRequest message;
  EXPECT_TRUE(message.ParseFromString(out.str()));
  return message;
}

TEST(OtlpExport, AFileHasTheProcessAndItsStacks) {
  testing::ProfileBuilder builder;
  const uint32_t main = builder.thread("Main thread", 100);
  const uint32_t run = builder.function("Shop.Run(int, string)", "Shop.dll"),
                 copy = builder.function("copy", "", false);
  builder.sample(main, builder.stack({run}));
  builder.sample(main, builder.stack({run, copy}), 3);
  profile::Profile shop = builder.profile();
  profile::Process process;
  process.name = "Shop";
  process.pid = 4711;
  shop.processes = {process};
  const otlp::ExportProfilesServiceRequest message = exported(shop);
  std::map<std::string, std::string> resource;
  for (const otlp::KeyValue& attribute : message.resource_profiles(0).resource().attributes())
    resource[attribute.key()] = attribute.value().string_value();
  EXPECT_EQ(resource["process.pid"], "4711");
  EXPECT_EQ(resource["service.name"], "Shop");
  const otlp::Profile& profile = message.resource_profiles(0).scope_profiles(0).profiles(0);
  const otlp::ProfilesDictionary& tables = message.dictionary();
  std::map<std::string, int64_t> stacks;  // innermost first
  for (const otlp::Sample& sample : profile.samples()) {
    std::string stack;
    for (const int32_t location : tables.stack_table(sample.stack_index()).location_indices())
      stack += tables.string_table(
                   tables.function_table(tables.location_table(location).lines(0).function_index()).name_strindex()) +
               ";";
    stacks[stack] += sample.values(0);
  }
  EXPECT_EQ(stacks,
            (std::map<std::string, int64_t>{{"Shop.Run(int, string);", 1}, {"copy;Shop.Run(int, string);", 3}}));
}

TEST(OtlpExport, HostileNamesAreValid) { exported(testing::hostile_shop().profile()); }

}  // namespace
}  // namespace oriel::exports
