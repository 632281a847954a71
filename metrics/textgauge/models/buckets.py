"""Features of two samples in buckets that they share: PCA of scikit-learn, k-means of faiss."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import IntArray
from ..checks import line_to_install


class Clustering(NamedTuple):
    """How features are put into buckets.

    Attributes
    ----------
    explained_var : float
        The share of the variance that the components of PCA keep.
    n_redo, n_rounds : int
        The runs of k-means, of which the best one counts, and the most rounds of each.
    seeds : range
        One clustering for each.
    """

    explained_var: float
    n_redo: int
    n_rounds: int
    seeds: range


def packages() -> tuple[Any, Any]:
    """Import faiss and scikit-learn, or raise ImportError with the line that installs them."""
    try:
        import faiss
        import sklearn.decomposition
    except ImportError as error:
        needed = f"faiss and scikit-learn are not both installed ({line_to_install('mauve')}): {error}"
        raise ImportError(needed) from None
    return faiss, sklearn


def versions() -> dict[str, str]:
    """Return the versions of both packages as the fields of a signature."""
    return {package.__name__: package.__version__ for package in packages()}


def in_buckets(
    first: npt.NDArray[Any], second: npt.NDArray[Any], n_buckets: int, clustering: Clustering
) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield for each seed how many of the first, and of the second features are in every bucket.

    Parameters
    ----------
    first, second : float32 or float64, shape (n_texts, size)
    n_buckets : int
    clustering : Clustering

    Yields
    ------
    int64, shape (n_buckets,) each
    """
    faiss, sklearn = packages()
    # The order of mauve-text, on which the clusters depend.
    features = np.vstack((second, first))
    norms = np.sqrt((features * features).sum(axis=1, keepdims=True))
    norms[norms == 0] = 1
    features /= norms
    with np.errstate(invalid="ignore"):
        # No solver that draws numbers is chosen where all components are asked for, so that one serves all seeds.
        pca = sklearn.decomposition.PCA(random_state=clustering.seeds[0] + 1).fit(features)
        is_enough = np.cumsum(pca.explained_variance_ratio_) >= clustering.explained_var
    # None is enough where nothing varies, and where rounding leaves less than the whole.
    n_components = int(np.argmax(is_enough)) + 1 if is_enough.any() else len(is_enough)
    points = np.ascontiguousarray(pca.transform(features)[:, :n_components].astype(np.float32))
    for seed in clustering.seeds:
        with _one_thread(faiss):
            # The least number of points silences a warning, and changes nothing else.
            means = faiss.Kmeans(
                n_components, n_buckets, niter=clustering.n_rounds, nredo=clustering.n_redo, update_index=True,
                seed=seed + 2, min_points_per_centroid=1,
            )  # fmt: skip
            means.train(points)
            labels = means.index.search(points, 1)[1].ravel()
        of_first, of_second = labels[len(second) :], labels[: len(second)]
        yield np.bincount(of_first, minlength=n_buckets), np.bincount(of_second, minlength=n_buckets)


@contextmanager
def _one_thread(faiss: Any) -> Iterator[None]:
    """Let faiss run on one thread: sums of several differ in the last bits, and may move a text to another bucket."""
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)
