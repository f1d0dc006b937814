#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <optional>
#include <utility>

#include "control.hpp"
#include "lock.hpp"

/// What a call from Python allows a computation, and whom it tells how far it is: a callable, or None.
struct Limits {
    std::optional<double> seconds;
    std::optional<std::size_t> max_bytes;
    nanobind::object progress;
};

/// A control that obeys Python: Ctrl-C stops the computation, which then returns what it has, and a
/// progress callable is told how far it is. Made, and asked, on the calling thread, which must hold
/// the interpreter lock when making it and may have released it afterwards.
class PythonControl {
  public:
    explicit PythonControl(Limits limits)
        : progress_(std::move(limits.progress)),
          control_(limits.seconds.value_or(std::numeric_limits<double>::infinity()),
                   limits.max_bytes.value_or(std::numeric_limits<std::size_t>::max()),
                   [this](double done) { return poll(done); }) {}

    dagscape::Control& control() { return control_; }
    /// What stopped the computation, once it has returned. Throws what the progress callable or the handler
    /// of another signal raised, and takes a Ctrl-C that came after the last look, which would otherwise
    /// throw the result away. Needs the interpreter lock.
    dagscape::Stop ended() {
        if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
        if (PyErr_CheckSignals() == 0) return control_.why();
        if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw nanobind::python_error();
        PyErr_Clear();
        return dagscape::Stop::interrupt;
    }

  private:
    bool poll(double done) {
        const Locked locked;
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
            // A sum of shares may come out a bit above.
            call_python(progress_, nanobind::cast(std::clamp(done, 0.0, 1.0)));
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

/// What a computation found, and what stopped it before its end, if anything did.
template <typename Found>
struct Ran {
    Found found;
    dagscape::Stop stopped;
};

/// What work gives that needs nothing of Python: it is done without the interpreter lock. For what is soon
/// done; all else should be `run`.
template <typename Work>
auto unlocked(const Work& work) {
    const Unlocked released;
    return work();
}

/// Runs `work(control)` without the interpreter lock. This is how every binding runs what may take long: a
/// limit or Ctrl-C ends it with what it has by then, and an exception of Python's, or of the engine's,
/// reaches the caller.
template <typename Work>
auto run(Limits limits, const Work& work) {
    PythonControl python(std::move(limits));
    auto found = unlocked([&] { return work(python.control()); });
    const dagscape::Stop stopped = python.ended();
    return Ran<decltype(found)>{std::move(found), stopped};
}

/// As Python knows it; nothing stopped it: an empty word.
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
