"""A climate-style file: temperatures packed into integers, computed without unpacking.

Archives of weather and climate data store a field as 16-bit integers with the attributes scale_factor and add_offset:
value = scale_factor * code + add_offset. The array reads the codes of the file where they are; means, anomalies and
conversions to another unit are computed in f64.

    python temperature.py [days]
"""

import os
import sys
import tempfile

import numpy as np

import steno

LATITUDES, LONGITUDES = 45, 90
SCALE, OFFSET = 0.01, 273.15  # kelvins


def write(path, days):
    """A file of packed temperatures: warm at the equator, with seasons and weather."""
    rng = np.random.default_rng(0)
    latitude = np.linspace(-88.0, 88.0, LATITUDES)[:, None]
    codes = np.lib.format.open_memmap(path, "w+", np.int16, (days, LATITUDES, LONGITUDES))
    for day in range(days):
        season = 15.0 * np.sin(2 * np.pi * day / 365) * np.sin(np.radians(latitude))
        celsius = 30.0 - 0.55 * abs(latitude) + season + rng.normal(0.0, 3.0, (LATITUDES, LONGITUDES))
        codes[day] = np.round((celsius + 273.15 - OFFSET) / SCALE)
    codes.flush()


def main():
    days = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "temperature.npy")
        write(path, days)
        # value = scale * (code - zero_point): the offset is -scale * zero_point.
        kelvin = steno.from_codes(np.load(path, mmap_mode="r"), scale=SCALE, zero_point=-OFFSET / SCALE)
        print(f"{kelvin.nbytes / 1e6:.1f} MB of {kelvin.format}, values as f64 would have {8 * kelvin.size / 1e6:.1f} MB")

        mean = steno.mean(kelvin, axis=0)
        print(f"mean {steno.mean(kelvin):.2f} K, warmest {steno.max(kelvin):.2f} K, coldest {steno.min(kelvin):.2f} K")

        # Anomalies in bf16, whose range needs no scale; one pass over the file.
        anomaly = steno.kernel("d = t - m")(kelvin, mean, format="bf16")
        print(f"largest anomaly {steno.reduction('a', 'norm_inf')(anomaly):.2f} K in {anomaly.format}")

        # Frost days per latitude, counted in the packed file.
        frost = steno.reduction("t < limit", "count")(kelvin, 273.15, axis=(0, 2))
        print(f"frost days at the poles {frost[0] // LONGITUDES} and {frost[-1] // LONGITUDES}, "
              f"at the equator {frost[LATITUDES // 2] // LONGITUDES}")

        values = SCALE * np.load(path).astype(np.float64) + OFFSET
        return 0 if np.allclose(np.asarray(mean), values.mean(axis=0), rtol=0, atol=1e-9) else 1


if __name__ == "__main__":
    sys.exit(main())
