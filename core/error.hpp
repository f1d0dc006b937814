#pragma once

#include <stdexcept>
#include <string>

namespace dagscape {

/// What an error is about; Python has one exception for each.
enum class ErrorKind { data, parameter, graph, file };

/// The one error the engine throws on purpose: something the caller gave that cannot be used.
class Error : public std::runtime_error {
  public:
    Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
    ErrorKind kind() const { return kind_; }

  private:
    ErrorKind kind_;
};

}  // namespace dagscape
