/**
 * States of the search after the same number of segments, in columns (an object each would be ten times as slow).
 * Grows as needed.
 */
export class States {
  length = 0;
  /** The trace's clock at the next request. */
  clockMs = new Float64Array(1024);
  /** Bits that the link has carried until then. */
  bits = new Float64Array(1024);
  /** Σ q − Σ |Δq|. */
  quality = new Float64Array(1024);
  /** Σ stalls, ms. */
  stallMs = new Float64Array(1024);
  rung = new Uint8Array(1024);
  /** Index in the states of one segment less. */
  parent = new Int32Array(1024);

  /** Appends a row and returns its index; the caller fills it. */
  append(): number {
    if (this.length === this.rung.length) this.#grow();
    return this.length++;
  }

  copyRow(to: number, from: States, row: number): void {
    this.clockMs[to] = from.clockMs[row]!;
    this.bits[to] = from.bits[row]!;
    this.quality[to] = from.quality[row]!;
    this.stallMs[to] = from.stallMs[row]!;
    this.rung[to] = from.rung[row]!;
    this.parent[to] = from.parent[row]!;
  }

  #grow(): void {
    const capacity = 2 * this.rung.length;
    const wider = (column: Float64Array): Float64Array<ArrayBuffer> => {
      const copy = new Float64Array(capacity);
      copy.set(column);
      return copy;
    };
    this.clockMs = wider(this.clockMs);
    this.bits = wider(this.bits);
    this.quality = wider(this.quality);
    this.stallMs = wider(this.stallMs);
    const rung = new Uint8Array(capacity);
    rung.set(this.rung);
    this.rung = rung;
    const parent = new Int32Array(capacity);
    parent.set(this.parent);
    this.parent = parent;
  }
}
