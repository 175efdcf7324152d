import { expect, test } from 'vitest';
import { alignedTime } from '../../analysis/comparison/alignedTime.ts';
import { choice, exampleSession, playback } from '../../analysis/timeline/example.testing.ts';
import { seriesOf } from '../../analysis/timeline/appendEvent.ts';
import { sessionLooks } from '../../charts/compare/sessionLooks.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import { steeringChoices } from './choiceTable.ts';

/** Played from so many ms on. */
const session = (playingMs: number, ...choices: SessionEvent[]) => {
  const series = seriesOf(
    exampleSession([playback(playingMs, 'playing'), ...choices, playback(60_000, 'stopped')]),
  );
  const [look] = sessionLooks([{ rule: null, transport: null }]);
  return { series, time: alignedTime(series, 'playback'), look: look! };
};

test('choices of all sessions in one order, each at its time on the shared axis', () => {
  const early = session(1000, choice(9000, 'tcp', { fromPathway: 'main', because: 'Slow.' }));
  const late = session(8000, choice(12_000, 'tcp', { rescue: { requestId: 'r3' } }));
  const said = steeringChoices({ sessions: [early, late, session(1)] }).map((each) => [
    each.session === early,
    each.axisMs,
    each.rescuedId,
    each.because,
  ]);
  expect(said).toEqual([
    [false, 4000, 'r3', 'A probe says so.'],
    [true, 8000, null, 'Slow.'],
  ]);
});
