#include "parents/score_files.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "error.hpp"

namespace dagscape {

namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

/// A piece of the file for a message: not too long, and no character cut in two.
std::string quoted(std::string_view text) {
    constexpr std::size_t most = 60;
    if (text.size() <= most) return '"' + std::string(text) + '"';
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return '"' + std::string(text.substr(0, end)) + "...\"";
}

[[noreturn]] void refuse(std::size_t line, const std::string& what) {
    throw Error(ErrorKind::file, "line " + std::to_string(line) + ": " + what);
}

/// The number that a whole word is; doubles must be finite.
template <typename Number>
std::optional<Number> number_of(std::string_view word) {
    Number number{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    if constexpr (std::is_floating_point_v<Number>)
        if (!std::isfinite(number)) return std::nullopt;
    return number;
}

/// Walks a text by lines that say something, and each of these by words.
class Lines {
  public:
    explicit Lines(std::string_view text) : rest_(text) {
        if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);  // a byte order mark
    }
    bool next() {
        while (!rest_.empty()) {
            const std::size_t end = std::min(rest_.find('\n'), rest_.size());
            line_ = words_ = trimmed(rest_.substr(0, end));
            rest_.remove_prefix(std::min(end + 1, rest_.size()));
            ++number_;
            if (!line_.empty() && line_.front() != '#') return true;
            if (!line_.empty()) comment(trimmed(line_.substr(1)));
        }
        return false;
    }
    std::string_view word() {
        std::size_t end = 0;
        while (end < words_.size() && !blank(words_[end])) ++end;
        const std::string_view word = words_.substr(0, end);
        while (end < words_.size() && blank(words_[end])) ++end;
        words_.remove_prefix(end);
        return word;
    }
    std::string_view line() const { return line_; }
    std::string_view words_left() const { return words_; }
    std::size_t number() const { return std::max<std::size_t>(number_, 1); }
    /// What comments `# META key=value` said.
    Facts& told() { return told_; }

  private:
    void comment(std::string_view text) {
        constexpr std::string_view meta = "META ";
        const std::size_t sign = text.find('=');
        if (!text.starts_with(meta) || sign == std::string_view::npos) return;
        const std::string_view key = trimmed(text.substr(meta.size(), sign - meta.size()));
        if (!key.empty()) told_[""].insert_or_assign(std::string(key), trimmed(text.substr(sign + 1)));
    }

    Facts told_;
    std::string_view rest_, line_, words_;
    std::size_t number_ = 0;
};

/// The number of each variable: its place in the order of the names.
std::vector<Var> numbered(const std::vector<std::string>& names) {
    std::vector<std::size_t> order(names.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
    std::vector<Var> numbers(names.size());
    for (std::size_t number = 0; number < order.size(); ++number)
        numbers[order[number]] = static_cast<Var>(number);
    return numbers;
}

/// Refuses a list in which a set occurs twice; `lines` says where its sets came from.
void refuse_repeats(const ParentList& list, const std::vector<std::size_t>& lines) {
    struct Key {
        std::uint64_t hash;
        std::size_t at;
    };
    std::vector<Key> keys(list.size());
    for (std::size_t at = 0; at < list.size(); ++at) {
        std::uint64_t hash = list.parents(at).size();
        for (const Var parent : list.parents(at)) {
            hash = (hash ^ parent) * 0x9E3779B97F4A7C15u;
            hash ^= hash >> 29;
        }
        keys[at] = {hash, at};
    }
    // Members decide only where hashes are equal, so that this mostly compares numbers side by side.
    std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
        if (a.hash != b.hash) return a.hash < b.hash;
        const Members first = list.parents(a.at), second = list.parents(b.at);
        const auto order =
            std::lexicographical_compare_three_way(first.begin(), first.end(), second.begin(), second.end());
        return order != 0 ? order < 0 : a.at < b.at;
    });
    const auto repeats = [&](const Key& a, const Key& b) {
        return a.hash == b.hash && std::ranges::equal(list.parents(a.at), list.parents(b.at));
    };
    const auto twice = std::adjacent_find(keys.begin(), keys.end(), repeats);
    if (twice != keys.end())
        refuse(lines[(twice + 1)->at],
               "this parent set was given in line " + std::to_string(lines[twice->at]) + " already");
}

/// Names and sets as they come. A parent may be named before its own sets follow, so variables are
/// numbered by first mention until all are known.
class Gathered {
  public:
    void begin_child(std::string_view name, std::size_t line) {
        const Var child = mention(name, line);
        if (mentioned_[child].has_sets)
            refuse(line, "variable " + quoted(name) + " was given its parent sets before");
        mentioned_[child].has_sets = true;
        children_.push_back({child, {}, {}, {0}, {}});
    }
    /// Takes a score and the words left in the line as the parents; returns how many.
    std::size_t add(double score, Lines& lines) {
        Child& child = children_.back();
        std::size_t parents = 0;
        for (std::string_view word = lines.word(); !word.empty(); word = lines.word(), ++parents) {
            const Var parent = mention(word, lines.number());
            if (parent == child.variable)
                refuse(lines.number(), "variable " + quoted(word) + " is among its own parents");
            child.members.push_back(parent);
        }
        child.scores.push_back(score);
        child.begins.push_back(child.members.size());
        child.lines.push_back(lines.number());
        return parents;
    }
    std::size_t children() const { return children_.size(); }
    std::string_view child() const { return mentioned_[children_.back().variable].name; }

    ScoreFile finish() && {
        for (const Mention& mention : mentioned_)
            if (!mention.has_sets)
                refuse(mention.line,
                       "unknown parent " + quoted(mention.name) + "; the file has no variable of that name");
        ScoreFile file;
        for (const Child& child : children_) file.names.emplace_back(mentioned_[child.variable].name);
        const std::vector<Var> numbers = numbered(file.names);
        std::vector<Var> number_of_mention(children_.size());
        for (std::size_t at = 0; at < children_.size(); ++at)
            number_of_mention[children_[at].variable] = numbers[at];
        file.lists.lists.resize(children_.size());
        for (std::size_t at = 0; at < children_.size(); ++at) {
            const Child child = std::move(children_[at]);  // freed when its list is made
            file.lists.lists[numbers[at]] = sorted_list(child, number_of_mention);
        }
        return file;
    }

  private:
    struct Mention {
        std::string_view name;
        std::size_t line;
        bool has_sets;
    };
    struct Child {
        Var variable;
        std::vector<double> scores;
        std::vector<Var> members;
        std::vector<std::size_t> begins;
        std::vector<std::size_t> lines;
    };

    Var mention(std::string_view name, std::size_t line) {
        const auto [found, is_new] = variables_.try_emplace(name, static_cast<Var>(mentioned_.size()));
        if (is_new) {
            if (mentioned_.size() == max_variables)
                refuse(line, "there are more than " + std::to_string(max_variables) + " variables");
            mentioned_.push_back({name, line, false});
        }
        return found->second;
    }
    ParentList sorted_list(const Child& child, const std::vector<Var>& numbers) const {
        ParentList list;
        std::vector<Var> set;
        for (std::size_t at = 0; at < child.scores.size(); ++at) {
            set.clear();
            for (std::size_t m = child.begins[at]; m < child.begins[at + 1]; ++m)
                set.push_back(numbers[child.members[m]]);
            std::sort(set.begin(), set.end());
            if (std::adjacent_find(set.begin(), set.end()) != set.end())
                refuse(child.lines[at], "a parent is listed twice");
            list.append(child.scores[at], set);
        }
        refuse_repeats(list, child.lines);
        list.sort();
        return list;
    }

    std::unordered_map<std::string_view, Var> variables_;
    std::vector<Mention> mentioned_;  // in the order of first mention
    std::vector<Child> children_;
};

bool is_keyword(std::string_view word, std::string_view keyword) {
    return std::ranges::equal(word, keyword,
                              [](char a, char b) { return (a >= 'a' && a <= 'z' ? a - 'a' + 'A' : a) == b; });
}

/// Reads a variable of a .jkl file, from its line `name sets`.
void read_jkl_child(Lines& lines, Gathered& gathered) {
    const std::string_view name = lines.word();
    const auto sets = number_of<std::size_t>(lines.words_left());
    if (!sets)
        refuse(lines.number(),
               "expected a variable's name and the number of its parent sets, got " + quoted(lines.line()));
    const std::size_t first = lines.number();
    gathered.begin_child(name, first);
    for (std::size_t set = 0; set < *sets; ++set) {
        const auto of_announced = [&](std::size_t number) {
            return std::to_string(number) + " of the " + std::to_string(*sets) + " parent sets that line " +
                   std::to_string(first) + " announces for " + quoted(name);
        };
        if (!lines.next()) refuse(lines.number(), "the file ends after " + of_announced(set));
        const auto score = number_of<double>(lines.word());
        const auto parents = number_of<std::size_t>(lines.word());
        if (!score || !parents)
            refuse(lines.number(),
                   "expected a score (a finite number), the number of parents and their names, got " +
                       quoted(lines.line()) + "; this is number " + of_announced(set + 1));
        const std::size_t listed = gathered.add(*score, lines);
        if (listed != *parents)
            refuse(lines.number(), "expected " + std::to_string(*parents) + " parents after the score, got " +
                                       std::to_string(listed) + "; this is number " + of_announced(set + 1));
    }
}

}  // namespace

ScoreFile read_jkl(std::string_view text) {
    Lines lines(text);
    Gathered gathered;
    const bool any = lines.next();
    const std::size_t first = lines.number();
    const auto variables = any ? number_of<std::size_t>(lines.line()) : std::nullopt;
    if (!variables || *variables == 0 || *variables > max_variables)
        refuse(first, "expected the number of variables, from 1 to " + std::to_string(max_variables) +
                          ", got " + (any ? quoted(lines.line()) : "an empty file"));
    const std::string announced =
        std::to_string(*variables) + " variables that line " + std::to_string(first) + " announces";
    while (gathered.children() < *variables) {
        if (!lines.next())
            refuse(lines.number(),
                   "the file ends after " + std::to_string(gathered.children()) + " of the " + announced);
        read_jkl_child(lines, gathered);
    }
    if (lines.next())
        refuse(lines.number(), "expected the end of the file after the " + announced + ", got " +
                                   quoted(lines.line()) + "; is a number before it too small?");
    ScoreFile file = std::move(gathered).finish();
    file.facts = std::move(lines.told());
    return file;
}

ScoreFile read_pss(std::string_view text) {
    Lines lines(text);
    Gathered gathered;
    Facts facts;
    while (lines.next()) {
        const std::string_view word = lines.word();
        if (is_keyword(word, "META")) {
            const std::string_view fact = lines.words_left();
            const std::size_t sign = fact.find('=');
            const std::string_view key = trimmed(fact.substr(0, sign));
            if (sign == std::string_view::npos || key.empty())
                refuse(lines.number(), "expected META key=value, got " + quoted(lines.line()));
            const std::string about(gathered.children() == 0 ? std::string_view() : gathered.child());
            facts[about].insert_or_assign(std::string(key), trimmed(fact.substr(sign + 1)));
        } else if (is_keyword(word, "VAR")) {
            const std::string_view name = lines.word();
            if (name.empty() || !lines.words_left().empty())
                refuse(lines.number(), "expected VAR and a variable's name, got " + quoted(lines.line()));
            gathered.begin_child(name, lines.number());
        } else if (gathered.children() == 0) {
            refuse(lines.number(), "expected META key=value or VAR name, got " + quoted(lines.line()));
        } else {
            const auto score = number_of<double>(word);
            if (!score)
                refuse(lines.number(), "expected a score (a finite number) of variable " +
                                           quoted(gathered.child()) + ", META or VAR, got " + quoted(word));
            gathered.add(*score, lines);
        }
    }
    if (gathered.children() == 0)
        refuse(lines.number(), "expected VAR and a variable's name, got no more lines");
    ScoreFile file = std::move(gathered).finish();
    file.facts = std::move(facts);
    return file;
}

}  // namespace dagscape
