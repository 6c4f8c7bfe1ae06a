"""Select columns for censored times, and see whether they order rows that no search has seen."""

import numpy as np
from sklearn.model_selection import KFold, cross_val_score

from snelfs import SNeLSurvival
from snelfs.datasets import make_survival

# 200 patients of 100 columns; five make the event come sooner or later, and half of the times are censored.
X, y, relevant = make_survival(200, 100, random_state=0)
selector = SNeLSurvival(n_features_to_select=10, n_restarts=4, random_state=0).fit(X, y)
found = np.intersect1d(selector.get_support(indices=True), relevant)
print(
    f"{len(found)} of {len(relevant)} relevant columns found, {int(y['event'].sum())} events in {len(y)} rows"
)

# The risk is relative: exp(1) times the hazard for each unit. Survival follows from the baseline.
times = np.quantile(selector.unique_times_, [0.25, 0.5, 0.75])
for row in np.argsort(selector.predict(X))[[0, -1]]:
    print(f"row {row}: risk {selector.predict(X)[row]:+.2f}, survival", end=" ")
    print(np.round(selector.predict_survival_function(X, times)[row], 2))

# Each fold selects anew from its own training rows.
scores = cross_val_score(selector, X, y, cv=KFold(4, shuffle=True, random_state=0))
print(f"c-index in the folds {np.round(scores, 2)}")
