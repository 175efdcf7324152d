const HEADER_BYTES = 8;

/**
 * The header of an ISO-BMFF `free` box (ISO/IEC 14496-12 §8.1.2) of `sizeBytes` in all, null for none: players skip it, and
 * what follows it is of no matter. PURE.
 * @throws Error with one sentence for a size that no box can have.
 */
export function freeBox(sizeBytes: number): Buffer | null {
  if (sizeBytes === 0) return null;
  if (sizeBytes < HEADER_BYTES) throw new Error(`A box of ${sizeBytes} bytes cannot be.`);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(sizeBytes);
  header.write('free', 4, 'latin1');
  return header;
}
