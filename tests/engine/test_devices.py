"""Columns shared out over devices: the same result as on one, in one process and in two."""

import json
import os
import socket
import subprocess
import sys

import numpy as np
import pytest

import fit_on_devices
from snelfs import SNeLRegressor
from snelfs.engine.devices import Placement, chosen_devices


def start_fit(n_local_devices, **setting):
    """Start a process that has so many virtual devices of its own."""
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={n_local_devices}"
    return subprocess.Popen(
        [sys.executable, fit_on_devices.__file__, json.dumps(setting)],
        env=os.environ | {"XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def outcome(process):
    shown, said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    return json.loads(shown.splitlines()[-1])


def free_address():
    with socket.socket() as listener:
        listener.bind(("localhost", 0))
        return f"localhost:{listener.getsockname()[1]}"


@pytest.fixture(scope="module")
def alone():
    """Return a fit on one device."""
    return fit_on_devices.fitted(devices=None)


def assert_same(fit, expected):
    """Sums over columns are added up in another order, so the last digits differ.

    A weight at a kink turns with such a digit, and the paths part slowly: by a thousandth after 150 epochs.
    """
    early = np.array(fit["loss"])[:, :64], np.array(expected["loss"])[:, :64]
    np.testing.assert_allclose(*early, rtol=1e-4)
    np.testing.assert_allclose(fit["importances"], expected["importances"], atol=0.02)
    assert set(np.argsort(fit["ranking"])[:3]) == {4, 11, 17}


def test_four_devices_give_what_one_gives(alone):
    """The columns are shared out over four virtual devices of one process."""
    four = outcome(start_fit(4, devices=4))
    assert four["devices"] == 4
    assert_same(four, alone)


@pytest.mark.slow  # two processes that compile
def test_two_joined_processes_give_what_one_gives(alone):
    """JAX joins them over the loopback; both return the whole result, the same to the bit."""
    address = free_address()
    joined = [start_fit(1, devices="all", address=address, processes=2, process=rank) for rank in (0, 1)]
    first, second = map(outcome, joined)
    assert first == second
    assert first["devices"] == 2
    assert_same(first, alone)


def test_columns_are_filled_up_and_cut_off_again():
    """What comes back is what went in."""
    placement = Placement.over(chosen_devices(1))
    array = np.arange(12.0, dtype=np.float32).reshape(3, 4)
    np.testing.assert_array_equal(placement.fetch(placement.share_columns(array), 4), array)
    assert not placement.of_several_processes


@pytest.mark.parametrize(
    ("devices", "said"),
    [
        (0, "devices must be an integer of at least 1, got 0"),
        ("two", "devices must be None, 'all' or an integer of at least 1, got 'two'"),
        (1000, r"devices=1000 is more than JAX has: \d+ device"),
    ],
)
def test_a_bad_number_is_named(table, quick, devices, said):
    """One sentence, before anything is trained."""
    with pytest.raises(ValueError, match=said):
        SNeLRegressor(**quick, devices=devices).fit(*table)
