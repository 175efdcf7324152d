import type { RuleEvent } from '../../abr/rule.ts';
import type { Track } from '../content.ts';

/** What a rule in a simulator knows before anything happens, as events: the ladder, and each rung's sizes. */
export function knownFromStart({ ladder, segmentMs, sizesBytes }: Track): RuleEvent[] {
  return [
    { kind: 'ladder', atMs: 0, ladder, segmentMs },
    ...sizesBytes.map((sizes, rung) => ({
      kind: 'sizes' as const,
      atMs: 0,
      from: 'table' as const,
      rung,
      firstSegment: 0,
      sizesBytes: sizes,
    })),
  ];
}
