"""Work in batches on threads of this process, on any executor with the interface of `concurrent.futures`, on Dask.

What is sent carries all that it needs. Dask sends a batch again whose worker was lost, some times
(`distributed.scheduler.allowed-failures`); a batch that lost them all is taken apart, and cases that still lose theirs are run
once more, one after the other with nothing beside them, so that no case answers for its neighbour.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
import os
import pickle
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from typing import Any, Generic, TypeVar

from ._errors import Error, InputError

Item = TypeVar("Item")
Answer = TypeVar("Answer")
#: Work on one item. It looks at the event now and then, and raises `Stopped` when that is set.
Work = Callable[[Item, threading.Event], Answer]

#: Batches that wait for each worker, so that none is idle while its answer travels.
_AHEAD = 3
#: A batch takes about this long (s): a scheduler's millisecond per task does not show, and little is lost with a worker.
_BATCH = 0.5
#: Most items in a batch.
_LARGEST = 1000
#: Work above this size (bytes) goes to every worker of Dask once, not with each batch.
_LARGE = 256 * 1024
#: How long the number of Dask's workers is taken for granted (s).
_RECOUNT = 2.0
#: How often somebody who waits looks for Ctrl-C where that does not interrupt waiting (s).
_LOOK = 0.25


class Stopped(Exception):
    """Work that was given up because nobody wants its answer any more."""


class Lost(Error):
    """Workers are gone, and with them the sweep; rows that had arrived are kept."""


def each(
    work: Work[Item, Answer],
    items: Sequence[Item],
    *,
    lost: Callable[[Item, str], Answer],
    executor: Any = None,
    jobs: int | None = None,
    batch: int | None = None,
) -> Generator[list[Answer], None, None]:
    """Answers in batches, as they come. `lost` answers for an item that kills every worker it comes to."""
    for name, number in (("jobs", jobs), ("batch", batch)):
        if number is not None and not (isinstance(number, int) and number > 0):
            raise InputError(f"{name} is {number!r}; it must be a whole number from 1 on")
    if executor is None:
        with _Threads(work, jobs) as threads:
            yield from _Crew(threads, lost, len(items), batch or 1).run(items)
    else:
        yield from _Crew(_pool(work, executor, jobs), lost, len(items), batch).run(items)


class _Pool(Generic[Item, Answer]):
    """Somebody who takes batches."""

    def workers(self) -> int:
        """How many work at the same time."""
        raise NotImplementedError

    def submit(self, items: Sequence[Item]) -> Any:
        """Sends a batch; the answer is a future of its answers and of the seconds it took."""
        raise NotImplementedError

    def check(self) -> None:
        """Complains if no answer will come any more."""

    def stop(self) -> None:
        """Nobody wants answers any more."""


class _Threads(_Pool[Item, Answer]):
    """Threads of this process: nothing is copied, and Python is free while Carom computes."""

    def __init__(self, work: Work[Item, Answer], jobs: int | None, executor: ThreadPoolExecutor | None = None) -> None:
        self._workers = jobs or (executor and executor._max_workers) or os.cpu_count() or 1
        self._stop = threading.Event()
        self._work = work
        self._own = executor is None
        self._executor = executor or ThreadPoolExecutor(self._workers, thread_name_prefix="carom")

    def workers(self) -> int:
        return self._workers

    def submit(self, items: Sequence[Item]) -> Any:
        return self._executor.submit(_do, self._work, items, self._stop)

    def stop(self) -> None:
        self._stop.set()

    def __enter__(self) -> _Threads[Item, Answer]:
        return self

    def __exit__(self, *_: Any) -> None:
        self._stop.set()
        if self._own:
            self._executor.shutdown(wait=True, cancel_futures=True)


class _Processes(_Pool[Item, Answer]):
    """Workers of an executor, which get copies."""

    def __init__(self, work: Any, executor: Any, jobs: int | None) -> None:
        self._submit, self._packed = executor.submit, _pack(work)
        self._workers = int(jobs or getattr(executor, "_max_workers", None) or os.cpu_count() or 1)

    def workers(self) -> int:
        return self._workers

    def submit(self, items: Sequence[Item]) -> Any:
        return self._submit(_unpack_and_do, self._packed, items)


class _Dask(_Pool[Item, Answer]):
    """Workers of a Client of Dask; there may be more of them, or fewer, from one moment to the next."""

    def __init__(self, work: Any, client: Any, jobs: int | None) -> None:
        if client.asynchronous:
            raise InputError("the Client of Dask is asynchronous; a sweep needs one that waits: Client(...)")
        self._submit = functools.partial(client.submit, _unpack_and_do, pure=False)
        self._client = client
        self._jobs, self._workers, self._counted = jobs, 1, -math.inf
        packed = _pack(work)
        self._packed = packed if len(packed) < _LARGE else client.scatter(packed, broadcast=True)

    def workers(self) -> int:
        if self._jobs is not None:
            return self._jobs
        self.check()
        if time.monotonic() > self._counted + _RECOUNT:
            self._workers, self._counted = max(1, sum(self._client.nthreads().values())), time.monotonic()
        return self._workers

    def check(self) -> None:
        # futures of a Client that was closed may never say so
        if getattr(self._client, "status", "running") in ("closing", "closed"):
            raise Lost("the Client of Dask was closed while its workers were at work")

    def submit(self, items: Sequence[Item]) -> Any:
        return self._submit(self._packed, items)


def _pool(work: Any, executor: Any, jobs: int | None) -> _Pool[Any, Any]:
    if isinstance(executor, ThreadPoolExecutor):
        return _Threads(work, jobs, executor)
    if not callable(getattr(executor, "submit", None)):
        raise InputError(f"{executor!r} has no `submit`: an executor of concurrent.futures, or a Client of Dask")
    return (_Dask if hasattr(executor, "scheduler_info") else _Processes)(work, executor, jobs)


def _pack(work: Any) -> bytes:
    try:
        # comes with Dask; knows functions that were written at the prompt
        import cloudpickle  # type: ignore[import-untyped, unused-ignore]

        dumps = cloudpickle.dumps
    except ImportError:
        dumps = pickle.dumps
    try:
        packed: bytes = dumps(work)
    except Exception as error:
        raise InputError(
            f"the sweep cannot be sent to other processes: {error}; write functions in a module, or install cloudpickle, "
            "or leave out the executor to run on threads here"
        ) from error
    return packed


def _do(work: Work[Item, Answer], items: Sequence[Item], stop: threading.Event) -> tuple[list[Answer], float]:
    begin = time.perf_counter()
    answers = [work(item, stop) for item in items]
    return answers, time.perf_counter() - begin


#: The last work that came, so that the next batch of the same sweep need not unpack it.
_last: tuple[bytes, Any] = (b"", None)


def _unpack_and_do(packed: bytes, items: Sequence[Any]) -> tuple[list[Any], float]:
    global _last
    key, work = _last
    if key != packed:
        work = pickle.loads(packed)
        _last = (packed, work)
    return _do(work, items, threading.Event())


class _Crew(Generic[Item, Answer]):
    """Keeps workers busy."""

    def __init__(
        self, pool: _Pool[Item, Answer], lost: Callable[[Item, str], Answer], items: int, batch: int | None
    ) -> None:
        self._pool, self._lost, self._left, self._batch = pool, lost, items, batch
        self._seconds = math.nan
        self._ready: queue.SimpleQueue[Any] = queue.SimpleQueue()
        #: Futures by number: they stay alive here, and one of Dask need not be hashable.
        self._waiting: dict[int, tuple[Any, list[Item]]] = {}
        self._number = 0

    def run(self, items: Sequence[Item]) -> Iterator[list[Answer]]:
        rest = iter(items)
        again: list[list[Item]] = []
        suspects: list[Item] = []
        try:
            while True:
                while len(self._waiting) < _AHEAD * self._pool.workers():
                    some = again.pop() if again else self._take(rest)
                    if not some:
                        break
                    self._send(some)
                alone = not self._waiting
                if alone:
                    if not suspects:
                        return
                    self._send([suspects.pop()])
                future, some = self._waiting.pop(self._next())
                try:
                    answers, seconds = future.result()
                except BaseException as error:
                    if not _is_lost(error):
                        raise
                    if alone:
                        yield [self._lost(some[0], f"it lost its worker every time: {error}")]
                    elif len(some) > 1:
                        again.extend([one] for one in some)
                    else:
                        suspects.extend(some)
                    continue
                finally:
                    del future
                self._learn(seconds / len(some))
                yield answers
        finally:
            self._pool.stop()
            for future, _ in self._waiting.values():
                with contextlib.suppress(Exception):  # a Client that was closed has nothing to cancel
                    future.cancel()

    def _take(self, rest: Iterator[Item]) -> list[Item]:
        size = self._batch
        if size is None:
            # one each, to see how long it takes; then as many as take the time of a batch, and towards the end fewer, so that
            # all workers end together
            size = 1 if math.isnan(self._seconds) else int(min(_BATCH / max(self._seconds, 1e-9), _LARGEST))
            size = max(1, min(size, math.ceil(self._left / (2 * self._pool.workers()))))
        some = list(itertools.islice(rest, size))
        self._left -= len(some)
        return some

    def _send(self, some: list[Item]) -> None:
        try:
            future = self._pool.submit(some)
        except BrokenExecutor as error:
            raise Lost(f"the executor lost a worker and takes no more work: {error}") from error
        self._number += 1
        number = self._number
        self._waiting[number] = (future, some)
        future.add_done_callback(lambda _: self._ready.put(number))

    def _next(self) -> int:
        while True:
            try:
                return int(self._ready.get(timeout=_LOOK))
            except queue.Empty:
                self._pool.check()

    def _learn(self, seconds: float) -> None:
        self._seconds = seconds if math.isnan(self._seconds) else 0.7 * self._seconds + 0.3 * seconds


def _is_lost(error: BaseException) -> bool:
    """Whether a worker was lost, and not a run."""
    if isinstance(error, BrokenExecutor) or type(error).__name__ in _GONE:
        raise Lost(f"the executor lost a worker and takes no more work: {error}") from error
    return type(error).__name__ == "KilledWorker"


#: What comes from Dask when its scheduler is gone, or was told to forget all.
_GONE = ("CancelledError", "FutureCancelledError", "FuturesCancelledError", "CommClosedError")
