#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "set_functions/set_function.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

using Set = std::vector<Var>;
using OfSet = std::function<double(const Set&)>;
using OfFamily = std::function<double(Var, const Set&)>;

Set copied(Members set) { return {set.begin(), set.end()}; }

/// A function of sets written in Python. It is asked for one set at a time, under the interpreter's lock.
class PythonFunction final : public SetFunction {
  public:
    PythonFunction(std::size_t variables, double cases, OfSet joint, OfSet parameters,
                   std::optional<OfFamily> given)
        : variables_(variables),
          cases_(cases),
          joint_(std::move(joint)),
          parameters_(std::move(parameters)),
          given_(std::move(given)) {}

    std::size_t variables() const override { return variables_; }
    double cases() const override { return cases_; }
    double joint(Members set) const override { return joint_(copied(set)); }
    double parameters(Members set) const override { return parameters_(copied(set)); }
    std::uint32_t given_kind(Var child) const override { return given_ ? child + 1u : 0; }
    double given(Var child, Members parents) const override {
        return given_ ? (*given_)(child, copied(parents)) : joint(parents);
    }
    bool equivalent() const override { return !given_; }

  private:
    std::size_t variables_;
    double cases_;
    OfSet joint_, parameters_;
    std::optional<OfFamily> given_;
};

}  // namespace

void bind_python_function(nb::module_& m) {
    nb::class_<PythonFunction, SetFunction>(m, "PythonFunction",
                                            "A function of sets written in Python: slow, for trying out.")
        .def(nb::new_([](std::size_t variables, double cases, OfSet joint, OfSet parameters,
                         std::optional<OfFamily> given) {
                 return std::make_shared<PythonFunction>(variables, cases, std::move(joint),
                                                         std::move(parameters), std::move(given));
             }),
             "variables"_a, "cases"_a, "joint"_a, "parameters"_a, "given"_a = nb::none());
}
