/** A range of a file, in bytes. */
export interface ByteRange {
  readonly first: number;
  /** null: to the end of the file. */
  readonly last: number | null;
}

/** Bytes: what a packet carries. A shorter range would be more header than body. */
const MIN_PART_BYTES = 1200;

/**
 * Divides `sizeBytes` bytes into `count` parts, fewer where they would be shorter than a packet. Parts are of one length
 * but for a few bytes: no two are equal, because the browser's Resource Timing and its NetLog know ranges of one file
 * that were requested at once by their lengths alone.
 */
export function partSizes(sizeBytes: number, count: number): number[] {
  const parts = Math.max(1, Math.min(count, Math.floor(sizeBytes / MIN_PART_BYTES)));
  const shortest = Math.floor((sizeBytes - (parts * (parts - 1)) / 2) / parts);
  const sizes = Array.from({ length: parts }, (_, part) => shortest + part);
  const rest = sizeBytes - sizes.reduce((sum, size) => sum + size, 0);
  return sizes.with(-1, sizes.at(-1)! + rest);
}

/** The ranges of these parts, from `first` on. */
export function rangesOf(
  { first, sizeBytes }: { readonly first: number; readonly sizeBytes: number },
  count: number,
): ByteRange[] {
  let next = first;
  return partSizes(sizeBytes, count).map((size) => {
    const range = { first: next, last: next + size - 1 };
    next += size;
    return range;
  });
}

/** As the Range header has it after "bytes=", and the log. */
export const formatRange = ({ first, last }: ByteRange): string => `${first}-${last ?? ''}`;

/** What a Content-Range says (RFC 9110 §14.4); null where it says nothing, or CORS hides it. */
export function contentRangeOf(
  headers: Headers,
): { readonly first: number; readonly last: number; readonly sizeBytes: number | null } | null {
  const [, first, last, size] =
    /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(headers.get('content-range') ?? '') ?? [];
  if (first === undefined) return null;
  return { first: Number(first), last: Number(last), sizeBytes: size === '*' ? null : Number(size) };
}
