"""The partial likelihood of censored times (Cox 1972), for all restarts at once.

Row i has a time, an event (1, or 0 if it was censored then) and an output ``η_i``, its log relative risk. All
rows that were still under observation at its time, and are of its stratum if there are several, are at risk
there, ``R_i``. With weights ``w``

    ``-ℓ = Σ_i w_i · event_i · (log Σ_{j in R_i} w_j exp η_j - η_i)``,

which is Breslow's form for events of equal times: a row of weight 2 is just the row twice. Efron's takes the
d events of one time out of the risk set one after the other, and divides their weight equally among them.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from snelfs.foundation.types import Array

# A sum of risks below it has left single precision; its logarithm is taken here.
_LEAST = 1e-37


class Censored(NamedTuple):
    """The target as the engine takes it; each of shape (rows,)."""

    times: Array  # any numbers in the order of the times, equal where these are; stratum after stratum
    events: Array  # 1 or 0
    weights: Array  # of the rows, on any scale
    strata: Array | None = None  # of the rows that are in a risk set together; None: all of them


def row_losses(risks: Array, y: Censored, weights: Array, ties: str) -> Array:
    """Return each row's part in ``-ℓ`` for one unit of its weight; zero for censored rows.

    Parameters
    ----------
    risks : array of shape (restarts, rows)
        Log relative risks, higher is sooner.
    y : Censored
        Times and events; its own weights are not looked at.
    weights : array of shape (restarts, rows)
        Weights of the rows in each restart; a row of weight zero takes no part.
    ties : {"breslow", "efron"}
    """
    present = weights > 0
    top = jax.lax.stop_gradient(jnp.where(present, risks, -jnp.inf).max(axis=1, keepdims=True))
    top = jnp.where(jnp.isfinite(top), top, 0.0)
    # Rows that take no part are brought into the range first: infinity times zero would not be zero.
    hazards = weights * jnp.exp(jnp.where(present, risks, top) - top)
    place = _first_places(y.times)
    at_risk, shares = _at_risk(hazards, y, place), jnp.ones_like(weights)
    if ties == "efron":
        died = y.events * present
        n_tied = jnp.maximum(_at_that_time(died, place), 1.0)
        gone = _earlier_among_equals(died, y.times, place) / n_tied
        at_risk = at_risk - gone * _at_that_time(died * hazards, place)
        mean_weight = _at_that_time(died * weights, place) / n_tied
        shares = mean_weight / jnp.where(present, weights, 1.0)
    return y.events * present * (shares * (jnp.log(jnp.maximum(at_risk, _LEAST)) + top) - risks)


def _first_places(times: Array) -> Array:
    """Return where each time, or the first of its equals, stands among all in rising order."""
    return jnp.searchsorted(jnp.sort(times), times)


def _at_that_time(values: Array, place: Array) -> Array:
    """Return for every row the sum of values over the rows of its time."""
    return jnp.zeros_like(values).at[:, place].add(values)[:, place]


def _from_then_on(values: Array, place: Array) -> Array:
    """Return for every row the sum of values over the rows of its time or a later one.

    Added up from the latest time on, where the sums are smallest, so that none of them drowns.
    """
    at_time = jnp.zeros_like(values).at[:, place].add(values)
    return jnp.cumsum(at_time[:, ::-1], axis=1)[:, ::-1][:, place]


def _at_risk(hazards: Array, y: Censored, place: Array) -> Array:
    """Return for every row the sum of hazards over the rows of its stratum at its time or a later one."""
    if y.strata is None:
        return _from_then_on(hazards, place)
    strata = y.strata[jnp.argsort(y.times)]
    left = jnp.zeros_like(hazards).at[:, place].add(hazards)
    # Sums over 1, 2, 4, ... places: taking later strata off a sum of all would leave nothing of a small one.
    reach = 1
    while reach < len(strata):
        ahead = jnp.where(strata[reach:] == strata[:-reach], left[:, reach:], 0.0)
        left = left + jnp.pad(ahead, ((0, 0), (0, reach)))
        reach *= 2
    return left[:, place]


def _earlier_among_equals(died: Array, times: Array, place: Array) -> Array:
    """Return for every event how many of the events at its time stand before it."""
    order = jnp.argsort(times)
    upto = jnp.zeros_like(died).at[:, order].set(jnp.cumsum(died[:, order], axis=1))
    before = died.sum(axis=1, keepdims=True) - _from_then_on(died, place)
    return jnp.maximum(upto - before - 1.0, 0.0)


def training_losses(risks: Array, y: Censored, train: Array, ties: str) -> Array:
    """Return losses of rows whose mean, weighted by `train`, is ``-ℓ`` of the training rows by row.

    By event it would outweigh the penalties where effects are strong: a quarter of the restarts then has no
    admitted epoch.

    Parameters
    ----------
    train : array of shape (restarts, rows)
        Shares of the training rows; they sum to 1 in a restart.
    """
    return row_losses(risks, y, y.weights * (train > 0), ties)


def held_out_losses(risks: Array, y: Censored, train: Array, validation: Array, ties: str) -> Array:
    """Return losses whose sum over the rows is ``-ℓ`` of all rows less that of the training rows.

    It is by held-out event.

    Held-out rows are so compared with all others, not with the few of themselves: the cross-validated partial
    likelihood of Verweij and van Houwelingen (1993). Where no row is held out it is that of all rows.
    """
    trained = train > 0
    held_out = (validation > 0) & ~trained
    everyone = y.weights * (trained | held_out)
    before = y.weights * (trained & held_out.any(axis=1, keepdims=True))
    more = everyone * row_losses(risks, y, everyone, ties) - before * row_losses(risks, y, before, ties)
    deaths = ((everyone - before) * y.events).sum(axis=1, keepdims=True)
    of_all = (everyone * y.events).sum(axis=1, keepdims=True)
    # No event may be held out of very few; how censored rows change the risk sets then has to do.
    scale = jnp.where(deaths > 0, deaths, of_all)
    return more / jnp.where(scale > 0, scale, 1.0)
