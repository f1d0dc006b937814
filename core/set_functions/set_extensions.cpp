#include "set_functions/set_extensions.hpp"

#include <algorithm>
#include <cassert>

namespace dagscape {

namespace {

std::uint64_t key_of(Members set) {
    std::uint64_t key = 0x9e3779b97f4a7c15;
    for (const Var v : set) {
        key = (key ^ v) * 0xd6e8feb86659fd93;
        key ^= key >> 32;
    }
    return key;
}

}  // namespace

std::shared_ptr<const SetExtension> SetExtensionMaker::operator()(Members set) {
    assert(std::is_sorted(set.begin(), set.end()));
    const std::uint64_t key = key_of(set);
    const auto same = [&](const SetExtension& other) {
        return std::equal(set.begin(), set.end(), other.set.begin(), other.set.end());
    };
    if (auto known = shared_.memo_.find(key, same)) return known;
    auto extension = std::make_shared<SetExtension>();
    extension->set.assign(set.begin(), set.end());
    extender_->extend(*extension);
    shared_.memo_.keep(key, extension);
    return extension;
}

}  // namespace dagscape
