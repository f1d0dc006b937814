#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "parents/parent_lists.hpp"

namespace dagscape {

/// Networks given by the places of their parent sets, one after another, as codes of graphs.
std::vector<std::string> network_codes(const ParentLists& lists, std::span<const std::uint32_t> places);

/// The essential graph of each network of these codes, with kinds of variables if any are given. Throws where
/// one is no network.
std::vector<std::string> class_codes(std::size_t variables, const std::vector<std::string>& networks,
                                     std::span<const std::uint32_t> kinds = {});

/// Every network that can be built from the lists, with the log of its weight: for a handful of variables,
/// of which five have 29,281.
struct ListedNetworks {
    static constexpr std::size_t most_variables = 5;

    std::vector<std::string> codes;
    std::vector<double> log_weights;
};
ListedNetworks list_networks(const ParentLists& lists);

}  // namespace dagscape
