#include "control/place.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace oriel::control {
namespace {

class Place : public ::testing::Test {
 protected:
  Place() {
    std::string pattern = (std::filesystem::temp_directory_path() / "oriel-place-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~Place() override { std::filesystem::remove_all(folder_); }

  std::string sockets() const { return socket_folder(folder_, geteuid()); }
  std::string wrong(bool make) const {
    const Result<int> opened = open_socket_folder(sockets(), geteuid(), make);
    if (opened) close(*opened);
    return opened ? "" : opened.message();
  }

  std::string folder_;
};

TEST_F(Place, FollowsTmpdir) {
  EXPECT_EQ(socket_folder("", 7), "/tmp/oriel-7");
  EXPECT_EQ(socket_folder("/run/x", 7), "/run/x/oriel-7");
  EXPECT_EQ(socket_folder("/run/x/", 7), "/run/x/oriel-7");
}

TEST_F(Place, IsMadeForItsUserAlone) {
  EXPECT_NE(wrong(false), "");
  const mode_t before = umask(0777);
  EXPECT_EQ(wrong(true), "");
  umask(before);
  struct stat it {};
  ASSERT_EQ(stat(sockets().c_str(), &it), 0);
  EXPECT_EQ(it.st_mode & 07777, 0700u);
  EXPECT_EQ(wrong(false), "");
}

TEST_F(Place, IsNoLinkAndNoFile) {
  std::filesystem::create_directory(folder_ + "/elsewhere");
  std::filesystem::create_directory_symlink(folder_ + "/elsewhere", sockets());
  EXPECT_NE(wrong(true), "");
  std::filesystem::remove(sockets());
  close(open(sockets().c_str(), O_CREAT | O_WRONLY, 0600));
  EXPECT_NE(wrong(true), "");
}

TEST_F(Place, IsNobodyElses) {
  ASSERT_EQ(wrong(true), "");
  const Result<int> of_another = open_socket_folder(sockets(), geteuid() + 1, true);
  ASSERT_FALSE(of_another);
  EXPECT_TRUE(of_another.message().ends_with("is another user's")) << of_another.message();
}

TEST_F(Place, OpenToOthersIsRefusedByWhoOnlyLooks) {
  ASSERT_EQ(mkdir(sockets().c_str(), 0700), 0);
  ASSERT_EQ(chmod(sockets().c_str(), 0750), 0);
  EXPECT_TRUE(wrong(false).ends_with("is open to other users"));
}

}  // namespace
}  // namespace oriel::control
