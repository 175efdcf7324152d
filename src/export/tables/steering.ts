import { eventsOf } from '../../analysis/timeline/log.ts';
import type { SteeringChoiceEvent } from '../../telemetry/event.ts';
import { field, tableOf } from '../table.ts';

export const steering = tableOf<SteeringChoiceEvent>({
  id: 'steering',
  label: 'steering',
  about: 'a row per choice of a steering policy that changed something: pathway, probe or continued request',
  sources: (log) => eventsOf(log, 'steering'),
  columns: [
    field('id', 'text', 'id of the choice in its session'),
    field('atMs', 'number', 'when the policy chose'),
    field('policy', 'text', 'the policy'),
    field('fromPathway', 'text', 'previous pathway; empty for the first choice'),
    field('pathway', 'text', 'chosen pathway'),
    field('because', 'text', 'the reason, in a sentence'),
    field('values', 'text', 'values that the choice is based on, JSON'),
    {
      name: 'probePathway',
      type: 'text',
      unit: '',
      meaning: 'pathway of a probe that began; empty: none',
      of: ({ probe }) => probe?.pathway ?? null,
    },
    {
      name: 'probeBytes',
      type: 'integer',
      unit: 'bytes',
      meaning: 'bytes that the probe asked for',
      of: ({ probe }) => probe?.bytes ?? null,
    },
    {
      name: 'rescuedRequestId',
      type: 'text',
      unit: '',
      meaning: 'the running request that was aborted and continued on the chosen pathway',
      of: ({ rescue }) => rescue?.requestId ?? null,
    },
    field(
      'pulledAway',
      'boolean',
      'whether content steering names another pathway first; empty: it does not',
    ),
    field(
      'keepsHistory',
      'boolean',
      'whether the rule went on with what it had measured over the pathway before; empty: it did not',
    ),
  ],
});
