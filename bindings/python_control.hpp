#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <optional>
#include <utility>

#include "control.hpp"

/// A control that obeys Python: Ctrl-C stops the computation, which then returns what it has, and a
/// progress callable is told how far it is. Made, and asked, on the calling thread, which must hold
/// the interpreter lock when making it and may have released it afterwards.
class PythonControl {
  public:
    PythonControl(std::optional<double> seconds, std::optional<std::size_t> max_bytes,
                  nanobind::object progress)
        : progress_(std::move(progress)),
          control_(seconds.value_or(std::numeric_limits<double>::infinity()),
                   max_bytes.value_or(std::numeric_limits<std::size_t>::max()),
                   [this](double done) { return poll(done); }) {}

    dagscape::Control& control() { return control_; }
    /// Takes a Ctrl-C that came after the last look, which would otherwise throw the result away. Needs the
    /// lock.
    bool interrupted_late() {
        if (PyErr_CheckSignals() == 0) return false;
        if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw nanobind::python_error();
        PyErr_Clear();
        return true;
    }
    /// Throws what the progress callable raised, if it did. Needs the interpreter lock.
    void rethrow() {
        if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
    }

  private:
    bool poll(double done) {
        const nanobind::gil_scoped_acquire locked;
        if (PyErr_CheckSignals() != 0) {
            if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) {
                PyErr_Clear();
            } else {  // what another signal's handler raised is the caller's
                raised_ = std::make_exception_ptr(nanobind::python_error());
            }
            return true;
        }
        if (progress_.is_none()) return false;
        try {
            progress_(std::clamp(done, 0.0, 1.0));  // a sum of shares may come out a bit above
        } catch (const nanobind::python_error& error) {
            // A Ctrl-C may well come while the callable runs: it means the same there.
            if (!error.matches(PyExc_KeyboardInterrupt)) raised_ = std::current_exception();
            return true;
        }
        return false;
    }

    nanobind::object progress_;
    std::exception_ptr raised_;
    dagscape::Control control_;
};

inline const char* stop_name(dagscape::Stop stop) {
    switch (stop) {
        case dagscape::Stop::none:
            break;
        case dagscape::Stop::time:
            return "time";
        case dagscape::Stop::memory:
            return "memory";
        case dagscape::Stop::interrupt:
            return "interrupt";
    }
    return "";
}
