import type { Files } from './bundle.ts';
import { madeCampaigns } from './madeCampaigns.ts';

/** What the commands play: made of plain waves and of a hash, of nobody's recording. */
export function madeFiles(): Files {
  const json = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`;
  return {
    ...traces(),
    'movie.json': json(movie()),
    'video.mpd': mpd(),
    'video.sizes.json': json(sizes()),
    'pensieve.json': json(pensieve()),
    'published.csv': `trace,other\n${Object.keys(traces())
      .map((name, at) => `${name.split('/')[1]},${at * 7.25 - 10}\n`)
      .join('')}`,
    'anchors.csv': 'trace,opt_feasible_lower,opt_optimistic_upper\ncooked.log,-1000,1000\n',
    ...Object.fromEntries(
      Object.entries(madeCampaigns).map(([name, campaign]) => [`${name}.campaign.json`, json(campaign)]),
    ),
  };
}

/** In [0, 1), of nothing but its place: the finaliser of MurmurHash3. */
function unit(stream: number, index: number): number {
  let hash = (stream * 2 ** 20 + index) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

const list = <Value>(length: number, of: (index: number) => Value): Value[] =>
  Array.from({ length }, (_, index) => of(index));

/** kbit/s, one a second, between 300 and 4300. */
const rate = (stream: number, second: number): number =>
  Math.round(800 + 3000 * unit(stream, Math.floor(second / 7)) + 500 * (unit(stream + 50, second) - 0.5));

/** A trace in every format that is read. */
function traces(): Files {
  const rows = (length: number, of: (index: number) => string): string => `${list(length, of).join('\n')}\n`;
  let packets = '';
  for (let ms = 0, sent = 0; ms < 60_000; ms += 1)
    for (const due = rate(4, ms / 1000) * 1e-3 * ms * 0.08; sent < due / 12; sent += 1) packets += `${ms}\n`;
  return {
    'traces/cooked.log': rows(90, (at) => `${at} ${rate(1, at) / 1000}`),
    'traces/pairs.txt': rows(90, (at) => `${at * 1000} ${rate(2, at)}`),
    'traces/table.csv': `time_s,rate_kbps,rtt_ms\n${rows(90, (at) => `${at},${rate(3, at)},${40 + (at % 9) * 5}`)}`,
    'traces/mahimahi.log': packets,
    'traces/sabre.json': JSON.stringify(
      list(45, (at) => ({ duration_ms: 2000, bandwidth_kbps: rate(5, at), latency_ms: 100 })),
    ),
    'traces/fcc.csv': `unit_id,dtime,target,bytes_sec\n${rows(20, (at) => `7,2016-06-01 00:00:00,a,${rate(6, at * 5) * 125}`)}`,
    'traces/pitwall.json': JSON.stringify({
      schema: 'pitwall-trace/1',
      source: 'made by baseline/made.ts, free for any use',
      pieces: list(120, (at) => ({ durationMs: 500, rateKbps: rate(7, at), rttMs: 30 + (at % 5) * 20 })),
    }),
  };
}

const LADDER = [250, 600, 1100, 1900, 3200];
const SEGMENTS = 20;
const SEGMENT_S = 3;
const sizeOf = (rung: number, segment: number): number =>
  Math.round(LADDER[rung]! * 125 * SEGMENT_S * (0.7 + 0.6 * unit(20, segment)));

const movie = (): unknown => ({
  segment_duration_ms: SEGMENT_S * 1000,
  bitrates_kbps: LADDER,
  segment_sizes_bits: list(SEGMENTS, (segment) => LADDER.map((_, rung) => 8 * sizeOf(rung, segment))),
});

const sizes = (): unknown => ({
  schema: 'pitwall-sizes/1',
  segmentMs: SEGMENT_S * 1000,
  representations: LADDER.map((bitrateKbps, rung) => ({
    id: `v${rung}`,
    mediaType: 'video',
    bitrateKbps,
    sizesBytes: list(SEGMENTS, (segment) => (segment === 5 ? null : sizeOf(rung, segment))),
  })),
});

/** Its sizes are those of its byte ranges, so that it needs no media. */
function mpd(): string {
  const segments = (sizesBytes: readonly number[]): string => {
    let from = 900;
    const urls = sizesBytes.map((size) => `<SegmentURL mediaRange="${from}-${(from += size) - 1}"/>`);
    return `<SegmentList timescale="1" duration="${SEGMENT_S}"><Initialization range="0-899"/>${urls.join('')}</SegmentList>`;
  };
  const video = LADDER.map(
    (kbps, rung) =>
      `<Representation id="v${rung}" codecs="avc1.64001f" bandwidth="${kbps * 1000}" width="${160 * (rung + 2)}" height="${90 * (rung + 2)}"><BaseURL>v${rung}.mp4</BaseURL>${segments(list(SEGMENTS, (at) => sizeOf(rung, at)))}</Representation>`,
  );
  const sound = list(SEGMENTS, (at) => Math.round(24_000 * (0.9 + 0.2 * unit(21, at))));
  return `<?xml version="1.0"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT${SEGMENTS * SEGMENT_S}S" minBufferTime="PT2S" profiles="urn:mpeg:dash:profile:isoff-main:2011">
<Period>
<AdaptationSet contentType="video" mimeType="video/mp4">${video.join('\n')}</AdaptationSet>
<AdaptationSet contentType="audio" mimeType="audio/mp4" lang="en"><Representation id="a0" codecs="mp4a.40.2" bandwidth="64000"><BaseURL>a0.mp4</BaseURL>${segments(sound)}</Representation></AdaptationSet>
</Period>
<SupplementalProperty schemeIdUri="urn:pitwall:sizes:2026" value="video.sizes.json"/>
</MPD>
`;
}

/** A net of four neurons a layer: it decides something, which is all that is asked. */
function pensieve(): unknown {
  const [width, history, rungs] = [4, 2, LADDER.length];
  const shapes: Record<string, [number, number]> = {
    lastBitrate: [1, width],
    buffer: [1, width],
    rates: [history, width],
    downloadTimes: [history, width],
    nextSizes: [rungs, width],
    segmentsLeft: [1, width],
    merge: [6 * width, width],
    logits: [width, rungs],
  };
  const tensor = (shape: number[], stream: number, scale: number): unknown => {
    const numbers = Float32Array.from(
      list(
        shape.reduce((product, side) => product * side, 1),
        (at) => scale * (2 * unit(stream, at) - 1),
      ),
    );
    return { shape, data: Buffer.from(numbers.buffer).toString('base64') };
  };
  const layers = Object.entries(shapes).map(([name, [inputs, outputs]], index) => [
    name,
    {
      kernel: tensor([inputs, outputs], 30 + index, Math.sqrt(6 / inputs)),
      bias: tensor([outputs], 40 + index, 0.1),
    },
  ]);
  return {
    format: 'pitwall-pensieve/1',
    name: 'made for the baseline',
    ladderKbps: LADDER,
    history,
    width,
    divisors: {
      bitrateKbps: 3200,
      bufferMs: 10_000,
      rateKbps: 8000,
      downloadMs: 10_000,
      sizeBytes: 1_000_000,
      segmentsLeft: 20,
    },
    layers: Object.fromEntries(layers) as unknown,
  };
}
