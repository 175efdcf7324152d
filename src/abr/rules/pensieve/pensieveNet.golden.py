"""Makes pensieveNet.golden.json: what a net whose numbers follow from their places answers to 20 states.

The net is that of src/abr/testWeights.testing.ts, computed here in double precision by numpy alone:

    python3 -m venv venv && venv/bin/pip install numpy==2.2.6
    venv/bin/python pensieveNet.golden.py > pensieveNet.golden.json
"""

import json

import numpy as np

RUNGS, HISTORY, WIDTH, STATES = 6, 8, 128, 20
SHAPES = [
    (1, WIDTH),  # last bitrate
    (1, WIDTH),  # buffer
    (HISTORY, WIDTH),  # rates
    (HISTORY, WIDTH),  # download times
    (RUNGS, WIDTH),  # next sizes
    (1, WIDTH),  # segments left
    (6 * WIDTH, WIDTH),  # merge
    (WIDTH, RUNGS),  # logits
]


def units(stream, count):
    """MurmurHash3's finaliser over stream and index, in [0, 1)."""
    mask = np.uint64(0xFFFFFFFF)
    h = (np.uint64(stream * 2**20) + np.arange(count, dtype=np.uint64)) & mask
    h = ((h ^ (h >> np.uint64(16))) * np.uint64(0x85EBCA6B)) & mask
    h = ((h ^ (h >> np.uint64(13))) * np.uint64(0xC2B2AE35)) & mask
    h = h ^ (h >> np.uint64(16))
    return h.astype(np.float64) / 2**32


def layer(index):
    inputs, outputs = SHAPES[index]
    kernel = (2 * units(2 * index, inputs * outputs) - 1) * np.sqrt(6 / inputs)
    bias = (2 * units(2 * index + 1, outputs) - 1) * 0.1
    # The file holds single precision; what is done with it here is double.
    return (
        kernel.astype(np.float32).astype(np.float64).reshape(inputs, outputs),
        bias.astype(np.float32).astype(np.float64),
    )


def state(index):
    values = 2 * units(1000 + index, 3 + 2 * HISTORY + RUNGS)
    # As many downloads as there have been: a young session has zeros before them.
    unknown = max(0, HISTORY - 1 - index)
    values[2 : 2 + unknown] = 0
    values[2 + HISTORY : 2 + HISTORY + unknown] = 0
    return values.astype(np.float32).astype(np.float64)


def odds(values, layers):
    rows = np.split(values, np.cumsum([1, 1, HISTORY, HISTORY, RUNGS]))
    branched = [np.maximum(row @ kernel + bias, 0) for row, (kernel, bias) in zip(rows, layers)]
    kernel, bias = layers[6]
    merged = np.maximum(np.concatenate(branched) @ kernel + bias, 0)
    kernel, bias = layers[7]
    logits = merged @ kernel + bias
    shares = np.exp(logits - logits.max())
    return shares / shares.sum()


layers = [layer(index) for index in range(len(SHAPES))]
answers = [[round(float(share), 9) for share in odds(state(index), layers)] for index in range(STATES)]
print("[\n  " + ",\n  ".join(json.dumps(answer) for answer in answers) + "\n]")
