import { describe, expect, it } from 'vitest';
import { isFinished } from './finishedLog.ts';
import { planCampaign } from './planCampaign.ts';
import { startingFile } from './startingFile.ts';
import { exampleLog } from '../../src/telemetry/exampleLog.testing.ts';

const plan = planCampaign(startingFile, []);
if (!plan.ok) throw new Error(plan.error);
const [session, other] = plan.value.sessions;
const { id, design } = session!;
const text = JSON.stringify({ ...exampleLog(), id, design });

describe('a session is finished', () => {
  it.each<[string, boolean, string | null]>([
    ['with its whole log', true, text],
    ['not without a file', false, null],
    ['not with an empty file', false, ''],
    ['not when the last character is missing', false, text.slice(0, -1)],
    ['not when it is torn in the midst', false, text.slice(0, text.length / 2)],
    [
      'not when a block of it is zeros',
      false,
      `${text.slice(0, 2000)}${'\0'.repeat(512)}${text.slice(2512)}`,
    ],
    ['not with JSON that is no log', false, '{"schema":"pitwall-plan/2"}'],
    ['not with another id', false, JSON.stringify({ ...exampleLog(), id: other!.id, design })],
    ['not without a place in the design', false, JSON.stringify({ ...exampleLog(), id, design: null })],
    [
      'not with another place',
      false,
      JSON.stringify({ ...exampleLog(), id, design: { ...design, order: 99 } }),
    ],
  ])('%s', (_, expected, given) => expect(isFinished(session!, given)).toBe(expected));
});
