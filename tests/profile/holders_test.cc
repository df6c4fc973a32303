// Growing collections and events, from the stacks that allocated their storage.
#include "profile/memory/holders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace oriel::profile {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kWords[] = {"collection", "event", "token", "timer", "delay", "weak map", "context"};

class KeepersTest : public ::testing::Test {
 protected:
  KeepersTest() {
    profile_.functions.resize(1);
    profile_.nodes.resize(1);
    profile_.threads.resize(1);
    profile_.origins.push_back({log::Origin::kProject, "Shop"});
  }

  uint32_t function(const std::string& name, bool own) {
    Function made;
    made.name = name;
    made.managed = true;
    made.origin = own ? 1 : 0;
    made.module = own ? "Shop.dll" : "System.Private.CoreLib.dll";
    profile_.functions.push_back(made);
    return static_cast<uint32_t>(profile_.functions.size() - 1);
  }
  // The leaf of a stack, outermost frame first; frames of Shop are own code.
  uint32_t stack(std::initializer_list<const char*> frames) {
    uint32_t node = 0;
    for (const char* const frame : frames) {
      profile_.nodes.push_back({node, function(frame, std::string_view(frame).starts_with("Shop.")), false});
      node = static_cast<uint32_t>(profile_.nodes.size() - 1);
    }
    return node;
  }
  // Adds a callee to the leaf's caller, in another stack.
  void add_below(uint32_t leaf, const char* frame) {
    profile_.nodes.push_back({profile_.nodes[leaf].parent, function(frame, true), false});
  }
  void follow(const char* type, uint32_t node, uint64_t bytes = 100'000, uint32_t full = 1) {
    FollowedObject object;
    object.full = full;
    object.type = function(type, false);
    object.node = node;
    object.bytes = bytes;
    profile_.followed.push_back(object);
  }
  std::vector<std::string> found() const {
    std::vector<std::string> lines;
    for (const ObjectHolder& keeper : object_holders(profile_))
      lines.push_back(std::string(kWords[static_cast<size_t>(keeper.kind)]) + " " + keeper.name + " by " +
                      profile_.functions[profile_.nodes[keeper.own].function].name + " " +
                      std::to_string(keeper.bytes));
    return lines;
  }

  Profile profile_;
};

TEST_F(KeepersTest, OfACollectionIsItsStorage) {
  const uint32_t added =
      stack({"Shop.Carts.Open(string)", "System.Collections.Generic.Dictionary<TKey, TValue>.Add(TKey, TValue)",
             "System.Collections.Generic.Dictionary<TKey, TValue>.Resize(int, bool)"});
  follow("System.Collections.Generic.Dictionary<string, Shop.Cart>.Entry[]", added, 300'000);
  follow("int[]", stack({"Shop.Log.Write(int)", "System.Collections.Generic.List<T>.AddWithResize(T)"}));
  follow("System.Collections.Concurrent.ConcurrentDictionary<int, string>.Node",
         stack({"Shop.Names.Of(int)",
                "System.Collections.Concurrent.ConcurrentDictionary<TKey, TValue>.TryAddInternal()"}),
         200'000);
  EXPECT_THAT(
      found(),
      ElementsAre(
          "collection System.Collections.Generic.Dictionary<string, Shop.Cart> by Shop.Carts.Open(string) 300000",
          "collection System.Collections.Concurrent.ConcurrentDictionary<int, string> by Shop.Names.Of(int) 200000",
          "collection System.Collections.Generic.List<int> by Shop.Log.Write(int) 100000"));
}

TEST_F(KeepersTest, OfAnEventIsItsListOfHandlers) {
  follow("object[]",
         stack({"Shop.Main()", "Shop.Screen..ctor(int)", "Shop.Market.add_Changed(EventHandler)",
                "System.Delegate.Combine(Delegate, Delegate)", "System.MulticastDelegate.CombineImpl(Delegate)"}));
  follow("object[]",
         stack({"Shop.Clock..ctor()", "System.Timers.Timer.add_Elapsed(ElapsedEventHandler)",
                "System.MulticastDelegate.CombineImpl(Delegate)"}),
         50'000);
  EXPECT_THAT(found(), ElementsAre("event Shop.Market.Changed by Shop.Screen..ctor(int) 100000",
                                   "event System.Timers.Timer.Elapsed by Shop.Clock..ctor() 50000"));
}

TEST_F(KeepersTest, IsNotWhatOwnCodeMakesOrOnlyReads) {
  follow("Shop.Cart", stack({"Shop.Carts.Open(string)"}));
  follow("int[]", stack({"Shop.Carts.All()", "System.Collections.Generic.List<T>.ToArray()"}));
  follow("int[]", stack({"Shop.Carts.All()", "System.Collections.Generic.List<T>..ctor(int)"}));
  follow("object[]", stack({"Shop.Market.add_Changed(EventHandler)"}));
  follow("string", stack({"Shop.Market.add_Item(string)", "string.Concat(string, string)"}));
  follow("byte[]", stack({"System.Collections.Generic.List<T>.Add(T)"}));
  follow("byte[]", 0);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(KeepersTest, IsKnownByItsStorageWhereMethodsWereInlined) {
  follow("System.Collections.Generic.HashSet<Shop.Key>.Entry[]", stack({"Shop.Keys.Serve()"}));
  EXPECT_THAT(found(),
              ElementsAre("collection System.Collections.Generic.HashSet<Shop.Key> by Shop.Keys.Serve() 100000"));
}

TEST_F(KeepersTest, OfAnEventHasItsNameWhereThereIsOneEvent) {
  const uint32_t inlined = stack({"Shop.Serve()", "System.MulticastDelegate.CombineImpl(Delegate)"});
  follow("object[]", inlined);
  EXPECT_THAT(found(), ElementsAre("event  by Shop.Serve() 100000"));
  stack({"Shop.Screen..ctor(int)", "Shop.Market.add_Moved(EventHandler)"});
  EXPECT_THAT(found(), ElementsAre("event  by Shop.Serve() 100000"));
  add_below(inlined, "Shop.Market.add_Changed(EventHandler)");
  EXPECT_THAT(found(), ElementsAre("event Shop.Market.Changed by Shop.Serve() 100000"));
  add_below(inlined, "Shop.Market.add_Closed(EventHandler)");
  EXPECT_THAT(found(), ElementsAre("event  by Shop.Serve() 100000")) << "which is not known";
}

TEST_F(KeepersTest, OfAnEventAreItsHandlersWhoseMethodAddsSuchToIt) {
  const uint32_t made = stack({"Shop.Main()", "Shop.Screen..ctor(int)"});
  follow("System.EventHandler<int>", made);
  EXPECT_THAT(found(), IsEmpty());
  profile_.nodes.push_back({made, function("Shop.Market.add_Changed(EventHandler<int>)", true), false});
  follow("byte[]", made);
  EXPECT_THAT(found(), ElementsAre("event Shop.Market.Changed by Shop.Screen..ctor(int) 100000"));
}

TEST_F(KeepersTest, AreRegistrationsByTheirObjects) {
  constexpr const char* kTimer = "System.Threading.TimerQueueTimer";
  follow("System.Threading.CancellationTokenSource.CallbackNode",
         stack({"Shop.Server.Register(Request)", "System.Threading.CancellationToken.Register(Action)",
                "System.Threading.CancellationTokenSource.Register(Delegate, object)"}),
         700'000);
  follow(kTimer, stack({"Shop.Sessions.Open()", "System.Threading.Timer..ctor(TimerCallback, object, int, int)"}),
         600'000);
  follow(kTimer, stack({"Shop.Calls.Begin()", "System.Threading.CancellationTokenSource.CancelAfter(TimeSpan)"}),
         500'000);
  follow(kTimer,
         stack({"Shop.Mail.Retry()", "System.Threading.Tasks.Task.Delay(TimeSpan)",
                "System.Threading.Tasks.Task.DelayPromise..ctor(uint, TimeProvider)"}),
         400'000);
  follow("System.Runtime.CompilerServices.ConditionalWeakTable<object, Shop.Note>.Entry[]",
         stack({"Shop.Notes.Of(object)", "System.Runtime.CompilerServices.ConditionalWeakTable<TKey, TValue>.Add()"}),
         300'000);
  follow("System.Collections.Generic.Dictionary<System.Threading.IAsyncLocal, object>.Entry[]",
         stack({"Shop.Flow.Set()", "System.Threading.ExecutionContext.SetLocalValue(IAsyncLocal, object, bool)",
                "System.Collections.Generic.Dictionary<TKey, TValue>.Initialize(int)"}),
         200'000);
  follow(kTimer, stack({"Shop.Clock.Wind()"}));
  EXPECT_THAT(found(), ElementsAre("token  by Shop.Server.Register(Request) 700000",
                                   "timer  by Shop.Sessions.Open() 600000", "timer  by Shop.Calls.Begin() 500000",
                                   "delay  by Shop.Mail.Retry() 400000", "weak map  by Shop.Notes.Of(object) 300000",
                                   "context  by Shop.Flow.Set() 200000", "timer  by Shop.Clock.Wind() 100000"));
}

TEST_F(KeepersTest, IsNotWhatALibraryRegisters) {
  follow("System.Threading.CancellationTokenSource.CallbackNode",
         stack({"Shop.Server.Read(Stream)", "System.Net.Sockets.NetworkStream.ReadAsync(Memory<byte>)",
                "System.Threading.CancellationToken.UnsafeRegister(Action, object)"}));
  follow("System.Threading.TimerQueueTimer",
         stack({"Shop.Server.Wait(Task)", "System.Threading.Tasks.Task.WaitAsync(TimeSpan)"}));
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(KeepersTest, IsWeightyByItsSamplesOrItsSize) {
  const uint32_t adds = stack({"Shop.Log.Write(int)", "System.Collections.Generic.List<T>.AddWithResize(T)"});
  const auto follow_small = [&] {
    follow("int[]", adds);
    profile_.followed.back().objects = 1'000;
  };
  follow("byte[]", stack({"Shop.Log.Write(int)"}), 10'000'000);
  follow_small();
  EXPECT_THAT(significant_holders(profile_), IsEmpty()) << "one may be in use by chance";
  follow_small();
  follow_small();
  EXPECT_EQ(significant_holders(profile_).size(), 1u);
  profile_.followed.resize(1);
  profile_.followed[0].bytes *= 10;
  follow_small();
  profile_.followed.back().objects = 1;
  EXPECT_EQ(significant_holders(profile_).size(), 1u);
}

TEST_F(KeepersTest, IsNotWhatNoFullCollectionHasLeft) {
  follow("int[]", stack({"Shop.Log.Write(int)", "System.Collections.Generic.List<T>.AddWithResize(T)"}), 100'000, 0);
  EXPECT_THAT(found(), IsEmpty());
  profile_.followed.clear();
  EXPECT_THAT(found(), IsEmpty());
}

}  // namespace
}  // namespace oriel::profile
