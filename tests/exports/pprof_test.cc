#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "exports/build_profile.h"
#include "exports/export.h"
#include "exports/hostile.h"
#include "pprof.pb.h"

namespace oriel::exports {
namespace {

namespace pprof = ::oriel::testing::pprof;  // as protobuf reads it

using ::testing::HasSubstr;
using testing::ProfileBuilder;

std::string export_pprof(const profile::Profile& profile) {
  std::ostringstream out;
  const Status status = write_export(**find_export("pprof"), profile, out);
  EXPECT_TRUE(status) << status.message();
  return out.str();
}

std::string gunzip(const std::string& packed) {
  z_stream stream = {};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string plain;
  std::array<char, 4096> chunk;
  int outcome = Z_OK;
  while (outcome == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
    stream.avail_out = chunk.size();
    outcome = inflate(&stream, Z_NO_FLUSH);
    plain.append(chunk.data(), chunk.size() - stream.avail_out);
  }
  EXPECT_EQ(outcome, Z_STREAM_END);
  inflateEnd(&stream);
  return plain;
}

pprof::Profile decode(const profile::Profile& profile) {
  pprof::Profile decoded;
  EXPECT_TRUE(decoded.ParseFromString(gunzip(export_pprof(profile))));
  return decoded;
}

ProfileBuilder shop() {
  ProfileBuilder builder;
  builder.profile().start_unix_us = 1'700'000'000'000'000;
  builder.profile().wall_ns = 2'000'000'000;
  const uint32_t main = builder.thread("Main", 100), pool = builder.thread("", 101);
  const uint32_t run =
      builder.function("Shop.Program.RunAsync()", "Shop.dll", true, "Shop.Program.<RunAsync>d__3.MoveNext");
  const uint32_t add = builder.function("Shop.Cart.Add(int)", "Shop.dll");
  const uint32_t copy = builder.function("memcpy", "libc.so.6", false);
  builder.sample(main, builder.stack({run, add, copy}), 5);
  builder.sample(main, builder.stack({run, add}), 2);
  builder.sample(pool, builder.stack({run, add}), 3);
  builder.sample(main, builder.stack({run, add}));
  return builder;
}

TEST(Pprof, SaysWhatItsValuesMean) {
  const pprof::Profile p = decode(shop().profile());
  const auto text = [&](int64_t index) { return p.string_table(static_cast<int>(index)); };
  EXPECT_EQ(p.string_table(0), "");
  ASSERT_EQ(p.sample_type_size(), 2);
  EXPECT_EQ(text(p.sample_type(0).type()) + "/" + text(p.sample_type(0).unit()), "samples/count");
  EXPECT_EQ(text(p.sample_type(1).type()) + "/" + text(p.sample_type(1).unit()), "cpu/nanoseconds");
  EXPECT_EQ(text(p.period_type().type()) + "/" + text(p.period_type().unit()), "cpu/nanoseconds");
  EXPECT_EQ(text(p.default_sample_type()), "cpu");
  EXPECT_EQ(p.period(), 1'000'000);
  EXPECT_EQ(p.time_nanos(), 1'700'000'000'000'000'000);
  EXPECT_EQ(p.duration_nanos(), 2'000'000'000);
  EXPECT_EQ(text(p.comment(0)), "dotnet shop.dll --fast");
}

TEST(Pprof, APartOfALogHasItsOwnTime) {
  ProfileBuilder builder = shop();
  builder.profile().filter.from_ns = 500'000'000;
  builder.profile().filter.to_ns = 1'700'000'000;
  pprof::Profile p = decode(builder.profile());
  EXPECT_EQ(p.time_nanos(), 1'700'000'000'500'000'000);
  EXPECT_EQ(p.duration_nanos(), 1'200'000'000);
  builder.profile().filter.to_ns = 9'000'000'000;  // beyond the end
  p = decode(builder.profile());
  EXPECT_EQ(p.duration_nanos(), 1'500'000'000);
}

TEST(Pprof, SumsSamplesOverThreadAndStack) {
  const pprof::Profile p = decode(shop().profile());
  const auto text = [&](int64_t index) { return p.string_table(static_cast<int>(index)); };
  std::map<std::string, std::pair<int64_t, int64_t>> values;
  for (const pprof::Sample& sample : p.sample()) {
    std::string key = text(sample.label(0).key()) + "=" + text(sample.label(0).str()) + " " +
                      text(sample.label(1).key()) + "=" + std::to_string(sample.label(1).num());
    for (const uint64_t id : sample.location_id()) {
      const pprof::Location& location = p.location(static_cast<int>(id) - 1);
      EXPECT_EQ(location.id(), id);
      key += " " + text(p.function(static_cast<int>(location.line(0).function_id()) - 1).name());
    }
    ASSERT_EQ(sample.value_size(), 2);
    EXPECT_TRUE(values.try_emplace(key, sample.value(0), sample.value(1)).second) << key;
  }
  const std::map<std::string, std::pair<int64_t, int64_t>> wanted = {
      {"thread=Main tid=100 memcpy Shop.Cart.Add(int) Shop.Program.RunAsync()", {5, 5'000'000}},
      {"thread=Main tid=100 Shop.Cart.Add(int) Shop.Program.RunAsync()", {3, 3'000'000}},
      {"thread=Thread 101 tid=101 Shop.Cart.Add(int) Shop.Program.RunAsync()", {3, 3'000'000}},
  };
  EXPECT_EQ(values, wanted);
}

TEST(Pprof, KeepsRawNamesAndModules) {
  const pprof::Profile p = decode(shop().profile());
  const auto text = [&](int64_t index) { return p.string_table(static_cast<int>(index)); };
  ASSERT_EQ(p.function_size(), 3);
  ASSERT_EQ(p.mapping_size(), 2);
  for (const pprof::Function& function : p.function()) {
    const std::string name = text(function.name()), raw = text(function.system_name());
    EXPECT_EQ(raw, name == "Shop.Program.RunAsync()" ? "Shop.Program.<RunAsync>d__3.MoveNext" : name);
    EXPECT_EQ(text(function.filename()), name == "memcpy" ? "libc.so.6" : "Shop.dll");
    const pprof::Location& location = p.location(static_cast<int>(function.id()) - 1);
    const pprof::Mapping& mapping = p.mapping(static_cast<int>(location.mapping_id()) - 1);
    EXPECT_EQ(text(mapping.filename()), text(function.filename()));
    EXPECT_TRUE(mapping.has_functions());
  }
}

TEST(Pprof, RealTimeIsWallTime) {
  ProfileBuilder builder = shop();
  builder.profile().sampling_mode = "real";
  const pprof::Profile p = decode(builder.profile());
  EXPECT_EQ(p.string_table(static_cast<int>(p.sample_type(1).type())), "wall");
}

TEST(Pprof, WithoutAKnownPeriodOnlyCounts) {
  ProfileBuilder builder = shop();
  builder.profile().sampling_hz = 0;
  const pprof::Profile p = decode(builder.profile());
  EXPECT_EQ(p.sample_type_size(), 1);
  for (const pprof::Sample& sample : p.sample()) EXPECT_EQ(sample.value_size(), 1);
  EXPECT_EQ(p.string_table(static_cast<int>(p.default_sample_type())), "samples");
}

// Writes the export to a file, runs a command with its path, and returns the command's output.
std::string run_on(const profile::Profile& profile, const std::string& command) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("oriel-pprof-" + std::to_string(getpid()) + ".pb.gz");
  std::ofstream(file, std::ios::binary) << export_pprof(profile);
  FILE* pipe = popen((command + " '" + file.string() + "' 2>&1").c_str(), "r");
  std::string output;
  std::array<char, 4096> chunk;
  while (const size_t size = fread(chunk.data(), 1, chunk.size(), pipe)) output.append(chunk.data(), size);
  EXPECT_EQ(pclose(pipe), 0) << output;
  std::filesystem::remove(file);
  return output;
}

bool has_go() { return std::system("go version >/dev/null 2>&1") == 0; }

TEST(Pprof, LoadsInGoToolPprof) {
  if (!has_go()) GTEST_SKIP() << "go is not installed: sudo apt install golang-go";
  const std::string top = run_on(shop().profile(), "go tool pprof -top");
  EXPECT_THAT(top, HasSubstr("Type: cpu"));
  EXPECT_THAT(top, HasSubstr("Duration: 2s, Total samples = 11ms"));
  EXPECT_THAT(top, HasSubstr("6ms 54.55% 54.55%       11ms   100%  Shop.Cart.Add(int)"));
  EXPECT_THAT(top, HasSubstr("5ms 45.45%   100%        5ms 45.45%  memcpy"));
  EXPECT_THAT(top, HasSubstr("11ms   100%  Shop.Program.RunAsync()"));
  const std::string tags = run_on(shop().profile(), "go tool pprof -tags");
  EXPECT_THAT(tags, HasSubstr("Thread 101"));
}

// Two native functions without names in the log.
ProfileBuilder unnamed() {
  ProfileBuilder builder;
  profile::Profile& profile = builder.profile();
  profile.places.images.push_back({.path = "/opt/shop/libfast.so", .pdb_id = "", .pdb_path = "", .build_id = "c0ffee"});
  const uint32_t function = builder.function("[libfast.so]", "libfast.so", false);
  for (const uint64_t address : {0x1000, 0x3000}) {
    const auto position = static_cast<uint32_t>(profile.places.positions.size());
    profile.places.positions.push_back({.image = 1, .address = address});
    profile.nodes.push_back({.parent = 0, .function = function, .position = position});
    builder.sample(builder.thread("Main", 100), static_cast<uint32_t>(profile.nodes.size() - 1));
  }
  return builder;
}

TEST(Pprof, WhoeverHasTheSymbolsCanNameNativeFunctionsLater) {
  const pprof::Profile p = decode(unnamed().profile());
  ASSERT_EQ(p.location_size(), 2) << "one a function, though they have one name";
  EXPECT_EQ(p.location(0).address(), 0x1000u);
  EXPECT_EQ(p.location(1).address(), 0x3000u);
  EXPECT_EQ(p.function_size(), 1);
  ASSERT_EQ(p.mapping_size(), 1);
  EXPECT_EQ(p.string_table(static_cast<int>(p.mapping(0).filename())), "/opt/shop/libfast.so");
  EXPECT_EQ(p.string_table(static_cast<int>(p.mapping(0).build_id())), "c0ffee");
  EXPECT_EQ(p.mapping(0).memory_start(), 0u);
  EXPECT_EQ(p.mapping(0).memory_limit(), UINT64_MAX) << "addresses are as linked";
  if (!has_go()) GTEST_SKIP() << "go is not installed: sudo apt install golang-go";
  const std::string raw = run_on(unnamed().profile(), "go tool pprof -raw");
  EXPECT_THAT(raw, HasSubstr("0x3000 M=1 [libfast.so]"));
  EXPECT_THAT(raw, HasSubstr("/opt/shop/libfast.so c0ffee"));
}

TEST(Pprof, HostileNamesLoadInGoToolPprof) {
  ProfileBuilder builder;
  for (const std::string& name : testing::hostile_names())
    builder.sample(builder.thread(name, 5), builder.stack({builder.function(name, name, true, name + "raw")}));
  EXPECT_EQ(decode(builder.profile()).sample_size(), static_cast<int>(testing::hostile_names().size()));
  if (!has_go()) GTEST_SKIP() << "go is not installed: sudo apt install golang-go";
  EXPECT_THAT(run_on(builder.profile(), "go tool pprof -top"), HasSubstr("Größe.计算"));
}

TEST(Pprof, NothingSampledIsAValidFile) {
  const pprof::Profile p = decode(profile::Profile());
  EXPECT_EQ(p.sample_size(), 0);
  EXPECT_EQ(p.string_table(0), "");
}

}  // namespace
}  // namespace oriel::exports
