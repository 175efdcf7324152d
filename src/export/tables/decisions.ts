import { eventsOf } from '../../analysis/timeline/log.ts';
import type { DecisionEvent } from '../../telemetry/event.ts';
import { field, missingColumn, tableOf, type SourceColumn } from '../table.ts';

export const decisions = tableOf<DecisionEvent>({
  id: 'decisions',
  label: 'decisions',
  about: 'a row per decision of a level for the next segment',
  sources: (log) => eventsOf(log, 'decision'),
  columns: [
    field('id', 'text', 'id of the decision in its session'),
    field('atMs', 'number', 'when the rule decided'),
    field('mediaType', 'text', 'video or audio'),
    field('requestId', 'text', 'the media request that the decision led to'),
    field('segment', 'integer', 'number of the segment'),
    field('rule', 'text', 'the rule whose choice was used'),
    field('fromRung', 'integer', 'previous level as an index; 0 is the lowest'),
    field('rung', 'integer', 'chosen level as an index; 0 is the lowest'),
    field('bitrateKbps', 'number', 'declared bitrate of the level'),
    field('holdUntilBufferMs', 'number', 'the rule waits until the buffer has fallen to this'),
    field('because', 'text', 'the reason, in a sentence'),
    field('values', 'text', 'values that the decision is based on, JSON'),
    field('votes', 'text', 'choices of all active rules, JSON'),
    ...(
      ['bufferMs', 'bufferTargetMs', 'audioBufferMs', 'playheadMs', 'liveLatencyMs', 'playbackRate'] as const
    ).map(ofMoment),
    field('inputId', 'text', 'id of the last `rule-input` event before (rules of Pitwall only)'),
    field('estimateKbps', 'number', 'throughput estimate of the player'),
    field('tookMs', 'number', 'time that the rules took to decide'),
    missingColumn,
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
