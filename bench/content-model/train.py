"""Learns the tables and the forests of the block model from what dump.ts wrote.

    python train.py tables FOLDER     writes FOLDER/tables.json
    python train.py forests FOLDER    writes FOLDER/models/*.json and FOLDER/versions.json
"""

import base64
import json
import platform
import sys
from importlib.metadata import version
from pathlib import Path

import lightgbm
import numpy as np
import scipy.sparse
from sklearn.linear_model import LogisticRegression

FOLDS = range(5)
BUCKETS = 1 << 14
# As in src/content/main-content/model.ts.
LEAF = 255

# Weights of words are kept as bytes; these steps use the range of a byte without cutting much off.
NAME_STEP = 1 / 64
WORD_STEP = 1 / 24

OF_DOCUMENTATION = 0.25

ROUNDS = 140
PARAMETERS = {
    "objective": "cross_entropy",
    "learning_rate": 0.11,
    "num_leaves": 31,
    "min_data_in_leaf": 200,
    "min_sum_hessian_in_leaf": 5.0,
    "lambda_l2": 20.0,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "extra_trees": True,
    "max_bin": 127,
    "seed": 7,
    # The same pages give the same forest, whatever the number of cores.
    "deterministic": True,
    "force_row_wise": True,
    "verbose": -1,
}


class Lessons:
    """All rows that teach something, and the pages they are from."""

    def __init__(self, folder):
        self.folder = folder
        index = json.loads((folder / "pages.json").read_text())
        self.features = index["features"]
        self.tags = index["tags"]
        pages = index["pages"]
        counts = np.array([page["rows"] for page in pages])
        self.starts = np.concatenate([[0], np.cumsum(counts)])
        self.fold = np.repeat([page["fold"] for page in pages], counts)
        self.is_training = np.repeat([page["split"] == "train" for page in pages], counts)
        self.has_snippets = [page["set"] == "traf" for page in pages]
        self.is_documentation = [page["set"] == "docs" for page in pages]
        self.shares = self.array("shares", np.float32)
        self.weights = self.array("weights", np.float32)

    def array(self, name, kind):
        return np.fromfile(self.folder / f"{name}.bin", dtype=kind)

    def weighted(self, power, of_snippets):
        """Every page counts the same, but one known by a few snippets counts less than one known whole.

        Pages of documentation are many and alike, so they count less too; and a lost term or cell of theirs is as bad as
        a lost paragraph, so their short blocks count more.
        """
        result = np.zeros_like(self.weights)
        for page, has_snippets in enumerate(self.has_snippets):
            rows = slice(self.starts[page], self.starts[page + 1])
            is_documentation = self.is_documentation[page]
            own = self.weights[rows] ** (1 if has_snippets else 0.5 if is_documentation else power)
            share = of_snippets if has_snippets else OF_DOCUMENTATION if is_documentation else 1
            if own.sum() > 0:
                result[rows] = own / own.sum() * 100 * share
        return result


def learn_tables(lessons):
    names = counted(lessons, "names", "name-counts")
    # An element in ten wrappers of one name is not ten times as much of it.
    names.data = np.minimum(names.data, 3)
    words = counted(lessons, "words", "word-counts")
    lengths = lessons.array("word-counts", np.uint16)
    words = scipy.sparse.diags_array(1 / np.sqrt(np.maximum(lengths, 1))).astype(np.float32) @ words
    weights = lessons.weighted(power=0.5, of_snippets=0.5)
    is_content = lessons.shares > 0.5
    tables = {}
    for name, rows in table_rows(lessons).items():
        tables[name] = {
            "names": as_bytes(linear(names[rows], is_content[rows], weights[rows], 0.02), NAME_STEP),
            "words": as_bytes(linear(words.tocsr()[rows], is_content[rows], weights[rows], 0.1), WORD_STEP),
        }
        print("tables", name, len(rows), flush=True)
    (lessons.folder / "tables.json").write_text(json.dumps(tables))


def table_rows(lessons):
    chosen = {"all": lessons.fold >= 0, "train": lessons.is_training}
    for fold in FOLDS:
        chosen[f"without-{fold}"] = lessons.fold != fold
        chosen[f"train-without-{fold}"] = lessons.is_training & (lessons.fold != fold)
    return {name: np.flatnonzero(rows) for name, rows in chosen.items()}


def counted(lessons, name, counts):
    buckets = lessons.array(name, np.uint16).astype(np.int32)
    ends = np.concatenate([[0], np.cumsum(lessons.array(counts, np.uint16), dtype=np.int64)])
    ones = np.ones(len(buckets), dtype=np.float32)
    rows = scipy.sparse.csr_array((ones, buckets, ends), shape=(len(ends) - 1, BUCKETS))
    rows.sum_duplicates()
    return rows


def linear(rows, is_content, weights, strength):
    learner = LogisticRegression(C=strength, solver="lbfgs", max_iter=80)
    return learner.fit(rows, is_content, sample_weight=weights).coef_[0]


def as_bytes(values, step):
    return encoded(np.clip(np.round(values / step), -127, 127), np.int8)


def learn_forests(lessons):
    tables = json.loads((lessons.folder / "tables.json").read_text())
    shape = (-1, len(lessons.features))
    target = np.clip(lessons.shares, 0, 1)
    weights = lessons.weighted(power=1.0, of_snippets=0.3)
    models = lessons.folder / "models"
    models.mkdir(exist_ok=True)

    def learn(name, features, table, target, weights):
        data = lightgbm.Dataset(features, target, weight=weights, feature_name=[f"f{at}" for at in range(shape[1])])
        forest = lightgbm.train(PARAMETERS, data, ROUNDS)
        kept = {"features": lessons.features, "tags": lessons.tags, **tables[table], **packed(forest)}
        (models / f"{name}.json").write_text(json.dumps(kept))
        print("forest", name, len(target), flush=True)

    features = lessons.array("features", np.float32).reshape(shape)
    learn("all", features, "all", target, weights)
    for fold in FOLDS:
        rows = np.flatnonzero(lessons.fold != fold)
        learn(f"fold-{fold}", features[rows], f"without-{fold}", target[rows], weights[rows])
    rows = np.flatnonzero(lessons.is_training)
    features = lessons.array("train-features", np.float32).reshape(shape)
    learn("train", features, "train", target[rows], weights[rows])


def packed(forest):
    """All trees in flat arrays, each node before those of its "at most" side, and those before the other side."""
    roots, splits, values, rights = [], [], [], []

    def walk(node):
        place = len(splits)
        is_leaf = "leaf_value" in node
        splits.append(LEAF if is_leaf else node["split_feature"])
        values.append(node["leaf_value"] if is_leaf else rounded_down(node["threshold"]))
        rights.append(0)
        if not is_leaf:
            assert node["decision_type"] == "<=" and node["missing_type"] == "None"
            walk(node["left_child"])
            rights[place] = len(splits)
            walk(node["right_child"])

    for tree in forest.dump_model()["tree_info"]:
        roots.append(len(splits))
        walk(tree["tree_structure"])
    return {
        "roots": encoded(roots, np.uint16),
        "splits": encoded(splits, np.uint8),
        "values": encoded(values, np.float32),
        "rights": encoded(rights, np.uint16),
    }


def rounded_down(threshold):
    """Features are floats of 32 bits: rounded up, a threshold could equal one that was beyond it."""
    short = np.float32(threshold)
    return np.nextafter(short, np.float32(-np.inf)) if short > threshold else short


def encoded(values, kind):
    return base64.b64encode(np.asarray(values).astype(kind).tobytes()).decode()


def main():
    what, folder = sys.argv[1], Path(sys.argv[2])
    lessons = Lessons(folder)
    if what == "tables":
        learn_tables(lessons)
    else:
        learn_forests(lessons)
        packages = ["lightgbm", "numpy", "scikit-learn", "scipy"]
        versions = {"python": platform.python_version(), **{name: version(name) for name in packages}}
        (folder / "versions.json").write_text(json.dumps(versions))


if __name__ == "__main__":
    main()
