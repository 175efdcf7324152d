"""An ONNX file as a file of weights: `export_onnx.py MODEL.onnx FILE --name NAME [--traces DIR]`.

Only the initialisers are read: tensors by name, those of `Policy.state_dict()` ("context.weight", [outputs][inputs]),
whatever stands before them ("policy.context.weight"). With the traces it writes too what the inputs were in training, as
`export.py` does. An exporter that transposed a matrix and renamed it is refused with the names that are there. PyTorch 2.15,
with the packages onnx and onnxscript, keeps the names in (CONTEXT and RUNG are of chunk_env.py)

    inputs = torch.zeros(1, CONTEXT), torch.zeros(1, 6, RUNG), torch.ones(1, 6, dtype=torch.bool)
    torch.onnx.export(policy, inputs, "mine.onnx", dynamo=True, optimize=False, external_data=False)
"""

import argparse
from pathlib import Path

import numpy as np
import torch

from export import add_export_options, export
from nets.net import Policy
from nets.weights_file import WeightsFault, policy_with

_TYPES = {1: np.dtype("<f4"), 10: np.dtype("<f2"), 11: np.dtype("<f8")}
"""TensorProto.DataType of onnx.proto: FLOAT, FLOAT16, DOUBLE."""


class OnnxFault(WeightsFault):
    """One sentence about a file that is no ONNX, or none with its weights inside."""


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
        raise OnnxFault(f"{name or 'A tensor'} lies in another file: save the model with its weights inside (external_data=False).")
    if kind not in _TYPES:
        # Shapes and indexes of other operators; `policy_with` refuses them as weights.
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


def policy_of(model: Path) -> Policy:
    """The net in an ONNX file. Raises `WeightsFault` where it has none, `OSError` where there is no file."""
    tensors = {name: torch.from_numpy(values.copy()) for name, values in initialisers(model.read_bytes()).items()}
    # What else is there, by whatever names, are the constants of other operators.
    constants = {name for name in tensors if not name.endswith((".weight", ".bias"))}
    return policy_with(tensors, constants)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    add_export_options(parser)
    options = parser.parse_args()
    try:
        policy = policy_of(options.model)
    except OSError as fault:
        raise SystemExit(f"{options.model}: {fault.strerror}.") from None
    except UnicodeDecodeError:
        raise SystemExit(f"{options.model}: A name in it is no text: it is no ONNX.") from None
    except WeightsFault as fault:
        raise SystemExit(f"{options.model}: {fault}") from None
    export(policy, options)


if __name__ == "__main__":
    main()
