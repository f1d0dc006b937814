#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "parents/parent_lists.hpp"

namespace dagscape {

/// Scored parent sets as text, in the formats of two other programs. Both put blanks between words and
/// write scores that are better when higher.
///
/// `.jkl`, after Jaakkola, is GOBNILP's: the number of variables; then for each a line `name sets` and
/// that many lines `score parents parent ..`, the second number saying how many parents follow. Names are
/// any words; many files use column numbers. Lines that begin with # are comments, as BLIP writes them. What
/// is known of the file as a whole is written as comments `# META key=value` behind the last variable, where
/// programs that know no comments have stopped reading.
///
/// `.pss` is URLearning's (its programs `score`, which writes it, and ScoreCache::read, which negates the
/// scores "to minimize"): lines `META key=value` about the data; then for each variable `VAR name`, more
/// META lines (arity, values) and lines `score parent ..`. Empty lines and lines that begin with # say
/// nothing. URLearning itself takes every line with "meta" anywhere in it for a META line: names such as
/// Metal are read here, but not there.

/// What separates words: blanks, tabs, the \r of Windows line ends.
inline bool blank(char c) { return static_cast<unsigned char>(c) <= ' '; }

/// What META lines say: by variable ("" for the file as a whole), then by key.
using Facts = std::map<std::string, std::map<std::string, std::string>>;

struct ScoreFile {
    std::vector<std::string> names;  // as the file lists them
    ParentLists lists;               // variables are numbered in the order of their names; none is exhaustive
    Facts facts;
};

/// Throw an error of kind `file` that begins with `line N: `. Lists come back best first.
ScoreFile read_jkl(std::string_view text);
ScoreFile read_pss(std::string_view text);

/// Receives a file piece by piece.
using Sink = std::function<void(std::string_view)>;

/// Names and numbers as in ScoreFile. Scores have the digits it takes to come back equal.
void write_jkl(const ParentLists& lists, const std::vector<std::string>& names, const Facts& facts,
               const Sink& sink);
void write_pss(const ParentLists& lists, const std::vector<std::string>& names, const Facts& facts,
               const Sink& sink);

}  // namespace dagscape
