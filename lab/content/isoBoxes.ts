/** A top-level box of an ISO base media file (ISO/IEC 14496-12 §4.2). */
export interface Box {
  readonly type: string;
  readonly start: number;
  /** First byte behind the box. */
  readonly end: number;
}

/** The top-level boxes in file order. @throws Error where a size runs out of the file. */
export function isoBoxes(file: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let start = 0; start < file.length;) {
    const size = sizeAt(file, start);
    if (size < 8 || start + size > file.length)
      throw new Error(
        `broken box at byte ${start}: its size is ${size} of ${file.length - start} bytes left`,
      );
    boxes.push({ type: file.toString('latin1', start + 4, start + 8), start, end: start + size });
    start += size;
  }
  return boxes;
}

function sizeAt(file: Buffer, start: number): number {
  if (start + 8 > file.length) return 0;
  const size = file.readUInt32BE(start);
  // 1: the size follows as 64 bits; 0: the box reaches to the end of the file.
  if (size === 1) return start + 16 > file.length ? 0 : Number(file.readBigUInt64BE(start + 8));
  return size === 0 ? file.length - start : size;
}
