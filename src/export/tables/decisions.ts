import { eventsOf } from '../../analysis/timeline/log.ts';
import type { DecisionEvent } from '../../telemetry/event.ts';
import { formatReasons, type CellType, field, tableOf, type SourceColumn } from '../table.ts';

const column = (
  name: keyof DecisionEvent & string,
  type: CellType,
  meaning: string,
): SourceColumn<DecisionEvent> => field(name, type, meaning);

export const decisions = tableOf<DecisionEvent>({
  id: 'decisions',
  label: 'decisions',
  about: 'a row per decision of a level for the next segment',
  sources: (log) => eventsOf(log, 'decision'),
  columns: [
    column('id', 'text', 'id of the decision in its session'),
    column('atMs', 'number', 'when the rule decided'),
    column('mediaType', 'text', 'video or audio'),
    column('requestId', 'text', 'the media request that the decision led to'),
    column('segment', 'integer', 'number of the segment'),
    column('rule', 'text', 'the rule whose choice was used'),
    column('fromRung', 'integer', 'previous level as an index; 0 is the lowest'),
    column('rung', 'integer', 'chosen level as an index; 0 is the lowest'),
    column('bitrateKbps', 'number', 'declared bitrate of the level'),
    column('holdUntilBufferMs', 'number', 'the rule waits until the buffer has fallen to this'),
    column('because', 'text', 'the reason, in a sentence'),
    column('values', 'text', 'values that the decision is based on, JSON'),
    column('votes', 'text', 'choices of all active rules, JSON'),
    ...(
      ['bufferMs', 'bufferTargetMs', 'audioBufferMs', 'playheadMs', 'liveLatencyMs', 'playbackRate'] as const
    ).map(ofMoment),
    column('inputId', 'text', 'id of the last `rule-input` event before (rules of Pitwall only)'),
    column('estimateKbps', 'number', 'throughput estimate of the player'),
    column('tookMs', 'number', 'time that the rules took to decide'),
    {
      name: 'missing',
      type: 'text',
      unit: '',
      meaning: 'why fields are unknown: field=reason …',
      of: ({ missing }) => formatReasons(missing),
    },
  ],
});

/** What the rule received when it decided. */
function ofMoment(
  name: 'bufferMs' | 'bufferTargetMs' | 'audioBufferMs' | 'playheadMs' | 'liveLatencyMs' | 'playbackRate',
): SourceColumn<DecisionEvent> {
  const { unit } = field<DecisionEvent['moment']>(name, 'number', '');
  const meaning = `${name} in the rule input of this decision`;
  return { name, type: 'number', unit, meaning, of: ({ moment }) => moment[name] ?? null };
}
