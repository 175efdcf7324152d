import { readingOf, TextFault } from '../network/text/textFault.ts';
import { amountOf, textRows, type TextRow } from '../network/text/textRows.ts';
import { failed, ok, type Result } from '../shared/result.ts';
import { type Content, contentOf, type VideoTable } from './content.ts';
import { envivio } from './envivio.ts';
import { amountIn, listOf, placedJson, type PlacedJson } from '../network/text/placedJson.ts';

/** A file of sizes: bytes of one segment a line, for the rung in its name (`video_size_0` is the lowest). */
interface SizeFile {
  readonly name: string;
  readonly text: string;
}

export const SIZE_FILE = /^video_size_(\d+)$/;

const SEGMENT_MS = 4000;

interface SizeFilesOptions {
  readonly name: string;
  /** Ascending; without it there must be six files, and they are Pensieve's ladder. */
  readonly bitratesKbps?: readonly number[];
  readonly segmentMs?: number;
}

/**
 * The video of a folder of size files, as Pensieve and NetLLM keep them. On Pensieve's ladder and with 49 segments, 48
 * are played, as in every simulator of that line; else all.
 */
export function contentFromSizeFiles(
  files: readonly SizeFile[],
  { name, bitratesKbps, segmentMs = SEGMENT_MS }: SizeFilesOptions,
): Result<Content> {
  const sorted = files.toSorted((a, b) => rungOf(a) - rungOf(b));
  const missing = sorted.findIndex((file, rung) => rungOf(file) !== rung);
  if (missing >= 0) return failed(`${name}: The file video_size_${missing} is missing.`);
  const known = envivio.video;
  if (!bitratesKbps && files.length !== known.ladder.length)
    return failed(
      `${name}: It has ${files.length} levels; only of ${known.ladder.length} the bitrates are known. Give the ladder.`,
    );
  const sizes = sizesOf(name, sorted);
  if (!sizes.ok) return sizes;
  const bitrates = bitratesKbps ?? known.ladder.map((rung) => rung.bitrateKbps);
  const isLikeEnvivio = !bitratesKbps && sizes.value[0]?.length === known.sizesBytes[0]!.length;
  return contentOf({
    name,
    ladder: bitrates.map((bitrateKbps) => ({ bitrateKbps, width: null, height: null })),
    segmentMs,
    sizesBytes: sizes.value,
    ...(isLikeEnvivio && { segments: known.segments }),
  });
}

const rungOf = ({ name }: SizeFile): number => Number(SIZE_FILE.exec(name)?.[1]);

function sizesOf(folder: string, files: readonly SizeFile[]): Result<number[][]> {
  const rows: number[][] = [];
  for (const { name, text } of files) {
    const row = readingOf(`${folder}/${name}`, () => Array.from(textRows(text), sizeOf));
    if (!row.ok) return row;
    rows.push(row.value);
  }
  return ok(rows);
}

function sizeOf(row: TextRow): number {
  const [field, more] = row;
  if (more) throw new TextFault(`There is more than a size: "${more.text}".`, more.place);
  return amountOf(field!, 'The size in bytes');
}

/** A movie of Sabre (github.com/UMass-LIDS/sabre): sizes in bits, by segment and then by rung. All segments are played. */
export function contentFromSabreMovie(text: string, name: string): Result<Content> {
  const table = readingOf(name, () => tableOf(placedJson(text), name));
  return table.ok ? contentOf(table.value) : table;
}

function tableOf(json: PlacedJson, name: string): VideoTable {
  const segmentMs = amountIn(json, 'segment_duration_ms');
  const ladder = numbersIn(fieldOf(json, 'bitrates_kbps'), 'bitrates_kbps').map((bitrateKbps) => ({
    bitrateKbps,
    width: null,
    height: null,
  }));
  const bySegment = listOf(fieldOf(json, 'segment_sizes_bits'), 'segment_sizes_bits').map((item, segment) => {
    const bits = numbersIn(item, `segment_sizes_bits of segment ${segment}`);
    if (bits.length === ladder.length) return bits;
    throw new TextFault(
      `Segment ${segment} has ${bits.length} sizes for ${ladder.length} levels.`,
      item.place,
    );
  });
  const sizesBytes = ladder.map((_, rung) => bySegment.map((bits) => Math.ceil(bits[rung]! / 8)));
  return { name, ladder, segmentMs, sizesBytes };
}

const fieldOf = (json: PlacedJson, name: string): PlacedJson | undefined =>
  json.kind === 'object' ? json.fields.get(name) : undefined;

const numbersIn = (json: PlacedJson | undefined, what: string): number[] =>
  listOf(json, what).map((item) => {
    if (item.kind === 'plain' && typeof item.value === 'number') return item.value;
    throw new TextFault(`${what} must hold numbers only.`, item.place);
  });
