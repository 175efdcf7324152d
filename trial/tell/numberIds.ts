/** Gives numbers to ids, from 0 in the order in which they first occur. */
export interface IdNumbers {
  /** Returns the number of an id, a new one where the id is new. */
  numberOf(id: string): number;
  /** How many different ids there were. */
  count(): number;
}

/** Values of hexadecimal digits by their character code; −1 for other characters. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code)),
);
const HASH_DIGITS = 24;
const HASH_WORDS = 3;
/** Words of a slot: those of the hash, and its number plus 1; 0 where the slot is free. */
const SLOT = HASH_WORDS + 1;
const FIRST_SLOTS = 1024;
/** Share of the slots that are taken before there are more. */
const MAX_TAKEN = 0.75;

/**
 * Numbers ids that are hashes, as the store has them, in a table of words: a `Map` of ten million texts takes a gigabyte, and has at most
 * 2^24 entries. Ids that are no hashes are numbered by a `Map`.
 */
export function numberIds(): IdNumbers {
  const others = new Map<string, number>();
  const hash = new Int32Array(HASH_WORDS);
  let table = new Int32Array(SLOT * FIRST_SLOTS);
  let count = 0;

  /** Hashes are spread evenly, so that their first word is the place where the search begins. */
  function slotOf(first: number, second: number, third: number): number {
    const mask = table.length - 1;
    let slot = Math.imul(first, SLOT) & mask;
    while (
      table[slot + HASH_WORDS] !== 0 &&
      (table[slot] !== first || table[slot + 1] !== second || table[slot + 2] !== third)
    )
      slot = (slot + SLOT) & mask;
    return slot;
  }

  function grow(): void {
    const before = table;
    table = new Int32Array(2 * before.length);
    for (let at = 0; at < before.length; at += SLOT)
      if (before[at + HASH_WORDS] !== 0) {
        const slot = slotOf(before[at]!, before[at + 1]!, before[at + 2]!);
        for (let word = 0; word < SLOT; word++) table[slot + word] = before[at + word]!;
      }
  }

  function numberOf(id: string): number {
    if (!readHash(id, hash)) {
      const known = others.get(id);
      if (known !== undefined) return known;
      others.set(id, count);
    } else {
      const slot = slotOf(hash[0]!, hash[1]!, hash[2]!);
      const known = table[slot + HASH_WORDS]!;
      if (known !== 0) return known - 1;
      for (let word = 0; word < HASH_WORDS; word++) table[slot + word] = hash[word]!;
      table[slot + HASH_WORDS] = count + 1;
    }
    count += 1;
    if (count * SLOT >= MAX_TAKEN * table.length) grow();
    return count - 1;
  }
  return { numberOf, count: () => count };
}

/** Reads a hash into three words. False for what is no hash. */
function readHash(id: string, hash: Int32Array): boolean {
  if (id.length !== HASH_DIGITS) return false;
  let faults = 0;
  for (let word = 0; word < HASH_WORDS; word++) {
    let value = 0;
    for (let at = 8 * word; at < 8 * word + 8; at++) {
      const digit = DIGITS[id.charCodeAt(at) & 127]!;
      faults |= digit | (id.charCodeAt(at) & ~127);
      value = (value << 4) | digit;
    }
    hash[word] = value;
  }
  return faults >= 0 && faults < 16;
}

/** Returns a longer copy; what is new is 0, and takes no memory until it is written. */
export function enlarged<Column extends Int32Array | Float64Array | Uint8Array>(
  column: Column,
  size: number,
): Column {
  const larger = new (column.constructor as new (size: number) => Column)(size);
  larger.set(column);
  return larger;
}

/** Numbers pairs of numbers from 0, row by row, in the order in which they first occur. */
export function numberPairs(ones: Int32Array, others: Int32Array): Int32Array {
  const numbers = new Int32Array(ones.length);
  /** Row of the first such pair plus 1; 0 where free. */
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * ones.length + 2)));
  const mask = slots.length - 1;
  let count = 0;
  for (let row = 0; row < ones.length; row++) {
    const [one, other] = [ones[row]!, others[row]!];
    const mixed = Math.imul(one, 0x9e3779b1) ^ Math.imul(other, 0x85ebca6b);
    let slot = (mixed ^ (mixed >>> 15)) & mask;
    let first = slots[slot]! - 1;
    while (first >= 0 && (ones[first] !== one || others[first] !== other)) {
      slot = (slot + 1) & mask;
      first = slots[slot]! - 1;
    }
    if (first < 0) slots[slot] = row + 1;
    numbers[row] = first < 0 ? count++ : numbers[first]!;
  }
  return numbers;
}
