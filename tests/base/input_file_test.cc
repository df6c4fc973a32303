#include "base/files/input_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace oriel {
namespace {

namespace fs = std::filesystem;

struct InputFiles : testing::Test {
  InputFiles() { fs::create_directory(folder); }
  ~InputFiles() override { fs::remove_all(folder); }
  std::string path(const char* name) const { return folder / name; }
  std::string written(const char* name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  const fs::path folder = fs::temp_directory_path() / ("oriel-input-" + std::to_string(getpid()));
};

std::string refusal(const std::string& path, uint64_t most = 1000) {
  const Result<std::string> read = read_input_text(path, most);
  const Result<InputFile> opened = InputFile::open(path, most);
  EXPECT_EQ(read.is_ok(), opened.is_ok());
  EXPECT_EQ(read ? "" : read.message(), opened ? "" : opened.message());
  return read ? "" : read.message();
}

TEST_F(InputFiles, AreReadAsAWholeAndInParts) {
  const std::string file = written("text", "0123456789");
  EXPECT_EQ(*read_input_text(file, 10), "0123456789");
  EXPECT_THAT(*read_input(file, 10), testing::ElementsAre('0', '1', '2', '3', '4', '5', '6', '7', '8', '9'));
  const Result<InputFile> opened = InputFile::open(file, 10);
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->size(), 10u);
  char part[4] = {};
  EXPECT_TRUE(opened->read(3, part, 4));
  EXPECT_EQ(std::string(part, 4), "3456");
  EXPECT_FALSE(opened->read(8, part, 4));
  EXPECT_FALSE(opened->read(UINT64_MAX, part, 4));
  EXPECT_EQ(opened->read_some(8, part, 4), 2);
  EXPECT_EQ(*read_input_text(written("empty", ""), 10), "");
}

// Each would make whoever opens or reads it wait for ever, or go on for ever.
TEST_F(InputFiles, AreNoPipesDevicesSocketsOrFolders) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  fs::create_symlink("pipe", path("link"));
  const int socket_file = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{AF_UNIX, {}};
  path("socket").copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(bind(socket_file, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  close(socket_file);
  EXPECT_EQ(refusal(path("pipe")), "it is a pipe, not a file");
  EXPECT_EQ(refusal(path("link")), "it is a pipe, not a file");
  EXPECT_EQ(refusal(path("socket")), "it is a socket, not a file");
  EXPECT_EQ(refusal("/dev/zero"), "it is a device, not a file");
  EXPECT_EQ(refusal("/dev/tty"), "it is a device, not a file");
  EXPECT_EQ(refusal(folder), "it is a folder");
  EXPECT_EQ(refusal(path("none")), "No such file or directory");
  EXPECT_EQ(check_input(path("pipe")).message(), "it is a pipe, not a file");
  EXPECT_TRUE(check_input(written("text", "")));
}

TEST_F(InputFiles, HaveABound) {
  const std::string file = written("text", "");
  EXPECT_EQ(truncate(file.c_str(), off_t{5'000'000'000}), 0);
  EXPECT_EQ(refusal(file, 4'000'000'000), "it has 5000 MB, and no more than 4000 MB are read");
  EXPECT_TRUE(InputFile::open(file, 5'000'000'000));
}

TEST_F(InputFiles, TakeNoNumberThatTheProgramWouldGet) {
  const std::string file = written("text", "x");
  const int next = open("/dev/null", O_RDONLY);
  close(next);
  const Result<InputFile> opened = InputFile::open(file, 1);
  ASSERT_TRUE(opened);
  const int same = open("/dev/null", O_RDONLY);
  EXPECT_EQ(same, next);
  close(same);
}

TEST(Streams, AreReadToTheirEndOrTheBound) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "diff", 4), 4);
  close(ends[1]);
  EXPECT_EQ(*read_stream(ends[0], 4), "diff");
  close(ends[0]);
  const int zero = open("/dev/zero", O_RDONLY);
  EXPECT_EQ(read_stream(zero, 10'000'000).message(), "more than 10 MB came");
  close(zero);
  EXPECT_FALSE(read_stream(-1, 10));
}

}  // namespace
}  // namespace oriel
