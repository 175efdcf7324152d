import { States } from './states.ts';

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
