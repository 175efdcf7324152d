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

/** States that wait for their moment in a sweep along the clock: a binary heap by clock. */
export class Pending {
  readonly #states = new States();
  /** Rows of `#states`, as a heap. */
  readonly #heap: number[] = [];
  readonly #free: number[] = [];

  /** Clock of the earliest; infinity when none waits. */
  get clockMs(): number {
    return this.#heap.length === 0 ? Infinity : this.#clock(0);
  }

  /** Adds a copy of that row. */
  add(from: States, row: number): void {
    const at = this.#free.pop() ?? this.#states.append();
    this.#states.copyRow(at, from, row);
    this.#heap.push(at);
    this.#rise(this.#heap.length - 1);
  }

  /** Takes the earliest out, into that row. */
  take(into: States, row: number): void {
    const [first] = this.#heap;
    const last = this.#heap.pop();
    if (first === undefined || last === undefined) throw new Error('nothing pending');
    into.copyRow(row, this.#states, first);
    this.#free.push(first);
    if (this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink();
  }

  #rise(from: number): void {
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.#clock(above) <= this.#clock(at)) return;
      this.#swap(above, at);
      at = above;
    }
  }

  #sink(): void {
    let at = 0;
    for (;;) {
      let min = at;
      for (const below of [2 * at + 1, 2 * at + 2])
        if (below < this.#heap.length && this.#clock(below) < this.#clock(min)) min = below;
      if (min === at) return;
      this.#swap(min, at);
      at = min;
    }
  }

  #clock(at: number): number {
    return this.#states.clockMs[this.#heap[at]!]!;
  }

  #swap(one: number, other: number): void {
    const row = this.#heap[one]!;
    this.#heap[one] = this.#heap[other]!;
    this.#heap[other] = row;
  }
}
