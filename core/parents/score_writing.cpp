#include <algorithm>
#include <charconv>
#include <cmath>

#include "error.hpp"
#include "parents/score_files.hpp"

namespace dagscape {

namespace {

[[noreturn]] void fail(const std::string& what) { throw Error(ErrorKind::parameter, what); }

/// Text on its way out, handed on in large pieces.
class Output {
  public:
    explicit Output(const Sink& sink) : sink_(sink) { text_.reserve(piece + 4096); }
    Output& operator<<(std::string_view text) {
        text_ += text;
        return *this;
    }
    template <typename Number>
        requires std::is_arithmetic_v<Number>
    Output& operator<<(Number number) {
        char digits[32];  // a double takes 24 at most: -1.2345678901234567e-308
        text_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
        return *this;
    }
    void end_line() {
        text_ += '\n';
        if (text_.size() >= piece) flush();
    }
    void flush() {
        sink_(text_);
        text_.clear();
    }

  private:
    static constexpr std::size_t piece = std::size_t{1} << 20;
    const Sink& sink_;
    std::string text_;
};

/// The lists with their names, checked before anything is written.
class Named {
  public:
    Named(const ParentLists& lists, const std::vector<std::string>& names)
        : lists_(lists), by_number_(names.begin(), names.end()) {
        if (names.empty()) fail("a score file must have at least one variable");
        if (names.size() != lists.variables())
            fail("there must be one name for each of the " + std::to_string(lists.variables()) +
                 " variables, got " + std::to_string(names.size()));
        std::sort(by_number_.begin(), by_number_.end());
        const auto twice = std::adjacent_find(by_number_.begin(), by_number_.end());
        if (twice != by_number_.end())
            fail("the name \"" + std::string(*twice) + "\" is given to more than one variable");
        for (const std::string& name : names)
            if (name.empty() || std::any_of(name.begin(), name.end(), blank))
                fail("variable \"" + name +
                     "\" cannot be written: names in score files must be words without blanks; rename it");
        for (std::size_t v = 0; v < names.size(); ++v)
            for (std::size_t at = 0; at < lists.lists[v].size(); ++at)
                if (!std::isfinite(lists.lists[v].score(at)))
                    fail("a score of variable \"" + std::string(by_number_[v]) + "\" is no finite number");
    }
    bool has(std::string_view name) const {
        return std::binary_search(by_number_.begin(), by_number_.end(), name);
    }
    const ParentList& list(std::string_view name) const {
        const auto found = std::lower_bound(by_number_.begin(), by_number_.end(), name);
        return lists_.lists[static_cast<std::size_t>(found - by_number_.begin())];
    }
    void write_parents(Output& out, Members parents) const {
        for (const Var parent : parents) out << " " << by_number_[parent];
        out.end_line();
    }

  private:
    const ParentLists& lists_;
    std::vector<std::string_view> by_number_;
};

void check_facts(const Facts& facts, const Named& named) {
    const auto one_line = [](const std::string& text) {
        return text.find_first_of("\r\n") == std::string::npos;
    };
    for (const auto& [about, pairs] : facts) {
        if (!about.empty() && !named.has(about))
            fail("facts are given about \"" + about + "\", which is no variable");
        for (const auto& [key, value] : pairs)
            if (std::all_of(key.begin(), key.end(), blank) || key.find('=') != std::string::npos ||
                !one_line(key) || !one_line(value))
                fail("fact \"" + key + "\" cannot be written: a fact must fit in a line key=value");
    }
}

void write_facts(Output& out, const Facts& facts, const std::string& about,
                 std::string_view begin = "META ") {
    const auto found = facts.find(about);
    if (found == facts.end()) return;
    for (const auto& [key, value] : found->second) {
        if (about.empty() && key == "pss_version") continue;  // that of the file it was read from
        out << begin << key << "=" << value;
        out.end_line();
    }
}

}  // namespace

void write_jkl(const ParentLists& lists, const std::vector<std::string>& names, const Facts& facts,
               const Sink& sink) {
    const Named named(lists, names);
    check_facts(facts, named);
    for (const std::string& name : names)
        if (name.front() == '#')
            fail("variable \"" + name + "\" cannot be written: # begins a comment; rename it");
    Output out(sink);
    out << names.size();
    out.end_line();
    for (const std::string& child : names) {
        const ParentList& list = named.list(child);
        out << child << " " << list.size();
        out.end_line();
        for (std::size_t at = 0; at < list.size(); ++at) {
            out << list.score(at) << " " << list.parents(at).size();
            named.write_parents(out, list.parents(at));
        }
    }
    write_facts(out, facts, "", "# META ");
    out.flush();
}

void write_pss(const ParentLists& lists, const std::vector<std::string>& names, const Facts& facts,
               const Sink& sink) {
    const Named named(lists, names);
    check_facts(facts, named);
    Output out(sink);
    out << "META pss_version=0.1";
    out.end_line();
    write_facts(out, facts, "");
    for (const std::string& child : names) {
        out << "\nVAR " << child;
        out.end_line();
        write_facts(out, facts, child);
        const ParentList& list = named.list(child);
        for (std::size_t at = 0; at < list.size(); ++at) {
            out << list.score(at);
            named.write_parents(out, list.parents(at));
        }
    }
    out.flush();
}

}  // namespace dagscape
