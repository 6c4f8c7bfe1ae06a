"""What a table and its settings say of columns by their names, as estimators take it: by places."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from snelfs.data.beside import Beside, chosen_columns, refuse_contradictions, refuse_useless
from snelfs.data.feature_groups import group_codes
from snelfs.data.inputs import NEEDS_DENSE
from snelfs.foundation.checks import ArgumentError
from snelfs.search.options import selected_count, usual_number
from snelfs.tables.feature_groups import read_feature_groups
from snelfs.tables.reading import Table
from snelfs.tables.studies import column_uses


def told_of_columns(settings: Mapping[str, Any], table: Table) -> dict[str, Any]:
    """Return which columns belong together, are categories, are kept or adjusted for, and how many to select.

    What is wrong with them is said here, by their names: the estimator sees none.

    Parameters
    ----------
    settings : mapping
        As of the estimators; `keep` may be one text with commas, and `feature_groups` a file.
    table : Table
        With a target.

    Returns
    -------
    dict
        Of what was said alone; the number is always there.
    """
    if settings.get("add_indicator") and hasattr(table.X, "toarray"):
        raise ArgumentError("add_indicator", NEEDS_DENSE)
    told = _grouped(settings, table)
    number = settings.get("n_features_to_select", usual_number(_n_units(told, table)))
    told["n_features_to_select"] = number
    return told | _columns_beside({**settings, **told}, table)


def _grouped(settings: Mapping[str, Any], table: Table) -> dict[str, Any]:
    """Return the groups of columns as one label a column, and where categories are; files are read."""
    names, found = table.feature_names, {}
    asked = settings.get("feature_groups")
    if asked is not None:
        asked = read_feature_groups(asked) if isinstance(asked, str | os.PathLike) else asked
        members = asked.values() if isinstance(asked, Mapping) else ()
        for columns in members:
            _refuse_used("feature_groups", columns, table)
        codes, called = group_codes(asked, len(names), names)
        found["feature_groups"] = [called[code] if code >= 0 else None for code in codes.tolist()]
    if table.categories:
        found["categorical"] = [names.index(name) for name in table.categories]
    return found


def _refuse_used(argument: str, asked: Any, table: Table) -> None:
    """Raise if a column that was read as something else is asked for as a feature.

    A covariate of text is among the features as its indicators alone, whose names would be no help.
    """
    fields = () if table.y is None else table.y.dtype.names or ()
    targets, strata = (table.target_name, *table.labels, *fields[:2]), fields[2] if len(fields) > 2 else None
    uses = column_uses(targets, strata, table.groups_name)
    given = asked if isinstance(asked, Iterable) and not isinstance(asked, str) else [asked]
    for name in (each for each in given if isinstance(each, str)):
        if any(each.startswith(f"{name}=") for each in table.covariates):
            uses |= column_uses(covariates=[name])
        if name in uses and name not in table.feature_names:
            raise ArgumentError(argument, f"names {name!r}, which {uses[name]}: leave it out.")


def _n_units(settings: Mapping[str, Any], table: Table) -> int:
    """Return how many columns there are to select, those of a group counted once."""
    labels = settings.get("feature_groups")
    if labels is None:
        return len(table.feature_names)
    return sum(label is None for label in labels) + len({*labels} - {None})


def _columns_beside(settings: Mapping[str, Any], table: Table) -> dict[str, Any]:
    """Return where the covariates of a table and the columns to keep are."""
    names = table.feature_names
    kept = settings.get("keep")
    # What is typed are names, whatever they look like.
    given = [name.strip() for name in kept.split(",")] if isinstance(kept, str) else kept
    _refuse_used("keep", given, table)
    keep = chosen_columns("keep", given, len(names), names)
    covariates = chosen_columns("covariates", table.covariates, len(names), names)
    n_units, labels = _n_units(settings, table), settings.get("feature_groups")
    n_selected = selected_count(settings["n_features_to_select"], max(1, n_units - len(covariates)))
    kept_units = {place if labels is None else labels[place] or place for place in keep.tolist()}
    beside = Beside(keep, covariates, (0,) * len(covariates))
    refuse_contradictions(beside, len(names), n_selected, names, len(kept_units))
    if len(covariates) and table.y is not None:
        values = table.X[:, covariates]
        dense = values.toarray() if hasattr(values, "toarray") else values
        refuse_useless(dense, table.y, table.covariates)
    places = {"keep": keep.tolist(), "covariates": covariates.tolist()}
    return {name: columns for name, columns in places.items() if columns}
