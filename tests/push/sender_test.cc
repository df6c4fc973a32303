// Deliveries to a server of the test's, in a time of the test's.
#include "push/sender.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <filesystem>

namespace oriel::push {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SenderTest : public ::testing::Test {
 protected:
  SenderTest() {
    std::string pattern = (fs::temp_directory_path() / "oriel-sender-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~SenderTest() override { fs::remove_all(folder_); }

  static Answer answer(int status, const std::string& retry_after = "") {
    Answer made;
    made.status = status;
    made.retry_after = retry_after;
    return made;
  }
  static Answer away() {
    Answer made;
    made.failure = Answer::Failure::kConnection;
    return made;
  }
  static Parcel parcel(const std::string& body) { return {"http://host/ingest", "", "t", "", body}; }

  Sender sender(bool with_spool = true) {
    SenderHooks hooks;
    hooks.post = [this](const Parcel& sent) {
      sent_.push_back(sent.body);
      if (answers_.empty()) return answer(200);
      const Answer next = answers_.front();
      answers_.pop_front();
      return next;
    };
    hooks.wait = [this](milliseconds time) {
      waits_.push_back(time);
      now_ += time;
      return !interrupted_;
    };
    hooks.now = [this] { return now_; };
    hooks.random = [] { return 0.0; };
    hooks.tell = [this](const std::string& message) { told_.push_back(message); };
    std::optional<Spool> spool;
    if (with_spool) spool = std::move(*Spool::open(folder_, 1'000'000));
    return {*parse_server("http://host", ""), seconds(30), std::move(spool), std::move(hooks)};
  }

  std::string folder_;
  std::deque<Answer> answers_;  // then 200
  std::vector<std::string> sent_, told_;
  std::vector<milliseconds> waits_;
  std::chrono::steady_clock::time_point now_{seconds(1000)};
  bool interrupted_ = false;
};

TEST_F(SenderTest, WhatIsTakenIsSentOnce) {
  Sender to = sender();
  to.send(parcel("a"), seconds(30));
  EXPECT_THAT(sent_, ElementsAre("a"));
  EXPECT_THAT(told_, IsEmpty());
  EXPECT_EQ(to.counts().delivered, 1u);
}

TEST_F(SenderTest, TriesAgainWithGrowingPauses) {
  answers_ = {answer(503), away(), answer(500)};
  Sender to = sender();
  to.send(parcel("a"), seconds(30));
  EXPECT_EQ(sent_.size(), 4u);
  EXPECT_THAT(waits_, ElementsAre(milliseconds(500), milliseconds(1000), milliseconds(2000)));
  EXPECT_EQ(to.counts().delivered, 1u);
  EXPECT_THAT(told_, IsEmpty()) << "nobody needs to know";
}

TEST_F(SenderTest, KeepsInTheSpoolWhatTakesTooLongAndDeliversItFirst) {
  answers_.assign(3, away());
  Sender to = sender();
  to.send(parcel("a"), seconds(2));  // pauses of 0.5, 1 and 2 s
  EXPECT_EQ(sent_.size(), 3u);
  EXPECT_EQ(to.counts().kept, 1u);
  EXPECT_THAT(told_, ElementsAre(HasSubstr("nobody listens")));
  sent_.clear();
  Sender next = sender();
  next.send(parcel("b"), seconds(2));
  EXPECT_THAT(sent_, ElementsAre("a", "b"));
  EXPECT_EQ(next.counts().delivered, 2u);
}

TEST_F(SenderTest, AnOutageIsToldOnceAndWaitedForOnce) {
  answers_.assign(3, away());
  Sender to = sender();
  for (const char* body : {"a", "b", "c"}) to.send(parcel(body), seconds(0));
  EXPECT_THAT(sent_, ElementsAre("a", "a", "a")) << "the oldest shows that the server is still away";
  EXPECT_EQ(told_.size(), 1u);
  EXPECT_EQ(to.counts().kept, 3u);
  to.send(parcel("d"), seconds(0));
  EXPECT_THAT(told_, ElementsAre(HasSubstr("nobody listens"), HasSubstr("takes profiles again")));
  EXPECT_EQ(to.counts().kept, 0u);
  EXPECT_EQ(to.counts().delivered, 4u);
}

TEST_F(SenderTest, WaitsAsLongAsTheServerAsks) {
  answers_ = {answer(429, "7")};
  Sender to = sender();
  to.send(parcel("a"), seconds(30));
  milliseconds waited{0};
  for (const milliseconds time : waits_) waited += time;
  EXPECT_EQ(waited, seconds(7));
  EXPECT_EQ(to.counts().delivered, 1u);
}

TEST_F(SenderTest, LeavesTheServerAloneThatAsksForMoreThanThereIs) {
  answers_ = {answer(503, "60")};
  Sender to = sender();
  to.send(parcel("a"), seconds(15));
  to.send(parcel("b"), seconds(15));
  EXPECT_THAT(sent_, ElementsAre("a"));
  EXPECT_THAT(waits_, IsEmpty());
  EXPECT_EQ(to.counts().kept, 2u);
  now_ += seconds(61);
  to.send(parcel("c"), seconds(15));
  EXPECT_THAT(sent_, ElementsAre("a", "a", "b", "c"));
}

TEST_F(SenderTest, WhatIsRefusedIsNeitherTriedAgainNorKept) {
  answers_ = {answer(400), answer(413)};
  Sender to = sender();
  to.send(parcel("a"), seconds(30));
  to.send(parcel("b"), seconds(30));
  EXPECT_THAT(sent_, ElementsAre("a", "b"));
  EXPECT_EQ(to.counts().lost, 2u);
  EXPECT_TRUE(fs::is_empty(folder_));
  EXPECT_EQ(told_.size(), 2u);
}

TEST_F(SenderTest, WhatFailsForItsCredentialsIsKeptButNotTriedAgain) {
  answers_ = {answer(401)};
  Sender to = sender();
  to.send(parcel("a"), seconds(30));
  EXPECT_THAT(sent_, ElementsAre("a"));
  EXPECT_EQ(to.counts().kept, 1u);
}

TEST_F(SenderTest, WhatTheSpoolHasAndTheServerRefusesGoes) {
  answers_ = {away()};
  Sender to = sender();
  to.send(parcel("a"), seconds(0));
  answers_ = {answer(400)};
  to.send(parcel("b"), seconds(0));
  EXPECT_THAT(sent_, ElementsAre("a", "a", "b"));
  EXPECT_EQ(to.counts().delivered, 1u);
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(SenderTest, WithoutASpoolItIsLost) {
  answers_ = {away()};
  Sender to = sender(false);
  to.send(parcel("a"), seconds(0));
  EXPECT_EQ(to.counts().lost, 1u);
}

TEST_F(SenderTest, AnInterruptEndsTheTrying) {
  answers_.assign(9, away());
  interrupted_ = true;
  Sender to = sender();
  to.send(parcel("a"), seconds(30));
  EXPECT_EQ(sent_.size(), 1u);
  EXPECT_EQ(to.counts().kept, 1u);
}

}  // namespace
}  // namespace oriel::push
