#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "control.hpp"

namespace dagscape {

/// Runs `work(task, worker)` for every task, each once, on several threads; the calling thread is
/// worker 0. Tasks are begun in order. Once `control` is stopped, those not begun are left out; the
/// first exception ends the rest likewise and is thrown again here.
template <typename Work>
void parallel_for(std::size_t tasks, std::size_t threads, Control& control, const Work& work) {
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> failed = false;
    std::atomic<std::size_t> running = 0;
    std::exception_ptr failure;
    std::mutex failing;
    const auto run = [&](std::size_t worker) {
        try {
            for (std::size_t task; !failed && !control.stopped() && (task = next.fetch_add(1)) < tasks;)
                work(task, worker);
        } catch (...) {
            const std::lock_guard lock(failing);
            if (!failure) failure = std::current_exception();
            failed = true;
        }
    };
    std::vector<std::jthread> workers;
    for (std::size_t worker = 1; worker < threads && worker < tasks; ++worker) {
        ++running;
        workers.emplace_back([&, worker] {
            run(worker);
            --running;
        });
    }
    run(0);
    // Only this thread sees Ctrl-C and tells progress, so it goes on looking while others work.
    while (running > 0) {
        control.stopped();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    workers.clear();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace dagscape
