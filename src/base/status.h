// Errors as values: a message that a user can act on, or none.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace oriel {

// Ok, or a message. The message is one line: what is wrong, then what to do.
class [[nodiscard]] Status {
 public:
  static Status ok() { return Status(); }
  static Status error(std::string message) {
    Status status;
    status.message_ = std::move(message);
    return status;
  }

  bool is_ok() const { return !message_; }
  explicit operator bool() const { return is_ok(); }
  // Only for an error.
  const std::string& message() const { return *message_; }

 private:
  std::optional<std::string> message_;
};

// A value, or the message why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}       // NOLINT: a value is a result
  Result(Status error) : state_(std::move(error)) {}  // NOLINT: an error is a result

  bool is_ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return is_ok(); }
  T& operator*() { return std::get<T>(state_); }
  const T& operator*() const { return std::get<T>(state_); }
  T* operator->() { return &std::get<T>(state_); }
  const T* operator->() const { return &std::get<T>(state_); }
  const Status& status() const { return std::get<Status>(state_); }
  const std::string& message() const { return status().message(); }

 private:
  std::variant<T, Status> state_;
};

}  // namespace oriel
