"""An ONNX file as a file of weights: `export_onnx.py MODEL.onnx FILE --name NAME`.

Only the initialisers are read: tensors by name, those of `Policy.state_dict()` ("context.weight", [outputs, inputs]), whatever
stands before them ("policy.context.weight"). An exporter that transposed a matrix and renamed it is refused with the names
that are there: export with do_constant_folding=False.
"""

import argparse
from pathlib import Path

import numpy as np
import torch

from chunk_env import CONTEXT, RUNG
from net import Policy
from weights_file import write_weights

_TYPES = {1: np.dtype("<f4"), 10: np.dtype("<f2"), 11: np.dtype("<f8")}
"""TensorProto.DataType of onnx.proto: FLOAT, FLOAT16, DOUBLE."""


class OnnxFault(ValueError):
    """One sentence about what does not fit."""


def initialisers(data: bytes) -> dict[str, np.ndarray]:
    """Tensors of ModelProto.graph (7) .initializer (5), by name."""
    found: dict[str, np.ndarray] = {}
    for number, graph in _fields(data):
        if number == 7 and isinstance(graph, bytes):
            for inner, tensor in _fields(graph):
                if inner == 5 and isinstance(tensor, bytes):
                    name, values = _tensor(tensor)
                    found[name] = values
    if not found:
        raise OnnxFault("The file has no initialisers: it is no ONNX model with its weights inside.")
    return found


def _tensor(data: bytes) -> tuple[str, np.ndarray]:
    """TensorProto: dims 1, data_type 2, float_data 4, int32_data 5 (halves), name 8, raw_data 9, double_data 10,
    data_location 14 (1: another file)."""
    dims: list[int] = []
    kind, name, raw, listed, elsewhere = 0, "", b"", [], False
    for number, value in _fields(data):
        if number == 1:
            dims += _packed_varints(value)
        elif number == 2:
            kind = int(value)
        elif number == 8:
            name = bytes(value).decode()
        elif number == 9:
            raw = bytes(value)
        elif number in (4, 10):
            listed.append(bytes(value))
        elif number == 5 and kind in (0, 10):
            listed.append(np.array(_packed_varints(value), "<u2").tobytes())
        elif number == 14 and value == 1:
            elsewhere = True
    if elsewhere:
        raise OnnxFault(f"{name or 'A tensor'} lies in another file: save the model with its weights inside.")
    if kind not in _TYPES:
        # Shapes and indexes of other operators; `parameters_of` refuses them as weights.
        return name, np.zeros(dims, np.int64)
    values = np.frombuffer(raw or b"".join(listed), _TYPES[kind])
    if values.size != int(np.prod(dims)):
        raise OnnxFault(f"{name} has {values.size} numbers; its shape {dims} needs {int(np.prod(dims))}.")
    return name, values.reshape(dims).astype(np.float32)


def _fields(data: bytes):
    """Number and value of each field of a protobuf message: bytes, or an int for a varint."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = _varint(data, at)
        elif wire == 2:
            length, at = _varint(data, at)
            value, at = data[at : at + length], at + length
            if len(value) < length:
                raise OnnxFault("The file ends within a field: it is cut off, or no ONNX.")
        elif wire in (1, 5):
            size = 8 if wire == 1 else 4
            value, at = data[at : at + size], at + size
        else:
            raise OnnxFault(f"The file has a field of the unknown kind {wire}: it is no ONNX.")
        yield number, value


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            raise OnnxFault("The file ends within a number: it is cut off, or no ONNX.")
        value |= (data[at] & 127) << shift
        at += 1
        if data[at - 1] < 128:
            return value, at
    raise OnnxFault("The file has a number longer than any: it is no ONNX.")


def _packed_varints(value) -> list[int]:
    if isinstance(value, int):
        return [value]
    found, at = [], 0
    while at < len(value):
        each, at = _varint(value, at)
        found.append(each)
    return found


def parameters_of(tensors: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The net's parameters, shapes checked against each other; refuses what is missing, misshapen or not finite."""
    width, narrow = _sizes(tensors)
    shapes = {
        "context.weight": (width, CONTEXT),
        "context.bias": (width,),
        "rung.weight": (width, RUNG),
        "own.weight": (width, width),
        "own.bias": (width,),
        "mean.weight": (width, width),
        "last.weight": (width, width),
        "narrow.weight": (narrow, width),
        "narrow.bias": (narrow,),
        "score.weight": (1, narrow),
    }
    found = {}
    for name, shape in shapes.items():
        values = _named(tensors, name)
        if values.dtype != np.float32:
            raise OnnxFault(f"{name} is no tensor of FLOAT, FLOAT16 or DOUBLE.")
        if values.shape != shape:
            raise OnnxFault(f"{name} has the shape {list(values.shape)}; {list(shape)} is needed.")
        if not np.isfinite(values.astype(np.float16)).all():
            raise OnnxFault(f"{name} has a number that half precision cannot hold.")
        found[name] = values
    odd = [each for each in tensors if each.endswith((".weight", ".bias")) and not _is_known(each, shapes)]
    if odd:
        raise OnnxFault(f"This net has no {', '.join(odd)}: with it the model would answer otherwise.")
    return found


def _is_known(name: str, shapes: dict) -> bool:
    return any(name == known or name.endswith(f".{known}") for known in shapes)


def _sizes(tensors: dict[str, np.ndarray]) -> tuple[int, int]:
    own, narrow = _named(tensors, "own.weight"), _named(tensors, "narrow.weight")
    if own.ndim != 2 or narrow.ndim != 2:
        raise OnnxFault("own.weight and narrow.weight are to be matrices [outputs, inputs].")
    return own.shape[0], narrow.shape[0]


def _named(tensors: dict[str, np.ndarray], wanted: str) -> np.ndarray:
    fitting = [name for name in tensors if name == wanted or name.endswith(f".{wanted}")]
    if len(fitting) != 1:
        there = ", ".join(f"{name} {list(values.shape)}" for name, values in tensors.items())
        raise OnnxFault(f"{'No' if not fitting else 'More than one'} initialiser is called {wanted}; there are: {there}.")
    return tensors[fitting[0]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--name", required=True, help="how logs and the page call the net")
    options = parser.parse_args()
    try:
        parameters = parameters_of(initialisers(options.model.read_bytes()))
    except OSError as fault:
        raise SystemExit(f"{options.model}: {fault.strerror}.") from None
    except UnicodeDecodeError:
        raise SystemExit(f"{options.model}: A name in it is no text: it is no ONNX.") from None
    except OnnxFault as fault:
        raise SystemExit(f"{options.model}: {fault}") from None
    policy = Policy(len(parameters["own.weight"]), len(parameters["narrow.weight"]))
    policy.load_state_dict({name: torch.from_numpy(values.copy()) for name, values in parameters.items()})
    write_weights(policy, options.name, options.file)


if __name__ == "__main__":
    main()
