#include "counts/bare_counting.hpp"

#include <cstdint>
#include <vector>

#include "control.hpp"
#include "counts/bit_kernels.hpp"
#include "counts/items.hpp"

namespace dagscape {

double bare_and_counts(const Table& table, double seconds, Instructions instructions) {
    const ItemOrder order(table);
    const ItemBitmaps items(table, order);
    const BitKernels& kernels = bit_kernels(instructions);
    std::vector<std::uint32_t> counts(order.items());
    Control control(seconds);
    double pairs = 0;
    while (order.items() > 0 && !control.stopped())
        for (std::size_t item = 0; item < order.items(); ++item) {
            kernels.and_counts(items.bitmaps.data() + item * items.words, items.bitmaps.data(), item,
                               items.words, counts.data());
            pairs += static_cast<double>(item);
        }
    return pairs / control.seconds();
}

}  // namespace dagscape
