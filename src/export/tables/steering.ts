import { eventsOf } from '../../analysis/timeline/log.ts';
import type { SteeringChoiceEvent } from '../../telemetry/event.ts';
import { type CellType, field, tableOf, type SourceColumn } from '../table.ts';

const column = (
  name: keyof SteeringChoiceEvent & string,
  type: CellType,
  meaning: string,
): SourceColumn<SteeringChoiceEvent> => field(name, type, meaning);

export const steering = tableOf<SteeringChoiceEvent>({
  id: 'steering',
  label: 'steering',
  about: 'a row per choice of a steering policy that changed something: pathway, probe or continued request',
  sources: (log) => eventsOf(log, 'steering'),
  columns: [
    column('id', 'text', 'id of the choice in its session'),
    column('atMs', 'number', 'when the policy chose'),
    column('policy', 'text', 'the policy'),
    column('fromPathway', 'text', 'previous pathway; empty for the first choice'),
    column('pathway', 'text', 'chosen pathway'),
    column('because', 'text', 'the reason, in a sentence'),
    column('values', 'text', 'values that the choice is based on, JSON'),
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
    column(
      'pulledAway',
      'boolean',
      'whether content steering names another pathway first; empty: it does not',
    ),
    column(
      'keepsHistory',
      'boolean',
      'whether the rule went on with what it had measured over the pathway before; empty: it did not',
    ),
  ],
});
