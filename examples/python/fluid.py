"""A fluid on a square with periodic boundaries: lattice Boltzmann with nine populations per cell, stored in 16 bits.

The populations are stored as deviations from rest, in i16 with a scale, or in the format of the second argument, and
computed in f32. Streaming is a shift of each population, so a step is one kernel. The program compares the decay of a
shear wave with the theory.

    python fluid.py [cells per side] [format] [steps]
"""

import sys

import numpy as np

import steno

VELOCITIES = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
WEIGHTS = [4 / 9] + 4 * [1 / 9] + 4 * [1 / 36]
OMEGA = 1.6  # viscosity (1 / OMEGA - 1 / 2) / 3
AMPLITUDE = 0.05


def step_text():
    """Collision of the populations f0 to f8, which are read at the cells they come from, to g0 to g8."""
    lines = [f"real_t d = {' + '.join(f'f{k}' for k in range(9))};"]
    for axis, name in enumerate("uv"):
        terms = [f"{'+' if c[axis] > 0 else '-'} f{k}" for k, c in enumerate(VELOCITIES) if c[axis]]
        lines.append(f"real_t {name} = ({' '.join(terms)}) / (1 + d);")
    lines.append("real_t q = STN_R(1.5) * (u * u + v * v);")
    for k, ((cx, cy), weight) in enumerate(zip(VELOCITIES, WEIGHTS)):
        lines.append(f"real_t c{k} = 3 * ({cx} * u + {cy} * v);")
        # The deviation of the equilibrium from rest: w (d + (1 + d) (c + c^2 / 2 - q)).
        rest = f"STN_R({weight!r}) * (d + (1 + d) * (c{k} + c{k} * c{k} / 2 - q))"
        lines.append(f"g{k} = f{k} + omega * ({rest} - f{k});")
    return "\n".join(lines)


def step_parameters():
    shifted = [f"shifted(f{k}, periodic, {-cy}, {-cx})" for k, (cx, cy) in enumerate(VELOCITIES)]
    return ", ".join(["real(omega)", *shifted, *(f"out(g{k})" for k in range(9))])


def equilibrium(u):
    """Deviations from rest of a flow of uniform density with the velocity u along x."""
    for (cx, _), weight in zip(VELOCITIES, WEIGHTS):
        yield weight * (3 * cx * u + 4.5 * (cx * u) ** 2 - 1.5 * u**2)


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 48
    name = sys.argv[2] if len(sys.argv) > 2 else "i16"
    steps = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    wave = AMPLITUDE * np.sin(2 * np.pi * np.arange(n) / n)[:, None] * np.ones(n)
    scale = 2.0**-17 if name[0] in "iu" else 1.0  # deviations are below 1/4
    old = [steno.asarray(values, name, scale=scale) for values in equilibrium(wave)]
    new = [steno.zeros((n, n), name, scale=scale) for _ in old]

    step = steno.kernel(step_text(), step_parameters(), arithmetic="f32", name="fluid", jit=True)
    for _ in range(steps):
        step(OMEGA, *old, *new)
        old, new = new, old

    values = [np.asarray(f.astype("f64")) for f in old]
    velocity = sum(c[0] * f for c, f in zip(VELOCITIES, values)) / (1 + sum(values))
    amplitude = 2 * np.mean(velocity[:, 0] * np.sin(2 * np.pi * np.arange(n) / n))
    viscosity = (1 / OMEGA - 0.5) / 3
    expected = AMPLITUDE * np.exp(-viscosity * (2 * np.pi / n) ** 2 * steps)
    error = abs(amplitude - expected) / expected
    print(f"{n} x {n} cells in {name}, {sum(f.nbytes for f in old) / n**2:.0f} bytes per cell")
    print(f"amplitude {amplitude:.6f} after {steps} steps, theory {expected:.6f}, error {error:.1e}")
    return 0 if error < 0.02 else 1


if __name__ == "__main__":
    sys.exit(main())
