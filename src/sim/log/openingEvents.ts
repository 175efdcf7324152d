import type { MediaType } from '../../abr/rule.ts';
import type { Draft, LadderEvent, ManifestEvent, RuleInUseEvent } from '../../telemetry/event.ts';
import type { Track } from '../content.ts';
import type { Scene } from '../model.ts';
import { reasonsFor } from './reasonsFor.ts';
import { manifestUrl, PERIOD_ID, representationId } from './sceneNames.ts';

/** What stands at the start of every log: what there is to play, and who decides. `live` has no end. */
export function openingEvents(
  { content, rule, seed }: Scene,
  live: boolean,
): Draft<ManifestEvent | LadderEvent | RuleInUseEvent>[] {
  const { video, audio } = content;
  const manifest = {
    kind: 'manifest' as const,
    atMs: 0,
    url: manifestUrl(content),
    type: live ? ('dynamic' as const) : ('static' as const),
    lowLatency: false,
    durationMs: live ? null : video.segments * video.segmentMs,
    minBufferMs: null,
    periods: 1,
  };
  return [
    { ...manifest, missing: reasonsFor(manifest) },
    ladderEvent('video', video),
    ...(audio ? [ladderEvent('audio', audio)] : []),
    { kind: 'rule', atMs: 0, rule: rule.id, parameters: { ...rule.parameters }, seed, missing: {} },
  ];
}

function ladderEvent(mediaType: MediaType, { ladder, segmentMs }: Track): Draft<LadderEvent> {
  return {
    kind: 'ladder',
    atMs: 0,
    mediaType,
    periodId: PERIOD_ID,
    language: null,
    segmentMs,
    rungs: ladder.map((rung, index) => ({
      ...rung,
      representationId: representationId(mediaType, index),
      codecs: '',
    })),
    missing: { language: 'not-applicable' },
  };
}
