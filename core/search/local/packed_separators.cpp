#include "search/local/packed_separators.hpp"

#include <algorithm>

#include "bytes.hpp"

namespace dagscape {

std::string packed(const Separators& separators) {
    std::size_t numbers = 0;
    for (const auto& [v, set] : separators) numbers += 2 + set.size();
    std::string bytes(numbers * sizeof(Var), '\0');
    ByteWriter writer(bytes.data());
    for (const auto& [v, set] : separators) {
        writer.number(v);
        writer.number(static_cast<Var>(set.size()));
        writer.numbers(set.data(), set.size());
    }
    return bytes;
}

Separators unpacked_separators(std::string_view bytes, std::size_t variables) {
    ByteReader reader(bytes, "packed separators");
    Separators separators;
    while (!reader.done()) {
        const Var v = reader.number<Var>();
        std::vector<Var> set = reader.numbers<Var>(reader.number<Var>());
        std::sort(set.begin(), set.end());
        if (v >= variables || (!set.empty() && set.back() >= variables) ||
            std::adjacent_find(set.begin(), set.end()) != set.end())
            reader.refuse("must be sets of the variables");
        separators.emplace_back(v, std::move(set));
    }
    return separators;
}

}  // namespace dagscape
