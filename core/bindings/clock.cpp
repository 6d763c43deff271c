#include "../clock.h"

#include "bindings.h"

namespace nb = nanobind;

namespace borel {

void bind_clock(nb::module_& m) {
  m.def("now", [] { return now(chosen_clock()); }, "Seconds by the clock that this thread has chosen.");
  m.def(
      "choose_clock",
      [](bool processor) {
        const bool before = chosen_clock() == ClockKind::processor;
        choose_clock(processor ? ClockKind::processor : ClockKind::wall);
        return before;
      },
      nb::arg("processor"), "Choose this thread's clock, processor time or the wall's; returns what it was.");
}

}  // namespace borel
