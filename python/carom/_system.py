"""Systems whose functions are Python's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._model import Model
    from ._result import Array


class System:
    """A mechanism of your own: M(q) v' = h(t,q,v) + Gᵀ λ + W P, with q' = v.

    Write what differs from the usual; every scheme runs it. Units are SI.

    >>> import carom
    >>> class Ball(carom.System):
    ...     q, v = [1.0], [0.0]
    ...     contacts = [("floor", 0.5, None)]
    ...     def mass(self, t, q): return [[1.0]]
    ...     def force(self, t, q, v): return [-10.0]
    ...     def gaps(self, t, q): return [q[0]]
    ...     def directions(self, t, q): return [[1.0]]
    ...     def energy(self, t, q, v): return 0.5 * v[0] ** 2, 10.0 * q[0]
    >>> result = Ball().model().run(step=1e-3, end=1.0)
    >>> bool(abs(result["q.0"][-1]) < 1.0)
    True
    """

    #: Coordinates and velocities at the start, as many of both.
    q: Sequence[float] = ()
    v: Sequence[float] = ()
    #: Rows of the bilateral constraints: a name, and "length" or "angle".
    constraints: Sequence[tuple[str, str]] = ()
    #: Contacts: name, restitution, friction (None: one row; a number: rows N and T).
    contacts: Sequence[tuple[str, float, float | None]] = ()
    #: A length typical of it (m).
    length: float = 1.0
    #: Whether M never changes.
    mass_is_constant: bool = False

    @property
    def channels(self) -> list[tuple[str, str, str]]:
        """What `observe` answers: subject, quantity, unit."""
        return [(name, str(i), unit) for name, unit in (("q", "m"), ("v", "m/s")) for i in range(len(self.q))]

    def model(self, name: str | None = None) -> Model:
        """To be run."""
        from ._model import Model

        return Model.from_system(self, name)

    def wrong_derivatives(self, tolerance: float = 1e-5) -> list[str]:
        """Compares `jacobian`, `closure_rate`, the biases, `tangents` and the normal rows of `directions` with differences of
        `closure`, `force` and `gaps` where it starts, and tells what is off by more than `tolerance`. Start it where nothing is
        zero by chance.

        >>> import carom
        >>> class Slip(carom.System):
        ...     q, v = [0.6, -0.8], [0.4, 0.3]
        ...     constraints = [("rod", "length")]
        ...     def mass(self, t, q): return [[1.0, 0.0], [0.0, 1.0]]
        ...     def force(self, t, q, v): return [0.0, -9.81]
        ...     def closure(self, t, q): return [(q @ q - 1.0) / 2]
        ...     def jacobian(self, t, q): return [[q[0], -q[1]]]    # a wrong sign
        >>> Slip().wrong_derivatives()[0]
        'G[0,1]: given 8e-1, by differences -8...e-1'
        """
        return self.model()._setup().wrong_derivatives(tolerance)

    def mass(self, t: float, q: Array) -> Any:
        """M, n by n, symmetric."""
        raise NotImplementedError("a system needs `mass(t, q)`")

    def force(self, t: float, q: Array, v: Array) -> Any:
        """h: every smooth force."""
        raise NotImplementedError("a system needs `force(t, q, v)`")

    def tangents(self, t: float, q: Array, v: Array) -> tuple[Any, Any]:
        """K = −∂h/∂q and C = −∂h/∂v; by differences unless told."""
        import numpy as np

        def derivative(of: Any, x: Array) -> Any:
            columns = []
            for i in range(len(x)):
                e = 6e-6 * max(abs(x[i]), 1.0)
                up, down = x.copy(), x.copy()
                up[i] += e
                down[i] -= e
                columns.append((np.asarray(of(up), float) - np.asarray(of(down), float)) / (up[i] - down[i]))
            return -np.array(columns).T

        return derivative(lambda x: self.force(t, x, v), q), derivative(lambda x: self.force(t, q, x), v)

    def closure(self, t: float, q: Array) -> Any:
        """Φ, a number for each row of `constraints`."""
        raise NotImplementedError("a system with `constraints` needs `closure(t, q)`")

    def jacobian(self, t: float, q: Array) -> Any:
        """G = ∂Φ/∂q, rows by n."""
        raise NotImplementedError("a system with `constraints` needs `jacobian(t, q)`")

    def closure_rate(self, t: float, q: Array) -> Any:
        """∂Φ/∂t."""
        return [0.0] * len(self.constraints)

    def closure_bias(self, t: float, q: Array, v: Array) -> Any:
        """The part of d²Φ/dt² without v'; by differences unless told."""
        import numpy as np

        def rate(s: float) -> Any:
            at = q + s * v
            return np.asarray(self.jacobian(t + s, at), float) @ v + np.asarray(self.closure_rate(t + s, at), float)

        return _slope(rate, v)

    def gaps(self, t: float, q: Array) -> Any:
        """g_N of every contact."""
        raise NotImplementedError("a system with `contacts` needs `gaps(t, q)`")

    def directions(self, t: float, q: Array) -> Any:
        """Rows of Wᵀ, U = Wᵀ v: for each contact dg_N/dq, and below it the row of sliding where it has friction."""
        raise NotImplementedError("a system with `contacts` needs `directions(t, q)`")

    def contact_bias(self, t: float, q: Array, v: Array) -> Any:
        """The part of dU/dt without v'; by differences unless told."""
        import numpy as np

        return _slope(lambda s: np.asarray(self.directions(t + s, q + s * v), float) @ v, v)

    def energy(self, t: float, q: Array, v: Array) -> tuple[float, float]:
        """Kinetic and potential energy; the audit balances them. ½ vᵀ M v and nothing unless told."""
        import numpy as np

        return 0.5 * float(v @ np.asarray(self.mass(t, q), float) @ v), 0.0

    def observe(self, t: float, q: Array, v: Array) -> Any:
        """Values of `channels`."""
        return [*q, *v]


def _slope(of: Any, v: Array) -> Any:
    fastest = max([1.0, *(abs(x) for x in v)])
    e = 6e-6 / fastest
    return (of(e) - of(-e)) / (2 * e)
