"""The engine: agreement with the slow reference, the best-model rule, restarts, batches, chunks."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from reference import Reference
from snelfs.data.splits import split_weights
from snelfs.engine import saliency, training
from snelfs.engine.epochs import deal, shuffled_batches, take_rows
from snelfs.engine.layer import with_functions
from snelfs.engine.objective import Constants, Epoch, Plan, Problem, objective
from snelfs.engine.optimizers import OPTIMIZERS
from snelfs.engine.schedule import nested_schedule
from snelfs.engine.training import start_parameters, train
from snelfs.search.curves import column_functions

N_ROWS, N_COLUMNS, DIM, N_EPOCHS = 40, 12, 3, 50
CENSORED = ("survival", "strata")
ALPHAS = (0.01, 0.02)
CONSTANTS = Constants(*np.float32([*ALPHAS, 0.3]))


def make_target(task, generator):
    if task == "binary":
        return generator.integers(0, 2, N_ROWS).astype(np.int32), 1
    if task == "multiclass":
        return generator.integers(0, 3, N_ROWS).astype(np.int32), 3
    if task in CENSORED:
        times, events = generator.integers(0, 15, N_ROWS), generator.integers(0, 2, N_ROWS)
        # Rows of weight 1, 2 or 3; as the engine takes them the times come first, stratum after stratum.
        columns = [times, events, 1 + np.arange(N_ROWS) % 3]
        if task == "strata":
            strata = np.arange(N_ROWS) % 3
            columns = [times + 100 * strata, *columns[1:], strata]
        return np.stack(columns, axis=1).astype(np.float32), 1
    n_targets = 1 if task == "regression" else 2
    return generator.standard_normal((N_ROWS, n_targets)).astype(np.float32), n_targets


def make_case(task="binary", n_restarts=2, **plan):
    """Return a small problem, its start and its plan; the third column is tied to the target."""
    generator = np.random.default_rng(5)
    y, n_outputs = make_target(task, generator)
    X = generator.standard_normal((N_ROWS, N_COLUMNS))
    X[:, 2] += 2 * y.reshape(N_ROWS, -1)[:, 0] % 100
    X = ((X - X.mean(axis=0)) / X.std(axis=0)).astype(np.float32)
    groups = np.zeros(N_ROWS, dtype=np.int64)
    row_weights = y[:, 2] if task in CENSORED else np.ones(N_ROWS)
    train_part, validation_part = split_weights(groups, row_weights, 0.25, n_restarts, seed=1)
    weights = [w.astype(np.float32) for w in (train_part, validation_part) * 2]
    task = {"multi-output": "regression", "strata": "survival"}.get(task, task)
    plan = Plan(task, n_outputs, DIM, plan.pop("hidden", (5, 4)), plan.pop("scoring", "loss"), **plan)
    start = start_parameters(np.ones(N_COLUMNS), n_restarts, plan, seed=3)
    # Σ|w| = 1.5 from the start, so that both penalties are at work at once.
    return Problem(X, y.T, *weights), start._replace(W=3 * start.W), plan


def make_epochs(high=1.0, rate=0.01):
    schedule = nested_schedule((high / 10, high), (high / 10, high), (3, 3), (1, 2), 1)
    rates = np.full(N_EPOCHS, rate, np.float32)
    return Epoch(schedule.lambda_s[:N_EPOCHS], schedule.lambda_a[:N_EPOCHS], rates)


def run(case, epochs=None, seed=0):
    problem, start, plan = case
    return train(problem, start, epochs or make_epochs(), CONSTANTS, plan, seed)


def reference_for(case, restart):
    problem, start, plan = case
    layers = [(d.kernel[restart], d.bias[restart]) for d in start.layers]
    rows = (problem.train[restart], problem.validation[restart])
    direct = None if start.direct is None else start.direct[restart]
    return Reference(problem.X, problem.y.T, plan.task, start.W[restart].T, layers, *rows, *ALPHAS, direct)


@pytest.fixture(scope="module")
def binary_run():
    return run(make_case())


# -- agreement with the paper's equations -----------------------------------------------------------


@pytest.mark.parametrize("task", ["binary", "multiclass", "regression", "multi-output", "direct", *CENSORED])
def test_fifty_epochs_agree_with_the_numpy_reference(task):
    """Losses, penalties, validation objective and weights follow the paper's own gradients."""
    # Risk sets are sums of many numbers: a long step over a hinge would make rounding visible, and so would
    # one of what starts at zero.
    case = make_case("multi-output", direct=True) if task == "direct" else make_case(task)
    epochs = make_epochs(rate=0.002 if task in ("direct", *CENSORED) else 0.01)
    trained = run(case, epochs)
    for restart in range(2):
        reference = reference_for(case, restart)
        for i, (lambda_s, lambda_a, rate) in enumerate(zip(*epochs, strict=True)):
            reference.epoch(float(lambda_s), float(lambda_a), float(rate))
            for name, value in reference.measures(float(lambda_s), float(lambda_a)).items():
                ours = getattr(trained.history, name)[restart, i]
                assert ours == pytest.approx(value, rel=1e-3, abs=1e-3), (name, i)
        ours = [trained.last.W[restart].T, *(p[restart] for dense in trained.last.layers for p in dense)]
        ours += [] if trained.last.direct is None else [trained.last.direct[restart]]
        if task in CENSORED:
            ours[-1] = reference.parameters[-1]  # a bias common to all risks changes nothing
        for mine, theirs in zip(ours, reference.parameters, strict=True):
            np.testing.assert_allclose(mine, theirs, atol=5e-3 if task in CENSORED else 1e-3)
    penalties = trained.history
    assert penalties.sum_penalty.max() > 0.05, "Ω_S must have been at work for the test to mean anything"
    assert penalties.variance_penalty.max() > 0.05, "and so must Ω_A"


def test_the_gradient_of_the_objective_agrees_with_the_reference_at_the_start():
    """Before any step, the compiled gradient is the hand-derived one to single precision."""
    case = make_case("multiclass", n_restarts=1)
    problem, start, plan = case
    epoch = Epoch(*np.float32([0.3, 0.7, 0.0]))
    slope = jax.grad(objective, has_aux=True)
    gradient, _ = jax.jit(lambda start: slope(start, problem, CONSTANTS, epoch, plan))(start)
    reference = reference_for(case, 0)
    expected = reference.gradients(0.3, 0.7)
    ours = [gradient.W[0].T, *(p[0] for dense in gradient.layers for p in dense)]
    for mine, theirs in zip(ours, expected, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-6)


def test_columns_of_one_function_train_as_the_plain_layer():
    """The generalised layer is the paper's where a column has no functions but itself."""
    problem, start, plan = make_case()
    curved = problem._replace(X=problem.X[:, None]), start._replace(W=start.W[:, :, None]), plan
    plain, ours = run((problem, start, plan)), run(curved)
    assert ours.W.shape == (2, DIM, 1, N_COLUMNS)
    np.testing.assert_allclose(ours.W[:, :, 0], plain.W, atol=1e-5)
    np.testing.assert_array_equal(ours.best_epoch, plain.best_epoch)


def test_a_neuron_learns_the_transform_of_the_column_it_copies():
    """The target is the second function of the third column; the plain layer cannot tell."""
    problem, start, plan = make_case("regression", hidden=(5,))
    X = column_functions(problem.X, np.ones(N_ROWS), 2)
    wide = start._replace(W=with_functions(start.W, 2))
    trained = run((problem._replace(X=X, y=X[:, 1, 2][None]), wide, plan), make_epochs(rate=0.03))
    assert (saliency.max_weight(trained.W).argmax(axis=1) == 2).all()
    assert np.abs(trained.W[:, :, 1, 2]).max() > np.abs(trained.W[:, :, 0, 2]).max()


def test_without_penalties_the_model_is_a_plain_network():
    """With λ_S = λ_A = 0 the penalties neither move the weights nor enter the objective."""
    case = make_case(n_restarts=1)
    epochs = make_epochs()._replace(lambda_s=np.zeros(N_EPOCHS, "f4"), lambda_a=np.zeros(N_EPOCHS, "f4"))
    trained, reference = run(case, epochs), reference_for(case, 0)
    for rate in epochs.rate:
        reference.epoch(0.0, 0.0, float(rate))
    np.testing.assert_allclose(trained.last.W[0].T, reference.parameters[0], atol=1e-3)


# -- the best-model rule ----------------------------------------------------------------------------


def test_history_names_the_epoch_that_the_rule_chose(binary_run):
    """The best epoch is admitted and has the best score of the admitted ones."""
    history = binary_run.history
    for restart, epoch in enumerate(binary_run.best_epoch):
        admitted = history.admitted[restart]
        if admitted.any():
            assert admitted[epoch]
            best = history.score[restart][admitted].max()
            assert history.score[restart, epoch] == pytest.approx(best, abs=2e-6)
        else:
            worse = np.maximum(history.sum_penalty, history.variance_penalty)[restart]
            assert epoch == worse.argmin()


def test_best_weights_belong_to_the_best_epoch(binary_run):
    """Training again just up to the best epoch ends with the very weights that were kept."""
    restart = 0
    stop = int(binary_run.best_epoch[restart]) + 1
    again = run(make_case(), Epoch(*(values[:stop] for values in make_epochs())))
    np.testing.assert_array_equal(again.last.W[restart], binary_run.W[restart])


# -- repetition, restarts, chunks -------------------------------------------------------------------


def test_the_same_seed_gives_the_same_bits(binary_run):
    """A second run repeats the first exactly."""
    again = run(make_case())
    np.testing.assert_array_equal(again.W, binary_run.W)
    np.testing.assert_array_equal(again.history.objective, binary_run.history.objective)


def test_a_restart_does_not_depend_on_those_beside_it(binary_run):
    """Restart 0 of two is the single restart, up to the rounding of a wider product."""
    alone = run(make_case(n_restarts=1))
    np.testing.assert_allclose(alone.last.W[0], binary_run.last.W[0], atol=1e-4)


def test_where_a_chunk_ends_changes_no_bit(binary_run, monkeypatch):
    """Progress reports cut the loop at other places without touching the result."""
    monkeypatch.setattr(training, "CHUNK_SECONDS", 0.0)
    seen = []
    problem, start, plan = make_case()
    cut = train(problem, start, make_epochs(), CONSTANTS, plan, on_progress=lambda *at: seen.append(at))
    np.testing.assert_array_equal(cut.W, binary_run.W)
    np.testing.assert_array_equal(cut.history.objective, binary_run.history.objective)
    assert len(seen) > 1
    assert seen[-1] == (N_EPOCHS, N_EPOCHS)


def test_a_raised_interrupt_ends_the_training():
    """What the progress callback raises reaches the caller."""

    def interrupt(*_):
        raise KeyboardInterrupt

    problem, start, plan = make_case()
    with pytest.raises(KeyboardInterrupt):
        train(problem, start, make_epochs(), CONSTANTS, plan, on_progress=interrupt)


def test_everything_on_the_device_is_single_precision():
    """No array of the state is wider than four bytes."""
    _, start, plan = make_case()
    first = Epoch(*(values[0] for values in make_epochs()))
    state = training._start(start, np.zeros(2, np.uint32), first, N_ROWS, plan)
    assert {leaf.dtype.itemsize for leaf in jax.tree.leaves(state)} <= {1, 4}


@pytest.mark.parametrize("optimizer", sorted(OPTIMIZERS))
def test_every_optimiser_lowers_the_training_loss(optimizer):
    """Each name trains, and not by standing still."""
    rate = {"sgd": 0.5, "momentum": 0.1, "adagrad": 0.1}.get(optimizer, 0.02)
    case = make_case(n_restarts=1, hidden=(5,), optimizer=optimizer)
    trained = run(case, make_epochs(high=0.01, rate=rate))
    loss = trained.history.train_loss[0]
    assert loss[-1] < loss[0] - 0.01


# -- mini-batches -----------------------------------------------------------------------------------


def test_a_mini_batch_of_all_rows_is_the_full_batch(binary_run):
    """One batch that holds every row takes the same steps, whatever the order of the rows."""
    trained = run(make_case(batch_rows=N_ROWS))
    np.testing.assert_allclose(trained.history.objective, binary_run.history.objective, atol=2e-3)


def test_mini_batches_train_and_depend_on_the_seed_alone():
    """Batches that do not divide the rows work, repeat with the seed and change with it."""
    case = make_case(batch_rows=7)
    epochs = make_epochs(high=0.01)
    first, again, other = (run(case, epochs, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.W, again.W)
    assert not np.array_equal(first.W, other.W)
    assert first.history.train_loss[0, -1] < first.history.train_loss[0, 0]


def test_batches_deal_out_every_row_once():
    """An epoch sees each row in exactly one batch; the last batch is filled with no-rows."""
    batches = np.asarray(shuffled_batches(jax.random.key(0), 10, 4))
    assert batches.shape == (3, 4)
    assert sorted(batches.ravel()) == [-1, -1, *range(10)]


def test_the_weights_of_a_batch_sum_to_one_again():
    """Variance and loss of a mini-batch are means over its own training rows; a no-row weighs nothing."""
    problem, _, _ = make_case()
    given = Problem(*map(jnp.asarray, problem[:6]), beside=problem.X[:, :2])
    batch = take_rows(given, jnp.array([3, 5, 8, 13, -1]))
    np.testing.assert_array_equal(batch.beside, batch.X[:, :2])
    for weights in batch[2:6]:
        totals = np.asarray(weights.sum(axis=1))
        assert np.all(np.isclose(totals, 1) | (totals == 0))
        assert (weights[:, -1] == 0).all()


def test_parameters_start_as_the_paper_says():
    """The layer starts at 1/(2m) and the biases at zero."""
    _, _, plan = make_case()
    start = start_parameters(np.ones(N_COLUMNS), 2, plan)
    np.testing.assert_allclose(start.W, 1 / (2 * N_COLUMNS))
    assert all(not dense.bias.any() for dense in start.layers)


def test_an_epoch_of_one_batch_sees_all_rows_in_turn():
    """Of three batches each is taken once before any is taken again, and trains as well as all rows do."""
    case = make_case(n_restarts=1, batch_rows=14, one_batch=True)
    trained = run(case, make_epochs(high=0.01, rate=0.02))
    loss = trained.history.train_loss[0]
    assert loss[-5:].mean() < loss[:5].mean()


def test_batches_are_dealt_anew_once_all_were_taken():
    """The same three for three epochs, then three others; each deal has a key of its own."""
    _, start, plan = make_case(n_restarts=1, batch_rows=14, one_batch=True)
    first = Epoch(*(values[0] for values in make_epochs()))
    state = training._start(start, jax.random.key_data(jax.random.key(0)), first, N_ROWS, plan)
    deals = []
    for epoch in range(6):
        state = deal(state._replace(epoch=jnp.int32(epoch)), N_ROWS, plan)
        deals.append(np.asarray(state.dealt))
    for epoch, dealt in enumerate(deals):
        key = jax.random.fold_in(jax.random.key(0), epoch // 3)
        np.testing.assert_array_equal(dealt, shuffled_batches(key, N_ROWS, 14))
    assert not np.array_equal(deals[2], deals[3])


def test_class_weights_count_in_the_score_of_an_epoch():
    """The score by the loss is minus the validation loss, also where rows of one class cost more."""
    problem, start, plan = make_case(n_restarts=1)
    costs = problem.validation * np.where(problem.y == 1, 5.0, 1.0)
    costly = problem._replace(validation_cost=(costs / costs.sum(axis=1, keepdims=True)).astype(np.float32))
    plain, weighted = run((problem, start, plan)).history, run((costly, start, plan)).history
    np.testing.assert_allclose(weighted.score, -weighted.validation_loss, rtol=1e-5)
    assert not np.allclose(weighted.score, plain.score)
