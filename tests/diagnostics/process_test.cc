#include "diagnostics/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/text/path.h"
#include "diagnostics/runtime.h"

namespace oriel::diagnostics {
namespace {

using testing::Contains;
using testing::ElementsAre;

TEST(Process, IsReadOfThisOne) {
  ASSERT_THAT(process_ids(), Contains(getpid()));
  std::optional<Process> process = read_process(getpid());
  ASSERT_TRUE(process);
  EXPECT_EQ(process->user, geteuid());
  EXPECT_EQ(process->own_pid, getpid());
  EXPECT_GT(process->start_ticks, 0u);
  EXPECT_FALSE(process->command.empty());
  EXPECT_FALSE(process->readable);
  read_inside(*process);
  EXPECT_TRUE(process->readable);
  EXPECT_EQ(process->root, "");
  EXPECT_NE(mapped_file(*process, file_name(process->files.front())), "");
  EXPECT_EQ(runtime_of(*process).kind, RuntimeKind::kNone);
  EXPECT_EQ(runtime_in_executable(*process), RuntimeKind::kNone);
}

TEST(Process, IsNoneThatHasEndedOrHasNoCommand) {
  EXPECT_FALSE(read_process(0x7ffffff0));
  const pid_t child = fork();
  if (child == 0) _exit(0);
  // It stays a zombie until it is waited for.
  while (read_process(child)) usleep(1000);
  SUCCEED();
}

TEST(ProcessStatus, HasTheEffectiveUserAndTheInnermostPid) {
  Process process;
  internal::parse_status("Name:\tdotnet\nUid:\t1000\t1001\t1002\t1003\nNSpid:\t4711\t17\t1\n", process);
  EXPECT_EQ(process.user, 1001u);
  EXPECT_EQ(process.own_pid, 1);
  internal::parse_status("Uid:\nNSpid:\nUid", process);
  EXPECT_EQ(process.user, 1001u);
}

TEST(ProcessStat, IsReadBehindAnyName) {
  Process process;
  internal::parse_stat("7 (a) R 1) (x) T 1 7 7 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 159808 9 9\n", process);
  EXPECT_EQ(process.state, 'T');
  EXPECT_TRUE(is_stopped(process));
  EXPECT_EQ(process.start_ticks, 159808u);
  Process other;
  internal::parse_stat("7 (a) T 1 7", other);
  internal::parse_stat("", other);
  EXPECT_EQ(other.start_ticks, 0u);
}

constexpr const char* kMaps =
    "55d0c0000000-55d0c0001000 r--p 00000000 08:01 1311                       /usr/share/dotnet/dotnet\n"
    "7f0000000000-7f0000001000 rw-p 00000000 00:00 0 \n"
    "7f0000002000-7f0000003000 r-xp 00000000 08:01 1312 "
    "/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12/libcoreclr.so\n"
    "7f0000003000-7f0000004000 r--p 00000000 08:01 1312 "
    "/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12/libcoreclr.so\n"
    "7f0000005000-7f0000006000 rw-s 00000000 00:01 5 /memfd:doublemapper (deleted)\n"
    "7f0000007000-7f0000008000 r--p 00000000 08:01 1313 /srv/my app/Shop.dll (deleted)\n"
    "7ffd00000000-7ffd00001000 rw-p 00000000 00:00 0 [stack]\n";

TEST(MappedFiles, AreListedOnce) {
  EXPECT_THAT(internal::mapped_files(kMaps),
              ElementsAre("/memfd:doublemapper", "/srv/my app/Shop.dll", "/usr/share/dotnet/dotnet",
                          "/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12/libcoreclr.so"));
}

Process process_with(std::vector<std::string> files) {
  Process process;
  process.files = std::move(files);
  return process;
}

TEST(Runtime, IsToldByItsLibraries) {
  Process process = process_with(internal::mapped_files(kMaps));
  EXPECT_EQ(runtime_of(process).kind, RuntimeKind::kCoreClr);
  EXPECT_EQ(runtime_of(process).version, "10.0.12");
  EXPECT_FALSE(runtime_of(process).started);
  EXPECT_FALSE(runtime_of(process).musl);
  process.files.emplace_back("/app/System.Private.CoreLib.dll");
  EXPECT_TRUE(runtime_of(process).started);
  EXPECT_EQ(runtime_of(process_with({"/app/libcoreclr.so", "/lib/ld-musl-x86_64.so.1"})).version, "");
  EXPECT_TRUE(runtime_of(process_with({"/app/libcoreclr.so", "/lib/ld-musl-x86_64.so.1"})).musl);
  EXPECT_TRUE(runtime_of(process_with({"/app/libcoreclr.so", "/usr/lib/x86_64-linux-musl/libc.so"})).musl);
  EXPECT_FALSE(runtime_of(process_with({"/app/libcoreclr.so", "/usr/lib/x86_64-linux-gnu/libc.so.6"})).musl);
  EXPECT_EQ(runtime_of(process_with({"/usr/bin/mono-sgen"})).kind, RuntimeKind::kMono);
  EXPECT_EQ(runtime_of(process_with({"/usr/lib/libmonosgen-2.0.so.1.0.0"})).kind, RuntimeKind::kMono);
  EXPECT_EQ(runtime_of(process_with({"/usr/bin/mono.txt"})).kind, RuntimeKind::kNone);
}

TEST(Runtime, IsToldByWhatAnExecutableExports) {
  std::optional<Process> process = read_process(getpid());
  read_inside(*process);
  const std::string libc(mapped_file(*process, "libc.so.6"));
  EXPECT_TRUE(internal::exports(libc, "malloc"));
  EXPECT_FALSE(internal::exports(libc, "mallo"));
  EXPECT_FALSE(internal::exports("/dev/zero", "malloc"));
  EXPECT_FALSE(internal::exports("/none", ""));
  EXPECT_THAT(profilers_in(*process), ElementsAre());
}

TEST(Runtime, HasAMajorVersion) {
  EXPECT_EQ(major_version("10.0.12"), 10u);
  EXPECT_EQ(major_version("9.0.0-preview.1"), 9u);
  EXPECT_EQ(major_version(""), std::nullopt);
  EXPECT_EQ(major_version("next"), std::nullopt);
  EXPECT_EQ(major_version("99999999999999999999.1"), std::nullopt);
}

}  // namespace
}  // namespace oriel::diagnostics
