#include "run/log_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/files/file_template.h"
#include "run/followed_log.h"
#include "run/newest.h"
#include "temp_folder.h"

namespace oriel::cli {
namespace {

TEST(LogTemplate, DefaultIsNameAndPidInTheWorkingDirectory) {
  const auto pattern = log_template("", false);
  ASSERT_TRUE(pattern);
  EXPECT_EQ(pattern->folder, std::filesystem::current_path().string());
  EXPECT_EQ(expand(*pattern, "Shop", 4711).name, "Shop-4711.oriel");
}

TEST(LogTemplate, PercentSignsSurviveTheWayToTheModule) {
  TempFolder folder;
  std::filesystem::create_directory(folder.path() + "/100%p");
  const auto pattern = log_template(folder.path() + "/100%p/a%%b-%n-%p-%x.oriel", false);
  ASSERT_TRUE(pattern);
  EXPECT_EQ(pattern->argument(), folder.path() + "/100%%p/a%%b-%n-%p-%x.oriel");
  const LogTemplate expanded = expand(*pattern, "Shop", 12);
  EXPECT_EQ(expanded.name, "a%%b-Shop-12-%%x.oriel");
  EXPECT_TRUE(matches_template(expanded.name, "a%b-Shop-12-%x.oriel"));
}

TEST(LogTemplate, RefusesWhatCannotBeWritten) {
  TempFolder folder;
  EXPECT_FALSE(log_template(folder.path() + "/none/x.oriel", false));
  EXPECT_FALSE(log_template(folder.path(), false));
  EXPECT_FALSE(log_template(folder.path() + "/", false));
  EXPECT_FALSE(log_template(folder.path() + "/a;b.oriel", false));
  EXPECT_FALSE(log_template("/proc/x.oriel", false));
}

TEST(LogTemplate, TakesAPipeAndRefusesWhatElseIsNoFile) {
  TempFolder folder;
  const std::string fifo = folder.path() + "/fifo", device = folder.path() + "/device";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  std::filesystem::create_symlink("fifo", folder.path() + "/link.oriel");
  const std::string link = folder.path() + "/link.oriel";
  const auto behind_link = log_template(link, false);
  ASSERT_FALSE(behind_link);
  EXPECT_NE(behind_link.message().find("'" + link + "' is not a file"), std::string::npos) << behind_link.message();
  EXPECT_EQ(behind_link.message().find('\n'), std::string::npos);
  EXPECT_TRUE(log_template(fifo, false));
  if (mknod(device.c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0) GTEST_SKIP() << "only root makes devices";
  EXPECT_FALSE(log_template(device, false));
}

TEST(LogTemplate, ALinkLeadsToTheLog) {
  TempFolder folder;
  folder.write("there/log.oriel", "");
  std::filesystem::create_symlink("there/log.oriel", folder.path() + "/old.oriel");
  std::filesystem::create_symlink("there/new.oriel", folder.path() + "/new.oriel");
  std::filesystem::create_symlink("nowhere/new.oriel", folder.path() + "/none.oriel");
  std::filesystem::create_symlink("round.oriel", folder.path() + "/round.oriel");
  EXPECT_TRUE(log_template(folder.path() + "/old.oriel", false));
  const auto pattern = log_template(folder.path() + "/new.oriel", false);
  ASSERT_TRUE(pattern);
  EXPECT_EQ(pattern->argument(), std::filesystem::canonical(folder.path()).string() + "/there/new.oriel");
  EXPECT_FALSE(log_template(folder.path() + "/none.oriel", false));
  EXPECT_FALSE(log_template(folder.path() + "/round.oriel", false));
}

TEST(CheckPlace, FindsWhatIsInTheWay) {
  TempFolder folder;
  EXPECT_TRUE(check_place({folder.path(), "%n-%p.oriel"}));
  ASSERT_EQ(mkfifo((folder.path() + "/fifo.oriel").c_str(), 0600), 0);
  EXPECT_FALSE(check_place({folder.path(), "fifo.oriel"}));
  EXPECT_FALSE(check_place({folder.path() + "/none", "x.oriel"}));
  EXPECT_FALSE(check_place({"/proc", "x.oriel"}));
  std::filesystem::create_symlink("x.oriel", folder.path() + "/link.oriel");
  EXPECT_FALSE(check_place({folder.path(), "link.oriel"}));
}

TEST(FollowedLog, IsFoundAgainWhereverItGoes) {
  TempFolder folder;
  const LogTemplate pattern{folder.path(), "%n-%p.oriel"};
  folder.write("a-1.oriel", "old");
  const LogFiles before = find_logs(pattern);
  FollowedLog log;
  EXPECT_FALSE(log.look(pattern, before, "1-2"));
  const std::string path = folder.write("b-2.oriel", "new");
  EXPECT_TRUE(log.look(pattern, before, "1-2"));
  EXPECT_EQ(log.begun_at(), path);
  EXPECT_EQ(log.now_at(), path);
  EXPECT_EQ(log.size(), 3u);
  std::filesystem::rename(path, folder.path() + "/moved");
  EXPECT_EQ(log.now_at(), folder.path() + "/moved");
  std::filesystem::remove(folder.path() + "/moved");
  EXPECT_EQ(log.now_at(), "");
}

// An intro block of version 2 whose only property is the run.
std::string log_of_run(const std::string& run) {
  const std::string contents = "\x82" + std::string("CoreCLR\0\x80\x81\x81run\0", 15) + run + std::string(2, '\0');
  return std::string("\1\0", 2) + static_cast<char>(contents.size()) + std::string(3, '\0') + contents;
}

TEST(FollowedLog, IsOfNoOtherRun) {
  TempFolder folder;
  const LogTemplate pattern{folder.path(), "x.oriel"};
  const std::string path = folder.write("x.oriel", log_of_run("7-8"));
  EXPECT_TRUE(is_of_another_run(path, "1-2"));
  EXPECT_FALSE(is_of_another_run(path, "7-8"));
  FollowedLog log;
  EXPECT_FALSE(log.look(pattern, {}, "1-2"));
  EXPECT_TRUE(log.look(pattern, {}, "7-8"));
  EXPECT_FALSE(is_of_another_run(folder.write("y.oriel", "no log"), "1-2"));
}

TEST(LogTemplate, ChildrenNeedThePid) {
  TempFolder folder;
  EXPECT_FALSE(log_template(folder.path() + "/x.oriel", true));
  EXPECT_FALSE(log_template(folder.path() + "/x%%p.oriel", true));
  EXPECT_TRUE(log_template(folder.path() + "/x%p.oriel", true));
  EXPECT_TRUE(log_template("", true));
}

TEST(FindLogs, OnlyNewOrChangedRegularFilesCount) {
  TempFolder folder;
  folder.write("a-1.oriel", "old");
  folder.write("b-2.oriel", "old");
  folder.write("other.txt", "old");
  std::filesystem::create_directory(folder.path() + "/d-9.oriel");
  const LogTemplate pattern{folder.path(), "%n-%p.oriel"};
  const LogFiles before = find_logs(pattern);
  EXPECT_EQ(before.size(), 2u);
  folder.write("b-2.oriel", "changed");
  folder.write("c-3.oriel", "new");
  folder.write("d-4.oriel", "");
  const auto logs = changed(before, find_logs(pattern));
  ASSERT_EQ(logs.size(), 2u);
  EXPECT_EQ(logs[0], std::make_pair(folder.path() + "/b-2.oriel", uint64_t{7}));
  EXPECT_EQ(logs[1].second, 3u);
}

TEST(EachFileOnce, ByWhateverName) {
  TempFolder folder;
  const std::string a = folder.write("a.oriel", "a"), b = folder.write("b.oriel", "a");
  const std::string again = folder.path() + "/./a.oriel", link = folder.path() + "/link.oriel";
  const std::string none = folder.path() + "/none.oriel";  // each is reported where it is read
  std::filesystem::create_symlink("a.oriel", link);
  EXPECT_EQ(each_file_once({a, b, again, a, link}), (std::vector<std::string>{a, b}));
  EXPECT_EQ(each_file_once({none, none}), (std::vector<std::string>{none, none}));
}

TEST(HumanSize, ThreeUnitsAPersonReads) {
  EXPECT_EQ(human_size(999), "999 bytes");
  EXPECT_EQ(human_size(1234), "1.2 KB");
  EXPECT_EQ(human_size(1'240'000), "1.2 MB");
  EXPECT_EQ(human_size(7'000'000'000), "7.0 GB");
}

}  // namespace
}  // namespace oriel::cli
