"""Trains the tables and the forests of the block model on the files that dump.ts has written.

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
# Equals `leaf` in src/content/main-content/model.ts.
LEAF = 255

# Weights of names and words are stored as bytes. These steps use the range of a byte, and clip few weights.
NAME_STEP = 1 / 64
WORD_STEP = 1 / 24

# Weight of a documentation page. There are many of them, and they are similar.
DOCUMENTATION_PAGE_WEIGHT = 0.25

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
    # The same pages yield the same forest, independent of the number of cores.
    "deterministic": True,
    "force_row_wise": True,
    "verbose": -1,
}


class TrainingData:
    """Labelled blocks as rows, and the pages that contain them."""

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
        self.shares = self.read_array("shares", np.float32)
        self.weights = self.read_array("weights", np.float32)

    def read_array(self, name, dtype):
        return np.fromfile(self.folder / f"{name}.bin", dtype=dtype)

    def row_weights(self, power, snippet_page_weight):
        """Returns the weights of the rows. All pages have the same total weight, with two exceptions.

        A page with snippets as ground truth has a lower weight, because only the blocks with a snippet have labels.
        A documentation page has a lower weight, too. Its short blocks have a higher share of that weight, because a
        lost term or cell is as bad as a lost paragraph.
        """
        result = np.zeros_like(self.weights)
        for page, has_snippets in enumerate(self.has_snippets):
            rows = slice(self.starts[page], self.starts[page + 1])
            is_documentation = self.is_documentation[page]
            block_weights = self.weights[rows] ** (1 if has_snippets else 0.5 if is_documentation else power)
            page_weight = snippet_page_weight if has_snippets else DOCUMENTATION_PAGE_WEIGHT if is_documentation else 1
            if block_weights.sum() > 0:
                result[rows] = block_weights / block_weights.sum() * 100 * page_weight
        return result


def train_tables(training_data):
    names = read_counts(training_data, "names", "name-counts")
    # Ten nested elements with the same class name are not ten times as significant as one.
    names.data = np.minimum(names.data, 3)
    words = read_counts(training_data, "words", "word-counts")
    lengths = training_data.read_array("word-counts", np.uint16)
    words = scipy.sparse.diags_array(1 / np.sqrt(np.maximum(lengths, 1))).astype(np.float32) @ words
    weights = training_data.row_weights(power=0.5, snippet_page_weight=0.5)
    is_content = training_data.shares > 0.5
    tables = {}
    for name, rows in select_table_rows(training_data).items():
        tables[name] = {
            "names": quantize(fit_linear(names[rows], is_content[rows], weights[rows], 0.02), NAME_STEP),
            "words": quantize(fit_linear(words.tocsr()[rows], is_content[rows], weights[rows], 0.1), WORD_STEP),
        }
        print("tables", name, len(rows), flush=True)
    (training_data.folder / "tables.json").write_text(json.dumps(tables))


def select_table_rows(training_data):
    """Returns the row indexes of each table: all rows, those of the training split, and both without one fold."""
    masks = {"all": training_data.fold >= 0, "train": training_data.is_training}
    for fold in FOLDS:
        masks[f"without-{fold}"] = training_data.fold != fold
        masks[f"train-without-{fold}"] = training_data.is_training & (training_data.fold != fold)
    return {name: np.flatnonzero(mask) for name, mask in masks.items()}


def read_counts(training_data, name, lengths_name):
    """Reads lists of buckets, and returns how often each row contains each bucket, as a sparse matrix."""
    buckets = training_data.read_array(name, np.uint16).astype(np.int32)
    row_ends = np.concatenate([[0], np.cumsum(training_data.read_array(lengths_name, np.uint16), dtype=np.int64)])
    ones = np.ones(len(buckets), dtype=np.float32)
    rows = scipy.sparse.csr_array((ones, buckets, row_ends), shape=(len(row_ends) - 1, BUCKETS))
    rows.sum_duplicates()
    return rows


def fit_linear(rows, is_content, weights, inverse_regularization):
    regression = LogisticRegression(C=inverse_regularization, solver="lbfgs", max_iter=80)
    return regression.fit(rows, is_content, sample_weight=weights).coef_[0]


def quantize(values, step):
    return encode_array(np.clip(np.round(values / step), -127, 127), np.int8)


def train_forests(training_data):
    tables = json.loads((training_data.folder / "tables.json").read_text())
    shape = (-1, len(training_data.features))
    target = np.clip(training_data.shares, 0, 1)
    weights = training_data.row_weights(power=1.0, snippet_page_weight=0.3)
    models = training_data.folder / "models"
    models.mkdir(exist_ok=True)

    def train_forest(name, features, table, target, weights):
        feature_names = [f"f{index}" for index in range(shape[1])]
        data = lightgbm.Dataset(features, target, weight=weights, feature_name=feature_names)
        forest = lightgbm.train(PARAMETERS, data, ROUNDS)
        model = {"features": training_data.features, "tags": training_data.tags, **tables[table], **pack_forest(forest)}
        (models / f"{name}.json").write_text(json.dumps(model))
        print("forest", name, len(target), flush=True)

    features = training_data.read_array("features", np.float32).reshape(shape)
    train_forest("all", features, "all", target, weights)
    for fold in FOLDS:
        rows = np.flatnonzero(training_data.fold != fold)
        train_forest(f"fold-{fold}", features[rows], f"without-{fold}", target[rows], weights[rows])
    rows = np.flatnonzero(training_data.is_training)
    features = training_data.read_array("train-features", np.float32).reshape(shape)
    train_forest("train", features, "train", target[rows], weights[rows])


def pack_forest(forest):
    """Packs all trees into flat arrays, in depth-first order with the "at most" branch of each node first."""
    roots, splits, values, rights = [], [], [], []

    def add_node(node):
        index = len(splits)
        is_leaf = "leaf_value" in node
        splits.append(LEAF if is_leaf else node["split_feature"])
        values.append(node["leaf_value"] if is_leaf else round_down(node["threshold"]))
        rights.append(0)
        if not is_leaf:
            assert node["decision_type"] == "<=" and node["missing_type"] == "None"
            add_node(node["left_child"])
            rights[index] = len(splits)
            add_node(node["right_child"])

    for tree in forest.dump_model()["tree_info"]:
        roots.append(len(splits))
        add_node(tree["tree_structure"])
    return {
        "roots": encode_array(roots, np.uint16),
        "splits": encode_array(splits, np.uint8),
        "values": encode_array(values, np.float32),
        "rights": encode_array(rights, np.uint16),
    }


def round_down(threshold):
    """Rounds a threshold down to 32 bits, the size of features. Rounded up, it could equal a feature above it."""
    rounded = np.float32(threshold)
    return np.nextafter(rounded, np.float32(-np.inf)) if rounded > threshold else rounded


def encode_array(values, dtype):
    return base64.b64encode(np.asarray(values).astype(dtype).tobytes()).decode()


def main():
    command, folder = sys.argv[1], Path(sys.argv[2])
    training_data = TrainingData(folder)
    if command == "tables":
        train_tables(training_data)
    else:
        train_forests(training_data)
        packages = ["lightgbm", "numpy", "scikit-learn", "scipy"]
        versions = {"python": platform.python_version(), **{name: version(name) for name in packages}}
        (folder / "versions.json").write_text(json.dumps(versions))


if __name__ == "__main__":
    main()
