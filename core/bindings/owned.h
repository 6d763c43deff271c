// Arrays that Python owns.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>

namespace borel {

// An array of these sizes over memory from `new T[]`, which goes with it.
template <typename T, typename... Sizes>
auto owned(T* data, Sizes... sizes) {
  nanobind::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nanobind::ndarray<nanobind::numpy, T>(data, {static_cast<std::size_t>(sizes)...}, owner);
}

}  // namespace borel
