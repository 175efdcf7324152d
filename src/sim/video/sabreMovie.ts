import { amountIn, listOf, placedJson, type PlacedJson } from '../../network/text/placedJson.ts';
import { readingOf, TextFault } from '../../network/text/textFault.ts';
import type { Result } from '../../shared/result.ts';
import type { Content } from '../content.ts';
import { contentOf, type VideoTable } from './contentOf.ts';

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
      `Segment ${segment} has ${bits.length} sizes for ${ladder.length} rungs.`,
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
    throw new TextFault(`${what} is to hold numbers only.`, item.place);
  });
