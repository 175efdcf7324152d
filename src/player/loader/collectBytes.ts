/** A body that grows piece by piece. */
export interface CollectedBytes {
  /** Bytes so far. */
  readonly length: number;
  add(piece: Uint8Array): void;
  /** The whole body as a buffer of exactly its length. */
  toBuffer(): ArrayBuffer;
}

/** Bytes. The most that is reserved because a server announced it: what it announces need not come. */
const MAX_RESERVED_BYTES = 64 * 1024 * 1024;
const MIN_RESERVED_BYTES = 64 * 1024;

/**
 * Collects a body in time linear in its length. A body as long as announced is copied once and never moved. One of
 * unknown length moves to a buffer of twice the size when its buffer is full (amortised, Cormen et al., §17.4).
 */
export function collectBytes(announcedBytes: number | null): CollectedBytes {
  let bytes = new Uint8Array(Math.min(announcedBytes ?? MIN_RESERVED_BYTES, MAX_RESERVED_BYTES));
  let length = 0;
  return {
    get length() {
      return length;
    },
    add(piece) {
      if (length + piece.length > bytes.length) bytes = moved(bytes, length, length + piece.length);
      bytes.set(piece, length);
      length += piece.length;
    },
    toBuffer: () => (length === bytes.length ? bytes.buffer : bytes.buffer.slice(0, length)),
  };
}

function moved(
  bytes: Uint8Array<ArrayBuffer>,
  usedBytes: number,
  neededBytes: number,
): Uint8Array<ArrayBuffer> {
  const wider = new Uint8Array(Math.max(neededBytes, 2 * bytes.length, MIN_RESERVED_BYTES));
  wider.set(bytes.subarray(0, usedBytes));
  return wider;
}
