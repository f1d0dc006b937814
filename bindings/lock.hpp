#pragma once

#include <nanobind/nanobind.h>

#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

#include <chrono>
#include <thread>

/// Whether this thread is the one that ends Python: it had the lock when Python had begun to end.
inline thread_local bool ends_python = false;

[[noreturn]] inline void sleep_to_the_end() {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

/// Calls what waits for the interpreter lock, and no more. Once the interpreter ends, Python before 3.14 ends
/// a thread that waits by unwinding its frames, and the first that lets nothing through ends the process with
/// a fault; a bit later there is no interpreter any more that the lock could be of, which is another. Here
/// such a thread sleeps until the process is gone, as it does in later Python.
template <typename Call>
auto asking_for_lock(const Call& call) {
    if (!ends_python && !Py_IsInitialized()) sleep_to_the_end();
#ifdef __GLIBCXX__
    try {
        return call();
    } catch (const abi::__forced_unwind&) {
        sleep_to_the_end();
    }
#else  // threads end without unwinding
    return call();
#endif
}

/// While there is one, its thread goes without the interpreter lock.
class Unlocked {
  public:
    Unlocked() {
        ends_python = !Py_IsInitialized();
        state_ = PyEval_SaveThread();
    }
    ~Unlocked() {
        asking_for_lock([this] { PyEval_RestoreThread(state_); });
    }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

  private:
    PyThreadState* state_;
};

/// While there is one, its thread has the lock again.
class Locked {
  public:
    Locked() : state_(asking_for_lock([] { return PyGILState_Ensure(); })) {}
    ~Locked() { PyGILState_Release(state_); }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

  private:
    PyGILState_STATE state_;
};

/// Calls a function of Python's from within the engine's work; an error of its own is thrown.
inline void call_python(const nanobind::object& function, const nanobind::object& told) {
    PyObject* answer =
        asking_for_lock([&] { return PyObject_CallFunctionObjArgs(function.ptr(), told.ptr(), nullptr); });
    if (!answer) throw nanobind::python_error();
    Py_DECREF(answer);
}
