import { expect, it } from 'vitest';
import { contextOf, downloadOf, ladderOf, momentOf } from '../../testMoments.ts';
import { CONTEXT_INPUTS, writeContext } from './netInputs.ts';
import { withDownload } from './neuralState.ts';

/** The third number of the context: the room that is left, in units of 20 s. */
function roomAt(bufferMs: number, bufferTargetMs: number): number {
  const ladder = ladderOf(300, 750);
  const measured = withDownload(null, downloadOf(900))!;
  const state = { ...contextOf(ladder, { segmentMs: 4000 }), worth: [0, 1], measured };
  const context = new Float32Array(CONTEXT_INPUTS);
  writeContext(context, { state, measured, moment: momentOf({ bufferMs, bufferTargetMs }) });
  return context[2]!;
}

it.each([
  ['a buffer that the next segment just fits under is full, as in training', 16_000, 20_000, 0],
  ['a segment below that there is room for one', 12_000, 20_000, 0.2],
  ['a target shorter than a segment is itself the level that the player waits at', 1000, 3000, 0.1],
])('%s', (_what, bufferMs, bufferTargetMs, room) => {
  expect(roomAt(bufferMs, bufferTargetMs)).toBeCloseTo(room, 6);
});
