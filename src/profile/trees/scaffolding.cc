#include "profile/trees/scaffolding.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "profile/functions.h"
#include "profile/moved_nodes.h"
#include "profile/trees/sample_tree.h"
#include "profile/work/purpose.h"

namespace oriel::profile {
namespace {

// Managed methods, by prefixes of their names. What waits, queues or creates threads is not listed: that is requested
// work.
constexpr std::string_view kManaged[] = {
    // Threads.
    "System.Threading.Thread.StartCallback(",
    "System.Threading.Thread.StartHelper.",
    "System.Threading.ThreadHelper.",
    "System.Threading.PortableThreadPool.WorkerThread.WorkerThreadStart(",
    "System.Threading.PortableThreadPool.WorkerThread.WorkerDoWork(",
    "System.Threading.ThreadPoolWorkQueue.Dispatch(",
    "System.Threading.ThreadPoolWorkQueue.DispatchWorkItem",
    "System.Threading.QueueUserWorkItemCallback",
    // Contexts.
    "System.Threading.ExecutionContext.Run(",
    "System.Threading.ExecutionContext.RunInternal(",
    "System.Threading.ExecutionContext.RunFromThreadPoolDispatchLoop(",
    "System.Threading.ExecutionContext.RunForThreadPoolUnsafe",
    // Tasks.
    "System.Threading.Tasks.Task.Execute",
    "System.Threading.Tasks.Task.InnerInvoke(",
    "System.Threading.Tasks.Task.InternalRunSynchronously(",
    "System.Threading.Tasks.Task.RunContinuations(",
    "System.Threading.Tasks.Task.FinishContinuations(",
    "System.Threading.Tasks.Task.FinishSlow(",
    "System.Threading.Tasks.Task.FinishStageTwo(",
    "System.Threading.Tasks.Task.FinishStageThree(",
    "System.Threading.Tasks.AwaitTaskContinuation.",
    "System.Threading.Tasks.ContinuationTaskFrom",
    "System.Threading.Tasks.TaskScheduler.TryRunInline(",
    "System.Threading.Tasks.ThreadPoolTaskScheduler.TryExecuteTaskInline(",
    "System.Threading.Tasks.TaskReplicator.Replica.",
    // Async methods.
    "System.Runtime.CompilerServices.AsyncMethodBuilderCore.Start<",
    "System.Runtime.CompilerServices.AsyncTaskMethodBuilder",
    "System.Runtime.CompilerServices.AsyncValueTaskMethodBuilder",
    "System.Runtime.CompilerServices.AsyncVoidMethodBuilder",
    "System.Runtime.CompilerServices.AsyncIteratorMethodBuilder",
    "System.Runtime.CompilerServices.PoolingAsyncValueTaskMethodBuilder",
    // A request's path from its connection to its handler.
    "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Infrastructure.KestrelConnection<T>.ExecuteAsync(",
    "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.HttpConnection.ProcessRequestsAsync<",
    "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.HttpProtocol.ProcessRequests",
    "Microsoft.AspNetCore.Hosting.HostingApplication.ProcessRequestAsync(",
    // A service's path from the request for it to its constructor.
    "Microsoft.Extensions.DependencyInjection.ServiceProviderServiceExtensions.Get",
    "Microsoft.Extensions.DependencyInjection.ServiceProvider.GetService(",
    "Microsoft.Extensions.DependencyInjection.ServiceLookup.CallSiteRuntimeResolver.",
    "Microsoft.Extensions.DependencyInjection.ServiceLookup.CallSiteVisitor<",
    "Microsoft.Extensions.DependencyInjection.ServiceLookup.ServiceProviderEngineScope.GetService(",
    "Microsoft.Extensions.DependencyInjection.ServiceLookup.DynamicServiceProviderEngine.RealizeService.lambda#",
    "[dynamic] ResolveService(ILEmitResolverBuilder",
    // A query's path from its last operator to what compiles and runs it.
    "Microsoft.EntityFrameworkCore.EntityFrameworkQueryableExtensions.ExecuteAsync<",
    "Microsoft.EntityFrameworkCore.Query.Internal.EntityQueryProvider.Execute",
    "Microsoft.EntityFrameworkCore.Query.Internal.QueryCompiler.Execute",
    "Microsoft.EntityFrameworkCore.Storage.ExecutionStrategy.Execute",
    "Microsoft.EntityFrameworkCore.Storage.ExecutionStrategyExtensions.",
    "Microsoft.EntityFrameworkCore.Storage.NonRetryingExecutionStrategy.Execute",
    "Microsoft.EntityFrameworkCore.Infrastructure.AccessorExtensions.GetService<",
    "Microsoft.EntityFrameworkCore.Infrastructure.Internal.InfrastructureExtensions.GetService",
    "Microsoft.EntityFrameworkCore.DbContext.get_InternalServiceProvider(",
    "Microsoft.EntityFrameworkCore.DbContext.get_ContextServices(",
    "Microsoft.EntityFrameworkCore.DbContext.get_DbContextDependencies(",
};

// For names with type arguments, own names or numbers between two fixed parts.
struct BeginsAndHas {
  std::string_view begins;
  std::string_view has;
};
constexpr BeginsAndHas kManagedByPart[] = {
    {"System.Threading.Tasks.Task<", ">.InnerInvoke("},
    {"System.Threading.Tasks.Task<", ">.TrySetResult("},
    {"Microsoft.AspNetCore.", "Middleware.Invoke("},
    {"Microsoft.AspNetCore.", ".System.Threading.IThreadPoolWorkItem.Execute("},
    {"Microsoft.AspNetCore.Http.RequestDelegateFactory.", ".lambda#"},
    {"[dynamic] lambda_method", "HttpContext"},
    // What Mono puts between a caller and the method that it calls. A call of a function stays, as its name may be all
    // that is known of what runs there.
    {"", ".[runtime-invoke] "},
    {"", ".[delegate-invoke] "},
    {"", ".[delegate-begin-invoke] "},
    {"", ".[delegate-end-invoke] "},
    {"", ".[native-to-managed] "},
    {"", ".[managed-to-managed] "},
    {"", ".[unbox] "},
};

// Functions of the C library, by whole name.
constexpr std::string_view kThreadStarts[] = {
    "_start",
    "__libc_start_main",
    "__libc_start_main_impl",
    "__libc_start_call_main",
    "clone",
    "clone3",
    "__GI___clone3",
    "start_thread",
    "__clone",
    "__clone3",
};

bool is_managed_scaffolding(const Function& function) {
  const auto matches = [&](const BeginsAndHas& row) {
    return function.name.starts_with(row.begins) && function.name.find(row.has) != std::string::npos;
  };
  if (is_made_for_async_main(function) || std::ranges::any_of(kManagedByPart, matches)) return true;
  return std::ranges::any_of(kManaged, [&](std::string_view begins) { return function.name.starts_with(begins); });
}

// The path from the host or a new thread into managed code. Runtime code with a purpose of its own is not scaffolding.
bool is_native_scaffolding(const Function& function, const Profile& profile) {
  if (std::ranges::find(kThreadStarts, function.name) != std::end(kThreadStarts)) return true;
  const Category category = purpose_of(function, profile).category;
  return category == Category::kRuntime || category == Category::kStart || category == Category::kStubs;
}

// Builds the nodes of a profile without its scaffolding.
class Folder {
 public:
  Folder(const std::vector<Node>& nodes, std::vector<bool> folded) : nodes_(nodes), folded_(std::move(folded)) {
    result_.push_back(nodes[0]);
    stands_for_.resize(nodes.size());
    leaf_.resize(nodes.size());
    cut_.resize(nodes.size());
    for (uint32_t i = 1; i < nodes.size(); ++i) {
      if (folded_[i]) {
        stands_for_[i] = stands_for_[nodes[i].parent];
        cut_[i] = nodes[i].truncated || cut_[nodes[i].parent];
      } else {
        stands_for_[i] = add(i);
      }
    }
  }

  // The new node for a node's own samples.
  uint32_t of_samples(uint32_t node) {
    if (!folded_[node]) return stands_for_[node];
    if (leaf_[node] == 0) leaf_[node] = add(node);
    return leaf_[node];
  }

  std::vector<Node> take() { return std::move(result_); }

 private:
  // A truncated stack stays truncated if all its known callers were folded.
  uint32_t add(uint32_t node) {
    Node made = nodes_[node];
    made.truncated = made.truncated || (stands_for_[made.parent] == 0 && cut_[made.parent]);
    made.parent = stands_for_[made.parent];
    result_.push_back(made);
    return static_cast<uint32_t>(result_.size() - 1);
  }

  const std::vector<Node>& nodes_;
  std::vector<bool> folded_;
  std::vector<Node> result_;
  std::vector<uint32_t> stands_for_;  // by node: the new node that calls its callees
  std::vector<uint32_t> leaf_;        // by folded node: the one for its own samples; 0 if there are none
  std::vector<bool> cut_;             // by folded node: whether callers above it are unknown
};

}  // namespace

std::vector<bool> scaffolding(const Profile& profile, const std::vector<bool>& selected) {
  enum : uint8_t { kNone, kNative, kManagedOne };
  std::vector<uint8_t> kinds(profile.functions.size());
  for (size_t i = 1; i < kinds.size(); ++i) {
    const Function& function = profile.functions[i];
    if (function.type || (i < selected.size() && selected[i])) continue;
    if (function.managed ? is_managed_scaffolding(function) : is_native_scaffolding(function, profile))
      kinds[i] = function.managed ? kManagedOne : kNative;
  }
  std::vector<bool> result(profile.nodes.size());
  std::vector<bool> at_start(profile.nodes.size());  // only native scaffolding from the start to here
  if (!at_start.empty()) at_start[0] = true;
  for (size_t i = 1; i < result.size(); ++i) {
    const Node& node = profile.nodes[i];
    at_start[i] = kinds[node.function] == kNative && at_start[node.parent];
    result[i] = kinds[node.function] == kManagedOne || at_start[i];
  }
  std::vector<bool> calls(profile.nodes.size());
  for (const Node& node : profile.nodes) calls[node.parent] = true;
  for (size_t i = 1; i < result.size(); ++i) result[i] = result[i] && calls[i];
  return result;
}

std::vector<bool> scaffolding_functions(const Profile& profile) {
  const std::vector<bool> folded = scaffolding(profile);
  const SampleTree tree = weigh(profile);
  std::vector<uint64_t> all(profile.functions.size()), of_it(profile.functions.size());
  for (size_t i = 1; i < folded.size(); ++i) {
    all[profile.nodes[i].function] += tree.total[i];
    if (folded[i]) of_it[profile.nodes[i].function] += tree.total[i];
  }
  std::vector<bool> result(profile.functions.size());
  for (size_t i = 1; i < result.size(); ++i) result[i] = of_it[i] > 0 && of_it[i] * 2 >= all[i];
  return result;
}

void fold_scaffolding(Profile& profile, const std::vector<bool>& selected) {
  std::vector<bool> folded = scaffolding(profile, selected);
  profile.folded_nodes = static_cast<uint64_t>(std::ranges::count(folded, true));
  if (profile.folded_nodes == 0) return;
  const std::vector<Node> nodes = std::move(profile.nodes);
  Folder folder(nodes, std::move(folded));
  const bool counted = !profile.node_counts.empty();
  move_nodes(profile, [&](uint32_t node) { return folder.of_samples(node); });
  profile.nodes = folder.take();
  if (counted) profile.node_counts.resize(profile.nodes.size());
}

}  // namespace oriel::profile
