/** Reads ISO base media boxes (ISO/IEC 14496-12) as far as cutting and describing our own tracks needs. PURE. */

/** A box: where it lies in the bytes, headers included. */
export interface Box {
  readonly type: string;
  readonly offset: number;
  readonly sizeBytes: number;
  /** Where its content starts: 8 bytes in, or 16 with a 64-bit size. */
  readonly contentOffset: number;
}

/** One reference of a segment index (`sidx`, §8.16.3). */
export interface IndexedSegment {
  readonly offset: number;
  readonly sizeBytes: number;
  readonly startTicks: number;
  readonly durationTicks: number;
}

interface SegmentIndex {
  readonly timescale: number;
  readonly segments: readonly IndexedSegment[];
}

/** The boxes side by side in `bytes` between two offsets. @throws Error naming the offset of a size that cannot be. */
export function boxesIn(bytes: Buffer, from = 0, to = bytes.length): Box[] {
  const boxes: Box[] = [];
  for (let offset = from; offset < to;) {
    const box = boxAt(bytes, offset, to);
    boxes.push(box);
    offset += box.sizeBytes;
  }
  return boxes;
}

/** The first box along a path of types such as `['moof', 'traf', 'tfdt']`, null where there is none. */
export function boxAlong(bytes: Buffer, path: readonly string[]): Box | null {
  let found: Box | null = null;
  let [from, to] = [0, bytes.length];
  for (const type of path) {
    found = boxesIn(bytes, from, to).find((box) => box.type === type) ?? null;
    if (found === null) return null;
    [from, to] = [found.contentOffset, found.offset + found.sizeBytes];
  }
  return found;
}

function boxAt(bytes: Buffer, offset: number, to: number): Box {
  const fits = offset + 8 <= to;
  const declared = fits ? bytes.readUInt32BE(offset) : 0;
  const isLong = declared === 1 && offset + 16 <= to;
  const sizeBytes = isLong ? Number(bytes.readBigUInt64BE(offset + 8)) : declared;
  if (sizeBytes < (isLong ? 16 : 8) || offset + sizeBytes > to) {
    throw new Error(`Box at byte ${offset} claims ${sizeBytes} of ${to - offset} bytes.`);
  }
  const type = bytes.toString('latin1', offset + 4, offset + 8);
  return { type, offset, sizeBytes, contentOffset: offset + (isLong ? 16 : 8) };
}

/**
 * Reads a `sidx`; offsets are absolute in the file, counted from the end of the box as §8.16.3 says.
 * @throws Error when a reference is to another index, which none of ours has.
 */
export function segmentIndex(bytes: Buffer, box: Box): SegmentIndex {
  const isLong = bytes.readUInt8(box.contentOffset) === 1;
  const timescale = bytes.readUInt32BE(box.contentOffset + 8);
  const read = (at: number): number => (isLong ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at));
  const times = box.contentOffset + 12;
  const width = isLong ? 8 : 4;
  let startTicks = read(times);
  let offset = box.offset + box.sizeBytes + read(times + width);
  const count = bytes.readUInt16BE(times + 2 * width + 2);
  const segments: IndexedSegment[] = [];
  for (let at = times + 2 * width + 4; segments.length < count; at += 12) {
    // The top bit says whether the reference is to another index.
    const sizeBytes = bytes.readUInt32BE(at);
    if (sizeBytes > 0x7fffffff) throw new Error(`Reference ${segments.length} is to another index.`);
    const durationTicks = bytes.readUInt32BE(at + 4);
    segments.push({ offset, sizeBytes, startTicks, durationTicks });
    offset += sizeBytes;
    startTicks += durationTicks;
  }
  return { timescale, segments };
}

/** The RFC 6381 codec string that a `vpcC` box stands for ("VP Codec ISO Media File Format Binding", codecs parameter). */
export function vp9Codec(bytes: Buffer): string {
  // vpcC lies in a sample entry of fixed layout; the four letters do not occur elsewhere in our moov.
  const at = bytes.indexOf('vpcC', 0, 'latin1');
  if (at < 0) throw new Error('The track has no vpcC box: it is not VP9 in MP4.');
  const two = (value: number): string => String(value).padStart(2, '0');
  const [profile, level, depth] = [
    bytes.readUInt8(at + 8),
    bytes.readUInt8(at + 9),
    bytes.readUInt8(at + 10) >> 4,
  ];
  return `vp09.${two(profile)}.${two(level)}.${two(depth)}`;
}

/**
 * A copy of a media segment whose every fragment starts `shiftTicks` later (`tfdt`, §8.8.12); samples are untouched.
 * @throws Error when there is no fragment, or one whose time has only 32 bits.
 */
export function shiftedSegment(segment: Buffer, shiftTicks: number): Buffer {
  const copy = Buffer.from(segment);
  const fragments = boxesIn(copy).filter(({ type }) => type === 'moof');
  if (fragments.length === 0) throw new Error('The segment has no moof: it cannot be moved in time.');
  for (const moof of fragments)
    shiftFragment(copy.subarray(moof.offset, moof.offset + moof.sizeBytes), shiftTicks);
  return copy;
}

function shiftFragment(moof: Buffer, shiftTicks: number): void {
  const box = boxAlong(moof, ['moof', 'traf', 'tfdt']);
  if (box === null || moof.readUInt8(box.contentOffset) !== 1) {
    throw new Error('The fragment has no tfdt of version 1: it cannot be moved in time.');
  }
  const at = box.contentOffset + 4;
  moof.writeBigUInt64BE(moof.readBigUInt64BE(at) + BigInt(shiftTicks), at);
}
