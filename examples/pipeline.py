"""Estimate honestly how well a selection predicts: the selector sits inside the cross-validation."""

import numpy as np
from sklearn.datasets import load_wine
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from snelfs import SNeLClassifier

X, y = load_wine(return_X_y=True, as_frame=True)
noise = np.random.default_rng(0).standard_normal((len(X), 87))
wide = X.join(type(X)(noise, columns=[f"noise {i}" for i in range(87)]))

# Each fold selects anew from its own training rows; nothing is learned from the rows it is tested on.
selector = SNeLClassifier(n_features_to_select=5, n_restarts=4, random_state=0)
model = make_pipeline(selector, StandardScaler(), SVC())
scores = cross_val_score(model, wide, y, cv=3)
print(f"5 of {wide.shape[1]} columns: accuracy in the folds {np.round(scores, 3)}")

print("chosen on all rows:", ", ".join(selector.fit(wide, y).get_feature_names_out()))
