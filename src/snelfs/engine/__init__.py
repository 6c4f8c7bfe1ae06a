"""The paper in JAX: all restarts of the layer trained in one compiled loop."""

__all__: list[str] = []
