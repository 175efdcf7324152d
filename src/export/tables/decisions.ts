import { eventsOf } from '../../analysis/eventsOf.ts';
import type { DecisionEvent } from '../../telemetry/event.ts';
import { formatReasons } from '../formatReasons.ts';
import type { CellType } from '../table.ts';
import { field, tableOf, type SourceColumn } from '../tableOf.ts';

const column = (
  name: keyof DecisionEvent & string,
  type: CellType,
  meaning: string,
): SourceColumn<DecisionEvent> => field(name, type, meaning);

export const decisions = tableOf<DecisionEvent>({
  id: 'decisions',
  label: 'decisions',
  about: 'a row per choice of a rung for the next segment',
  sources: (log) => eventsOf(log, 'decision'),
  columns: [
    column('id', 'text', 'id of the decision in its session'),
    column('atMs', 'number', 'decided'),
    column('mediaType', 'text', 'video or audio'),
    column('requestId', 'text', 'the media request it led to'),
    column('segment', 'integer', 'number of the segment'),
    column('rule', 'text', 'the rule that won'),
    column('fromRung', 'integer', 'rung before; 0 is the lowest'),
    column('rung', 'integer', 'rung that was chosen'),
    column('bitrateKbps', 'number', 'declared bitrate of the rung'),
    column('holdUntilBufferMs', 'number', 'the rule waits until the buffer has fallen to this'),
    column('because', 'text', 'the reason in a sentence'),
    column('values', 'text', 'numbers behind it, JSON'),
    column('votes', 'text', 'wishes of all active rules, JSON'),
    ...(['bufferMs', 'bufferTargetMs', 'playheadMs', 'liveLatencyMs', 'playbackRate'] as const).map(ofMoment),
    column('toldId', 'text', 'last thing a rule of ours was told before'),
    column('estimateKbps', 'number', 'what the player believed the network carries'),
    column('tookMs', 'number', 'time the rules took'),
    {
      ...{ name: 'missing', type: 'text', unit: '', meaning: 'why fields are unknown: field=reason …' },
      of: ({ missing }) => formatReasons(missing),
    },
  ],
});

/** What the rule was told when it decided. */
function ofMoment(
  name: 'bufferMs' | 'bufferTargetMs' | 'playheadMs' | 'liveLatencyMs' | 'playbackRate',
): SourceColumn<DecisionEvent> {
  const { unit } = field<DecisionEvent['moment']>(name, 'number', '');
  const meaning = `${name} of the moment, as the rule was told`;
  return { name, type: 'number', unit, meaning, of: ({ moment }) => moment[name] };
}
