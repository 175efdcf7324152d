import { isObject } from '../shared/jsonObject.ts';
import { failed, ok, type Result } from '../shared/result.ts';

/** A side file with the size of every segment, for streams that do not tell sizes themselves (docs/sizes-file.md). */
export interface SizesFile {
  readonly segmentMs: number;
  readonly representations: readonly SizedRepresentation[];
}

export interface SizedRepresentation {
  /** Id of the representation in the MPD. */
  readonly id: string;
  readonly mediaType: 'video' | 'audio';
  readonly bitrateKbps: number;
  /** Sizes of the first period's segments, in order, the media only; null where a size is not known. */
  readonly sizesBytes: readonly (number | null)[];
}

export const SIZES_SCHEMA = 'pitwall-sizes/1';
const MAX_REPRESENTATIONS = 1000;
/** Maximum number of segments: as many as an event of the session log holds. */
const MAX_SEGMENTS = 100_000;

/** Reads a side file. The error is one sentence that says where in the file. */
export function readSizesFile(text: string): Result<SizesFile> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (fault) {
    return failed(`It is not JSON: ${fault instanceof Error ? fault.message : String(fault)}.`);
  }
  if (!isObject(value)) return failed('It holds no object.');
  if (value['schema'] !== SIZES_SCHEMA)
    return failed(`Its schema is ${shown(value['schema'])}, not "${SIZES_SCHEMA}".`);
  const { segmentMs, representations } = value;
  if (!isAbove0(segmentMs)) return failed(`segmentMs is ${shown(segmentMs)}, not a number above 0.`);
  if (!Array.isArray(representations) || representations.length === 0)
    return failed('representations is no list, or an empty one.');
  if (representations.length > MAX_REPRESENTATIONS)
    return failed(
      `There are ${representations.length} representations; at most ${MAX_REPRESENTATIONS} are read.`,
    );
  const fault = representations.map(faultIn).find((each) => each !== null);
  return fault ? failed(fault) : ok({ segmentMs, representations: representations as SizedRepresentation[] });
}

function faultIn(value: unknown, index: number): string | null {
  const place = `representations[${index}]`;
  if (!isObject(value)) return `${place} is no object.`;
  const { id, mediaType, bitrateKbps, sizesBytes } = value;
  if (typeof id !== 'string' || id === '') return `${place}.id is ${shown(id)}, not a text.`;
  if (mediaType !== 'video' && mediaType !== 'audio')
    return `${place}.mediaType is ${shown(mediaType)}, not "video" or "audio".`;
  if (!isAbove0(bitrateKbps)) return `${place}.bitrateKbps is ${shown(bitrateKbps)}, not a number above 0.`;
  if (!Array.isArray(sizesBytes)) return `${place}.sizesBytes is no list.`;
  if (sizesBytes.length > MAX_SEGMENTS)
    return `${place}.sizesBytes has ${sizesBytes.length} entries; at most ${MAX_SEGMENTS} are read.`;
  const wrong = sizesBytes.findIndex((size: unknown) => size !== null && !isBytes(size));
  return wrong === -1
    ? null
    : `${place}.sizesBytes[${wrong}] is ${shown(sizesBytes[wrong])}, not a whole number of bytes above 0.`;
}

const isAbove0 = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0;
const isBytes = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;

/** Short enough for a sentence. */
const shown = (value: unknown): string =>
  value === undefined ? 'missing' : (JSON.stringify(value) ?? 'nothing').slice(0, 40);
