import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { DownloadEvent } from '../../rule.ts';
import { contextOf, downloadOf, ladderOf, momentOf } from '../../testMoments.testing.ts';
import { unit } from '../../testWeights.testing.ts';
import { weightedNeural } from './weightedNeural.ts';

const SHIPPED = new URL('../../../../public/models/neural.json', import.meta.url);

/** Levels as they were chosen with weights of format 6, whose nets had the protocol as inputs with a weight of 0. */
it.each<[string, Partial<DownloadEvent>, number | null, string]>([
  [
    'an unknown protocol, without audio',
    { protocol: null },
    null,
    '35555555555555554344443444445555555555444445555555553344555',
  ],
  [
    'h1, each time over a new connection',
    { protocol: 'http/1.1', connectionReused: false },
    null,
    '35555555555555554444444444445555555555433555555555552344555',
  ],
  [
    'h2 with audio, each time over a new connection',
    { protocol: 'h2', connectionReused: false },
    96,
    '45555555555555554444444444445555555555433555555555552344555',
  ],
  ['h3 with audio', { protocol: 'h3' }, 96, '45555555555555544344444444445555555555433555555555552334555'],
])('the nets that ship choose the same levels over %s', (_, download, audioKbps, levels) => {
  expect(shippedLevels(download, audioKbps)).toBe(levels);
});

/** Levels that the nets choose on a link that swings and fails. */
function shippedLevels(download: Partial<DownloadEvent>, audioKbps: number | null): string {
  const shipped = readFileSync(SHIPPED, 'utf8');
  const read = weightedNeural({ qoe: 'lin', guard: 'stalls', live: 'player' }, shipped);
  if (!read.ok) throw new Error(read.error);
  const rule = read.value;
  const ladder = ladderOf(300, 750, 1200, 1850, 2850, 4300);
  let state = rule.start(contextOf(ladder, { segmentMs: 4000 }));
  let lastRung = 0;
  let bufferMs = 4000;
  const levels: number[] = [];
  for (let segment = 1; segment < 60; segment += 1) {
    const rateKbps = (segment % 13 === 0 ? 150 : 600) + 4000 * unit(31, segment);
    state = rule.observe(state, downloadOf(rateKbps, download));
    if (audioKbps !== null)
      state = rule.observe(
        state,
        downloadOf(900, { ...download, mediaType: 'audio', bitrateKbps: audioKbps }),
      );
    const audioBufferMs = audioKbps === null ? undefined : bufferMs * (0.5 + unit(32, segment));
    const moment = momentOf({
      segment,
      bufferMs,
      bufferTargetMs: 30_000,
      lastRung,
      segmentsLeft: 60 - segment,
    });
    lastRung = rule.decide(state, audioBufferMs === undefined ? moment : { ...moment, audioBufferMs }).rung;
    levels.push(lastRung + 1);
    const tookMs = (4000 * ladder[lastRung]!.bitrateKbps) / rateKbps;
    bufferMs = Math.min(26_000, Math.max(0, bufferMs - tookMs) + 4000);
  }
  return levels.join('');
}
