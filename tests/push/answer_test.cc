#include "push/answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "otlp.pb.h"
#include "push/backoff.h"

namespace oriel::push {
namespace {

namespace otlp = ::oriel::testing::otlp;  // as protobuf reads it

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::Not;

const Server kPyroscope = *parse_server("http://host:4040", "");
const Server kCollector = *parse_server("http://host:4318", "");

Verdict of_status(int status, const Server& server = kPyroscope, const std::string& body = "") {
  return judge({.reason = "", .status = status, .body = body, .retry_after = "", .location = ""}, server, seconds(30));
}
Verdict of_failure(Answer::Failure failure) {
  return judge({.failure = failure, .reason = "why", .body = "", .retry_after = "", .location = ""}, kPyroscope,
               milliseconds(2500));
}

TEST(Verdict, FollowsFromTheStatus) {
  for (const int status : {200, 202, 204}) EXPECT_EQ(of_status(status).outcome, Outcome::kDelivered) << status;
  for (const int status : {408, 429, 500, 502, 503, 504})
    EXPECT_EQ(of_status(status).outcome, Outcome::kLater) << status;
  for (const int status : {301, 401, 403, 404, 405}) EXPECT_EQ(of_status(status).outcome, Outcome::kKept) << status;
  for (const int status : {400, 413, 415, 422, 501}) EXPECT_EQ(of_status(status).outcome, Outcome::kRefused) << status;
}

TEST(Verdict, OfOtlpFewStatusesMayBeTriedAgain) {
  for (const int status : {429, 502, 503, 504})
    EXPECT_EQ(of_status(status, kCollector).outcome, Outcome::kLater) << status;
  for (const int status : {400, 408, 500})
    EXPECT_EQ(of_status(status, kCollector).outcome, Outcome::kRefused) << status;
}

TEST(Verdict, EachFailureSaysWhatToDo) {
  using Failure = Answer::Failure;
  EXPECT_EQ(of_failure(Failure::kHost).message, "the host of http://host:4040/ingest is not known; check its name");
  EXPECT_THAT(of_failure(Failure::kConnection).message, HasSubstr("nobody listens at http://host:4040/ingest"));
  EXPECT_THAT(of_failure(Failure::kTimeout).message, HasSubstr("did not answer within 2.5 s; --timeout"));
  EXPECT_THAT(of_failure(Failure::kCertificate).message, HasSubstr("cannot be trusted (why); name that of its"));
  EXPECT_THAT(of_failure(Failure::kTls).message, HasSubstr("by TLS (why); is it https?"));
  EXPECT_THAT(of_failure(Failure::kOther).message, HasSubstr("cannot be reached (why)"));
  for (const Failure failure : {Failure::kHost, Failure::kConnection, Failure::kTimeout, Failure::kOther})
    EXPECT_EQ(of_failure(failure).outcome, Outcome::kLater);
  for (const Failure failure : {Failure::kCertificate, Failure::kTls, Failure::kAddress})
    EXPECT_EQ(of_failure(failure).outcome, Outcome::kKept);
  EXPECT_THAT(of_status(401).message, HasSubstr("refuses the credentials (401); give them by ORIEL_PUSH_HEADERS"));
  EXPECT_THAT(of_status(404).message, HasSubstr("the server has no http://host:4040/ingest (404)"));
  EXPECT_THAT(of_status(413).message, HasSubstr("no profile of this size (413); push less"));
}

TEST(Verdict, ShowsWhatTheServerSaysInOneCleanLine) {
  EXPECT_EQ(of_status(400, kPyroscope, "bad \x1b[31mname\r\nsecond").message,
            "http://host:4040/ingest refused the profile (400): bad  [31mname  second");
  EXPECT_THAT(of_status(400, kPyroscope, "password=hunter2").message, Not(HasSubstr("hunter2")));
  EXPECT_LT(of_status(400, kPyroscope, std::string(100'000, 'x')).message.size(), 300u);
  EXPECT_EQ(of_status(400, kCollector, std::string("\x08\x03\x12", 3)).message,
            "http://host:4318/v1development/profiles refused the profile (400)");
}

TEST(Verdict, ARedirectionIsNamedWithoutItsQuery) {
  Answer answer;
  answer.status = 302;
  answer.location = "https://login/?token=hunter2";
  const Verdict verdict = judge(answer, kPyroscope, seconds(30));
  EXPECT_THAT(verdict.message, HasSubstr("redirects to https://login/"));
  EXPECT_THAT(verdict.message, Not(HasSubstr("hunter2")));
}

TEST(Verdict, ACollectorMayTakeAPart) {
  otlp::ExportProfilesServiceResponse response;
  response.mutable_partial_success()->set_error_message("old version");
  Verdict verdict = of_status(200, kCollector, response.SerializeAsString());
  EXPECT_EQ(verdict.outcome, Outcome::kDelivered);
  EXPECT_THAT(verdict.message, HasSubstr("took the profiles and says: old version"));
  response.mutable_partial_success()->set_rejected_profiles(2);
  verdict = of_status(200, kCollector, response.SerializeAsString());
  EXPECT_EQ(verdict.outcome, Outcome::kRefused);
  EXPECT_THAT(verdict.message, HasSubstr("refused 2 of the profiles: old version"));
}

TEST(RetryAfter, IsSecondsOrADate) {
  constexpr int64_t kNow = 784'111'700;  // 77 seconds before
  EXPECT_EQ(retry_after("120", kNow), seconds(120));
  EXPECT_EQ(retry_after(" 0 ", kNow), seconds(0));
  EXPECT_EQ(retry_after("99999999999", kNow), seconds(86'400));
  EXPECT_EQ(retry_after("Sun, 06 Nov 1994 08:49:37 GMT", kNow), seconds(77));
  EXPECT_EQ(retry_after("Sun, 06 Nov 1994 08:49:37 GMT", kNow + 1000), seconds(0));
  EXPECT_EQ(retry_after("", kNow), std::nullopt);
  EXPECT_EQ(retry_after("soon", kNow), std::nullopt);
  EXPECT_EQ(retry_after("-1", kNow), std::nullopt);
}

TEST(Backoff, DoublesUpToABoundAndIsRandomByHalf) {
  const std::pair<unsigned, int> whole[] = {{0, 1000}, {1, 2000}, {2, 4000}, {4, 16'000}, {5, 30'000}, {4000, 30'000}};
  for (const auto& [attempt, most] : whole) {
    EXPECT_EQ(pause_after(attempt, 0), milliseconds(most / 2)) << attempt;
    EXPECT_EQ(pause_after(attempt, 0.5), milliseconds(most * 3 / 4)) << attempt;
    EXPECT_LE(pause_after(attempt, 0.999), milliseconds(most)) << attempt;
  }
}

}  // namespace
}  // namespace oriel::push
