"""An independent, slow SNeL-FS in float64 NumPy with gradients derived by hand from the paper.

One model, full batch, Adam. It shares no code with the package.
"""

import numpy as np


def softmax(Z):
    exponentials = np.exp(Z - Z.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1, keepdims=True)


def loss_and_slope(task, outputs, y):
    """Return each row's loss, and its derivative by the outputs."""
    if task == "binary":
        p = 1 / (1 + np.exp(-outputs[:, 0]))
        return -(y * np.log(p) + (1 - y) * np.log(1 - p)), (p - y)[:, None]
    if task == "multiclass":
        p, truth = softmax(outputs), np.eye(outputs.shape[1])[y]
        return -np.log((p * truth).sum(axis=1)), p - truth
    error = outputs - y
    return (error**2).mean(axis=1), 2 * error / y.shape[1]


def cox_loss_and_slope(risks, y, weights):
    """Return Breslow's negative log partial likelihood and its derivative, event by event."""
    times, events, strata = y[:, 0], y[:, 1], y[:, 3] if y.shape[1] > 3 else np.zeros(len(y))
    loss, slope = 0.0, np.zeros(len(risks))
    for i in np.flatnonzero((events > 0) & (weights > 0)):
        at_risk = weights * np.exp(risks) * (times >= times[i]) * (strata == strata[i])
        loss += weights[i] * (np.log(at_risk.sum()) - risks[i])
        slope += weights[i] * at_risk / at_risk.sum()
        slope[i] -= weights[i]
    return loss, slope


class Reference:
    """The method as the paper writes it, one epoch at a time; with a path past the hidden units if asked."""

    def __init__(self, X, y, task, W, layers, train, validation, alpha_l1, alpha_l2, direct=None):
        self.X, self.y, self.task = X.astype(np.float64), y, task
        given = [W, *(p for pair in layers for p in pair), *([] if direct is None else [direct])]
        self.parameters = [np.array(p, dtype=np.float64) for p in given]
        self.goes_past = direct is not None
        self.train, self.validation = train, validation
        self.alpha_l1, self.alpha_l2 = alpha_l1, alpha_l2
        self.first = [np.zeros_like(p) for p in self.parameters]
        self.second = [np.zeros_like(p) for p in self.parameters]
        self.steps = 0

    @property
    def dense(self):
        """Kernels and biases in turns."""
        return self.parameters[1:-1] if self.goes_past else self.parameters[1:]

    def forward(self):
        W, rest = self.parameters[0], self.dense
        activations = [self.X @ W]  # Eq. 15
        for kernel, bias in zip(rest[0:-2:2], rest[1:-2:2], strict=True):
            activations.append(np.maximum(activations[-1] @ kernel + bias, 0))
        past = activations[0] @ self.parameters[-1] if self.goes_past else 0.0
        return activations, activations[-1] @ rest[-2] + rest[-1] + past

    def penalties(self, rows):
        """Return Ω_S and Ω_A (Eq. 13) with the variance over weighted rows (Eq. 16)."""
        W = self.parameters[0]
        variances = rows @ (self.X @ W) ** 2
        return np.maximum(np.abs(W).sum(axis=0) - 1, 0).sum(), np.maximum(1 - variances, 0).sum()

    def losses(self, outputs):
        """Return the losses of training and validation rows."""
        if self.task != "survival":
            losses, _ = loss_and_slope(self.task, outputs, self.y)
            return self.train @ losses, self.validation @ losses
        events, weights = self.y[:, 1], self.y[:, 2]
        trained = weights * (self.train > 0)
        of_all, of_trained = (cox_loss_and_slope(outputs[:, 0], self.y, w)[0] for w in (weights, trained))
        held_out = weights @ events - trained @ events
        return of_trained / trained.sum(), (of_all - of_trained) / held_out

    def slope(self, outputs):
        """Return the derivative of the training loss by the outputs."""
        if self.task != "survival":
            return self.train[:, None] * loss_and_slope(self.task, outputs, self.y)[1]
        trained = self.y[:, 2] * (self.train > 0)
        slope = cox_loss_and_slope(outputs[:, 0], self.y, trained)[1]
        return (slope / trained.sum())[:, None]

    def measures(self, lambda_s, lambda_a):
        train_loss, validation_loss = self.losses(self.forward()[1])
        omega_s, omega_a = self.penalties(self.train)
        kernels = self.dense[::2]
        decay = sum(self.alpha_l1 * np.abs(k).sum() + self.alpha_l2 * (k**2).sum() for k in kernels)
        dim = self.parameters[0].shape[1]
        return {
            "train_loss": train_loss,
            "validation_loss": validation_loss,
            "sum_penalty": omega_s / dim,
            "variance_penalty": omega_a / dim,
            "objective": validation_loss
            + decay
            + lambda_s * omega_s
            + lambda_a * self.penalties(self.validation)[1],
        }

    def gradients(self, lambda_s, lambda_a):
        activations, outputs = self.forward()
        W, rest = self.parameters[0], self.dense
        delta = self.slope(outputs)
        past, backwards = 0.0, []
        if self.goes_past:  # no decay
            past, backwards = delta @ self.parameters[-1].T, [activations[0].T @ delta]
        for i in range(len(rest) // 2 - 1, -1, -1):
            kernel = rest[2 * i]
            decay = self.alpha_l1 * np.sign(kernel) + 2 * self.alpha_l2 * kernel
            backwards = [activations[i].T @ delta + decay, delta.sum(axis=0), *backwards]
            delta = delta @ kernel.T
            if i > 0:
                delta = delta * (activations[i] > 0)
        delta = delta + past
        A = activations[0]
        variances = self.train @ A**2
        by_sum = np.sign(W) * (np.abs(W).sum(axis=0) > 1)  # Eq. 14
        by_variance = -2 * self.X.T @ (self.train[:, None] * A) * (variances < 1)  # Eq. 18
        return [self.X.T @ delta + lambda_s * by_sum + lambda_a * by_variance, *backwards]

    def epoch(self, lambda_s, lambda_a, rate):
        """Take one step of Adam with Keras' constants."""
        gradients = self.gradients(lambda_s, lambda_a)
        self.steps += 1
        for p, g, m, v in zip(self.parameters, gradients, self.first, self.second, strict=True):
            m += 0.1 * (g - m)
            v += 0.001 * (g**2 - v)
            unbiased_m, unbiased_v = m / (1 - 0.9**self.steps), v / (1 - 0.999**self.steps)
            p -= rate * unbiased_m / (np.sqrt(unbiased_v) + 1e-7)
