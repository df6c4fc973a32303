#include "graph_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "log/decoder.h"
#include "modules/fake_engine.h"
#include "recorder.h"
#include "tree_text.h"

namespace oriel::callgraph_module {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

struct Contents : log::EventSink {
  std::map<uint64_t, std::string> methods, classes, threads;
  std::map<std::string, std::string> properties;
  std::vector<std::string> nodes;  // of all threads
  std::vector<log::CallGraph> graphs;
  bool ended = false;

  void on_intro(const log::Intro& r) override { properties.insert(r.properties.begin(), r.properties.end()); }
  void on_class(const log::ClassName& r) override { classes[r.id] = r.name; }
  void on_method(const log::MethodName& r) override { methods[r.id] = r.name; }
  void on_thread(const log::ThreadName& r) override { threads[r.id] = r.name; }
  void on_call_graph(const log::CallGraph& r) override { graphs.push_back(r); }
  void on_call_node(const log::CallNode& r) override {
    graphs.back().nodes.push_back(r);
    nodes.push_back(text_of(graphs.back(), r));
  }
};

Result<std::unique_ptr<GraphFile>> create(const Options& options) {
  auto file = GraphFile::create(options);
  if (!file) return file.status();
  if (Status status = (*file)->dump(false); !status) return status;
  return file;
}

class GraphFileTest : public testing::Test {
 protected:
  GraphFileTest() {
    lay_out();
    fake::engine().threads[0].name = "main";
    listen(nullptr, true);
    options_.out = (folder_ / "shop.callgraph.oriel").string();
    fs::create_directories(folder_);
  }
  ~GraphFileTest() override {
    stop_listening(nullptr);
    fs::remove_all(folder_);
  }

  Contents read() {
    Contents contents;
    const auto outcome = log::decode_file(options_.out, contents);
    EXPECT_TRUE(outcome) << outcome.message();
    if (!outcome) return contents;
    EXPECT_EQ(outcome->corrupt_blocks + outcome->torn_bytes, 0u);
    contents.ended = outcome->ended;
    return contents;
  }

  // Calls that no other test makes, on a separate thread.
  static void call(uint32_t caller, uint32_t callee) {
    std::thread([=] {
      callback_method_enter(nullptr, method(caller), nullptr);
      callback_method_enter(nullptr, method(callee), nullptr);
      callback_gc_allocation(nullptr, klass(callee), 24, nullptr, nullptr);
      callback_method_leave(nullptr, method(callee), nullptr);
      callback_method_leave(nullptr, method(caller), nullptr);
    }).join();
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / ("callgraph-" + std::to_string(getpid()));
  Options options_;
};

TEST_F(GraphFileTest, IsThereFromTheStartAndTellsWhatItIs) {
  auto patterns = MethodPatterns::parse("Shop.*");
  options_.calls = std::move(*patterns);
  ASSERT_TRUE(create(options_));
  const Contents contents = read();
  EXPECT_FALSE(contents.ended);
  EXPECT_EQ(contents.properties.at("callgraph.calls"), "Shop.*");
  EXPECT_EQ(contents.properties.at("sampling.mode"), "none");
  EXPECT_EQ(contents.properties.at("pid"), std::to_string(getpid()));
}

TEST_F(GraphFileTest, EachDumpIsWholeAndTakesThePlaceOfTheOneBefore) {
  auto file = create(options_);
  ASSERT_TRUE(file) << file.message();
  call(11, 12);
  ASSERT_TRUE((*file)->dump(false));
  EXPECT_THAT(read().nodes, Contains("11/12 x1 {12: 1, 24}"));
  call(13, 14);
  ASSERT_TRUE((*file)->dump(true));
  const Contents contents = read();
  EXPECT_THAT(contents.nodes, Contains("11/12 x1 {12: 1, 24}"));  // with its names again
  EXPECT_THAT(contents.nodes, Contains("13/14 x1 {14: 1, 24}"));
  EXPECT_EQ(contents.methods.at(12), "M12()");
  EXPECT_EQ(contents.methods.at(14), "M14()");
  EXPECT_EQ(contents.classes.at(14), "Class14");
  EXPECT_EQ(contents.threads.at(1), "main");
  EXPECT_TRUE(contents.ended);
  for (const log::CallGraph& graph : contents.graphs) EXPECT_EQ(graph.dump, 3u);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(GraphFileTest, MethodsThatOthersChoseAreNotInIt) {
  auto file = create(options_);
  ASSERT_TRUE(file) << file.message();
  oriel_method* foreign = method(kThings);
  const auto call_foreign = [=](auto leave) {
    callback_method_enter(nullptr, foreign, nullptr);
    leave(nullptr, foreign, nullptr);
  };
  std::thread([=] {
    call_foreign(callback_method_leave);  // makes no tree
  }).join();
  ASSERT_TRUE((*file)->dump(false));
  const size_t trees = read().graphs.size();
  std::thread([=] {
    callback_method_enter(nullptr, method(17), nullptr);
    call_foreign(callback_method_leave);
    callback_method_enter(nullptr, foreign, nullptr);
    callback_method_enter(nullptr, method(18), nullptr);
    callback_gc_allocation(nullptr, klass(18), 24, nullptr, foreign);
    callback_method_leave(nullptr, method(18), nullptr);
    callback_method_tail_call(nullptr, foreign, nullptr);
    call_foreign(callback_method_exception_leave);
    callback_method_leave(nullptr, method(17), nullptr);
  }).join();
  ASSERT_TRUE((*file)->dump(true));
  const Contents contents = read();
  EXPECT_EQ(contents.graphs.size(), trees + 1);
  EXPECT_THAT(contents.nodes, Contains("17 x1"));
  EXPECT_THAT(contents.nodes, Contains("17/18 x1 {18: 1, 24}"));
  EXPECT_THAT(contents.methods, testing::Not(Contains(testing::Key(kThings))));
  for (const log::CallGraph& graph : contents.graphs) EXPECT_EQ(graph.leaves_ignored, 0u);
}

TEST_F(GraphFileTest, ThreadsAreNamedAsTheyAreCalledNow) {
  auto file = create(options_);
  ASSERT_TRUE(file);
  call(1, 2);
  ASSERT_TRUE((*file)->dump(false));
  fake::engine().threads[0].name = "renamed";
  ASSERT_TRUE((*file)->dump(false));
  EXPECT_EQ(read().threads.at(1), "renamed");
}

TEST_F(GraphFileTest, WhatCannotBeWrittenIsSaidAndTheLastDumpStays) {
  auto file = create(options_);
  ASSERT_TRUE(file);
  call(15, 16);
  ASSERT_TRUE((*file)->dump(false));
  fs::create_directory(options_.out + ".new");
  const Status status = (*file)->dump(true);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.message(), HasSubstr(options_.out));
  EXPECT_THAT(read().nodes, Contains("15/16 x1 {16: 1, 24}"));
}

TEST_F(GraphFileTest, TakesNoOtherFilesPlace) {
  std::ofstream(options_.out) << "#!/bin/sh\necho mine\n";
  const auto file = create(options_);
  ASSERT_FALSE(file);
  EXPECT_THAT(file.message(), HasSubstr(options_.out));
  std::string line;
  std::ifstream kept(options_.out);
  std::getline(kept, line);
  EXPECT_EQ(line, "#!/bin/sh");
}

// A rename would replace them by a regular file.
TEST_F(GraphFileTest, ReplacesNoPipeDeviceOrFolder) {
  std::vector<std::string> places = {options_.out + ".fifo", options_.out + ".folder"};
  ASSERT_EQ(mkfifo(places[0].c_str(), 0600), 0);
  fs::create_directory(places[1]);
  places.push_back(options_.out + ".device");  // which only root can make
  if (mknod(places[2].c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0) places.pop_back();
  fs::create_symlink(places[0], options_.out + ".link");
  places.push_back(options_.out + ".link");
  for (const std::string& place : places) {
    options_.out = place;
    const fs::file_type type = fs::symlink_status(place).type();
    const auto file = create(options_);
    ASSERT_FALSE(file) << place;
    EXPECT_THAT(file.message(), HasSubstr("'" + place + "' is"));
    EXPECT_EQ(fs::symlink_status(place).type(), type) << place;
    EXPECT_FALSE(fs::exists(place + ".new"));
  }
}

TEST_F(GraphFileTest, NorWhatCameThereLater) {
  auto file = create(options_);
  ASSERT_TRUE(file) << file.message();
  fs::remove(options_.out);
  ASSERT_EQ(mkfifo(options_.out.c_str(), 0600), 0);
  const Status status = (*file)->dump(false);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.message(), HasSubstr("'" + options_.out + "' is not a file"));
  EXPECT_TRUE(fs::is_fifo(options_.out));
}

TEST_F(GraphFileTest, NoTwoWriteOneFile) {
  auto first = create(options_);
  ASSERT_TRUE(first) << first.message();
  const auto second = create(options_);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.message(), HasSubstr("'" + options_.out + "' is being written by another process"));
  ASSERT_TRUE((*first)->dump(false));
  EXPECT_FALSE(create(options_));
  first->reset();
  const auto third = create(options_);
  EXPECT_TRUE(third) << third.message();
}

TEST_F(GraphFileTest, AFileThatWasRemovedComesAgain) {
  auto file = create(options_);
  ASSERT_TRUE(file) << file.message();
  fs::remove(options_.out);
  ASSERT_TRUE((*file)->dump(true));
  EXPECT_TRUE(read().ended);
}

TEST_F(GraphFileTest, TheProgramMayChangeItsWorkingDirectory) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  const std::string full = options_.out;
  options_.out = fs::path(full).filename().string();
  auto file = create(options_);
  fs::create_directory(folder_ / "elsewhere");
  fs::current_path(folder_ / "elsewhere");
  ASSERT_TRUE(file) << file.message();
  const Status status = (*file)->dump(true);
  EXPECT_TRUE(fs::is_empty(folder_ / "elsewhere"));
  fs::current_path(before);
  ASSERT_TRUE(status);
  options_.out = full;
  EXPECT_TRUE(read().ended);
}

}  // namespace
}  // namespace oriel::callgraph_module
