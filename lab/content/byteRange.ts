/** What one HTTP answer sends of a file (RFC 9110 §14). PURE. */

/** Both ends included. */
export interface FilePart {
  readonly first: number;
  readonly last: number;
  readonly isWhole: boolean;
}

/**
 * Reads the one range that a Range header asks for (RFC 9110 §14.1.2). The whole file where the header asks for several, or
 * means nothing; null: no byte of the range is in the file.
 */
export function readRange(header: string | undefined, sizeBytes: number): FilePart | null {
  const whole = { first: 0, last: sizeBytes - 1, isWhole: true };
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header ?? '') ?? [];
  if (from === '' && to === '') return whole;
  if (from === '') return inFile(Math.max(0, sizeBytes - Number(to)), sizeBytes - 1);
  const last = to === '' ? Infinity : Number(to);
  return last < Number(from) ? whole : inFile(Number(from), Math.min(sizeBytes - 1, last));
}

const inFile = (first: number, last: number): FilePart | null =>
  first > last ? null : { first, last, isWhole: false };

/** The status and the headers of an answer with this part of a file; 416 for null. */
export function headOfPart(
  part: FilePart | null,
  sizeBytes: number,
): { readonly status: number; readonly headers: Record<string, string | number> } {
  if (part === null) return { status: 416, headers: { 'Content-Range': `bytes */${sizeBytes}` } };
  const { first, last, isWhole } = part;
  const headers = { 'Content-Length': last - first + 1, 'Accept-Ranges': 'bytes' };
  return isWhole
    ? { status: 200, headers }
    : { status: 206, headers: { ...headers, 'Content-Range': `bytes ${first}-${last}/${sizeBytes}` } };
}
