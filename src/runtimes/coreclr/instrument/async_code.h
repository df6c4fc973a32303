// Finds in an async state machine's MoveNext what its probes need to know.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "il/probes/async_probes.h"
#include "runtimes/coreclr/instrument/emit_tokens.h"
#include "runtimes/coreclr/names/module_metadata.h"

namespace oriel::coreclr {

struct AsyncMethod {
  il::AsyncCode code;
  Token builder_field = 0;
  Token builder_type = 0;  // a typeRef, or a typeSpec of one
  il::TaskIdSource task_id_source = il::TaskIdSource::kTask;
  bool is_value_task = false;
  // The awaited method of each await, as people write it: "System.IO.Stream.ReadAsync"; "" if the code does not show
  // it.
  std::vector<std::string> awaited;
  // A method that it runs on other threads, by Task.Run or the like; for a lambda, the lambda's method. If the result
  // is awaited at once, `il` is the offset of that await.
  struct Handed {
    Token method = 0;
    uint32_t il = 0;
  };
  std::vector<Handed> handed;
};

// Empty if `body` is not that of an async method with a builder of the base library.
std::optional<AsyncMethod> find_async_method(const il::Body& body, const ModuleMetadata& metadata);

struct AsyncTokens {
  il::TaskOfBuilder task;                // without its local
  std::vector<uint8_t> task_type;        // Task, as in a signature
  std::vector<uint8_t> value_task_type;  // what the builder returns, if that is a ValueTask
};

// Creates the tokens that probes need to identify the method's task.
Result<AsyncTokens> make_async_tokens(const AsyncMethod& method, const ModuleMetadata& metadata, ModuleID module,
                                      EmitTokens& tokens);

}  // namespace oriel::coreclr
