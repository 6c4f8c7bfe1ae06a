"""Trainings by Lightning and skorch, with the real packages."""

import sys
import warnings

import numpy as np
import pytest
import torch
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from torch import nn

import snelfs.torch
from snelfs.layer import PenaltySchedule
from snelfs.torch import FSCallback, FSLayer, FSNetClassifier, FSNetRegressor, parameter_groups
from snelfs.torch.parameters import layer_in, set_rate

X = np.random.default_rng(0).standard_normal((96, 20)).astype(np.float32)
Y = X[:, [4, 11, 17]].sum(axis=1, keepdims=True)
RELEVANT = [4, 11, 17]


def network(n_neurons=3, n_outputs=1):
    return nn.Sequential(FSLayer(20, n_neurons), nn.Linear(n_neurons, 8), nn.ReLU(), nn.Linear(8, n_outputs))


# -- parameters -------------------------------------------------------------------------------------


def test_the_layer_has_a_group_and_a_rate_of_its_own():
    """Whatever is set for it, the others keep theirs."""
    net = network()
    optimizer = torch.optim.Adam(parameter_groups(net, lr=0.02))
    set_rate(optimizer, net[0], 1e-4)
    assert [group["lr"] for group in optimizer.param_groups] == [1e-4, 0.02]
    counted = sum(len(group["params"]) for group in optimizer.param_groups)
    assert counted == len(list(net.parameters()))


def test_a_network_without_the_layer_is_named():
    with pytest.raises(ValueError, match=r"^network must have one FSLayer in it, got a Linear with 0\.$"):
        layer_in(nn.Linear(2, 2))


# -- Lightning --------------------------------------------------------------------------------------


def lightning_training(callback, **settings):
    """Train a small module, and return it."""
    import lightning.pytorch as pl

    class Module(pl.LightningModule):
        def __init__(self):
            super().__init__()
            torch.manual_seed(0)
            self.net = network()
            self.rates = []

        def training_step(self, batch, _):
            self.rates.append(self.optimizers().param_groups[0]["lr"])
            return nn.functional.mse_loss(self.net(batch[0]), batch[1])

        def validation_step(self, batch, _):
            self.log("val_loss", nn.functional.mse_loss(self.net(batch[0]), batch[1]))

        def configure_optimizers(self):
            return torch.optim.Adam(parameter_groups(self.net, lr=0.02))

    rows = torch.utils.data.TensorDataset(torch.from_numpy(X), torch.from_numpy(Y))
    training, validation = (
        torch.utils.data.DataLoader(torch.utils.data.Subset(rows, part), batch_size=72)
        for part in (range(72), range(72, 96))
    )
    quiet = {"logger": False, "enable_checkpointing": False, "enable_progress_bar": False}
    module = Module()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Lightning's advice on workers and devices
        trainer = pl.Trainer(
            accelerator="cpu", callbacks=[callback], enable_model_summary=False, **quiet, **settings
        )
        trainer.fit(module, training, validation)
    return module


def test_lightning_trains_the_layer_and_keeps_the_best_epoch():
    """The columns are found; the module has the weights of the best epoch, and its rate fell."""
    callback = FSCallback(schedule=PenaltySchedule(3, steps=4))
    module = lightning_training(callback, max_epochs=300)
    assert sorted(callback.best.selected(3).tolist()) == RELEVANT
    assert callback.best.is_admitted
    np.testing.assert_array_equal(module.net[0].weight.detach().double(), callback.best.weights)
    assert len(callback.best.looks) == 300
    assert module.rates[0] > 4 * module.rates[-1]
    assert max(look.lambda_s for look in callback.best.looks) == pytest.approx(1.0)


class WatchedCallback(FSCallback):
    def on_before_optimizer_step(self, *_):
        self.gradient = self.layer.weight.grad.clone()


@pytest.mark.parametrize("accumulated", [1, 2])
def test_lightning_adds_the_penalties_to_the_gradient(accumulated):
    """It is that of loss and penalties; of batches that are accumulated each has its share."""
    callback = WatchedCallback(schedule=PenaltySchedule(3, lambda_s=(0.0, 0.0), lambda_a=(5.0, 5.0)))
    lightning_training(callback, max_epochs=1, accumulate_grad_batches=accumulated)
    torch.manual_seed(0)
    net = network()
    loss = nn.functional.mse_loss(net(torch.from_numpy(X[:72])), torch.from_numpy(Y[:72]))
    (expected,) = torch.autograd.grad(loss + net[0].penalty(0.0, 5.0), net[0].weight)
    np.testing.assert_allclose(callback.gradient, expected / accumulated, rtol=1e-4, atol=1e-6)


def test_a_metric_that_is_not_logged_is_named():
    with pytest.raises(ValueError, match=r"^monitor must be one of \['val_loss'\], got 'accuracy'\.$"):
        lightning_training(FSCallback("accuracy", mode="max"), max_epochs=1)
    with pytest.raises(ValueError, match=r"^mode must be 'max' or 'min', got 'least'\.$"):
        FSCallback(mode="least")


# -- skorch -----------------------------------------------------------------------------------------

SETTINGS = {
    "optimizer": torch.optim.Adam,
    "lr": 0.02,
    "batch_size": -1,
    "verbose": 0,
    "schedule": PenaltySchedule(3, steps=4),
}


def test_skorch_selects_in_a_pipeline():
    """The selection is that of the best epoch, and another model is trained on it."""
    torch.manual_seed(0)
    selector = FSNetRegressor(network, max_epochs=300, **SETTINGS)
    model = make_pipeline(selector, LinearRegression()).fit(X, Y)
    net = model[0]
    assert net.get_support(indices=True).tolist() == RELEVANT
    assert net.best_.is_admitted
    assert net.transform(X).shape == (96, 3)
    assert model.score(X, Y) > 0.99
    np.testing.assert_array_equal(net.module_[0].weight.detach().double(), net.best_.weights)


def test_skorch_is_searched_by_grid():
    """Clones keep all parameters, and a number of features can be one of them."""
    torch.manual_seed(0)
    labels = (Y[:, 0] > 0).astype(np.int64)
    net = FSNetClassifier(
        network,
        module__n_outputs=2,
        criterion=nn.CrossEntropyLoss,
        max_epochs=20,
        train_split=None,
        **SETTINGS,
    )
    grid = GridSearchCV(net, {"n_features_to_select": [1, 3], "batch_size": [32]}, cv=2, error_score="raise")
    grid.fit(X, labels)
    assert grid.best_estimator_.get_support().sum() == grid.best_params_["n_features_to_select"]
    assert grid.best_estimator_.schedule == SETTINGS["schedule"]
    assert grid.best_estimator_.step_ == 20 * 3  # batches of 32 of 96 rows
    assert 0 <= grid.best_score_ <= 1


@pytest.mark.parametrize(("name", "package"), [("FSCallback", "lightning"), ("FSNetClassifier", "skorch")])
def test_a_missing_extra_is_one_sentence(monkeypatch, name, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError) as raised:
        getattr(snelfs.torch, name)
    expected = f"The layer in {package} needs the extra {package!r}: pip install 'snelfs[{package}]'."
    assert str(raised.value) == expected
