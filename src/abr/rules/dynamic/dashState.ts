import { NO_ESTIMATE, withDownload, type DashEstimate } from '../../estimators/dashEstimate.ts';
import { aroundDownload, EMPTY_BUFFER, type ReckonedBuffer } from '../../estimators/reckonedBuffer.ts';
import type { Ladder } from '../../ladder.ts';
import type { DownloadEvent, MediaType, RuleContext, RuleEvent } from '../../rule.ts';
import { segmentMsOf } from '../../segmentBytes.ts';
import { enhancedLevels, type EnhancedLevels } from '../bola/enhancedLevels.ts';
import { BOLA_UNUSED, bolaAfterDownload, bolaAfterSeek, type DashBola } from './dashBola.ts';
import type { DashSetting } from './dashDefaults.ts';
import { withSwitch, type SwitchHistory } from './switchHistory.ts';

/** All that dash.js' rules remember. */
export interface DashState {
  readonly mediaType: MediaType;
  readonly live: boolean;
  readonly ladder: Ladder;
  readonly segmentMs: number;
  /** null for a ladder with nothing to choose. */
  readonly levels: EnhancedLevels | null;
  readonly estimate: DashEstimate;
  readonly buffer: ReckonedBuffer;
  readonly bola: DashBola;
  readonly history: SwitchHistory;
  readonly lastRung: number | null;
  /** Segments loaded since the start or the last seek. */
  readonly loaded: number;
}

export const dashState = (context: RuleContext, { bufferTimeDefaultMs }: DashSetting): DashState => ({
  mediaType: context.mediaType,
  live: context.live,
  ladder: context.ladder,
  segmentMs: segmentMsOf(context),
  levels: enhancedLevels(context.ladder, bufferTimeDefaultMs, 1),
  estimate: NO_ESTIMATE,
  buffer: EMPTY_BUFFER,
  bola: BOLA_UNUSED,
  history: [],
  lastRung: null,
  loaded: 0,
});

export function observed(state: DashState, event: RuleEvent, setting: DashSetting): DashState {
  switch (event.kind) {
    case 'download':
      return event.mediaType === state.mediaType ? afterDownload(state, event, setting) : state;
    case 'stall':
      return { ...state, bola: { ...state.bola, inUse: false, placeholderMs: 0 } };
    case 'seek':
      return { ...state, bola: bolaAfterSeek(state.bola), buffer: EMPTY_BUFFER, loaded: 0 };
    case 'ladder':
      return {
        ...state,
        ladder: event.ladder,
        segmentMs: segmentMsOf(event),
        levels: enhancedLevels(event.ladder, setting.bufferTimeDefaultMs, 1),
        bola: bolaAfterSeek(state.bola),
        history: [],
        lastRung: null,
      };
    default:
      return state;
  }
}

function afterDownload(state: DashState, download: DownloadEvent, setting: DashSetting): DashState {
  const { mediaType, live, ladder, segmentMs, levels, lastRung } = state;
  const around = aroundDownload(state.buffer, download, segmentMs);
  const switchMs = setting.hybridSwitchMs;
  return {
    mediaType,
    live,
    ladder,
    segmentMs,
    levels,
    estimate: withDownload(state.estimate, download),
    buffer: around.next,
    bola: bolaAfterDownload(state.bola, { download, around, levels, switchMs, segmentMs }),
    history: historyAfter(state.history, download, { lastRung, size: setting.switchSamples }),
    lastRung: download.rung,
    loaded: state.loaded + (download.aborted ? 0 : 1),
  };
}

/** dash.js forgets the switches when a request is abandoned. */
function historyAfter(
  history: SwitchHistory,
  { aborted, rung }: DownloadEvent,
  { lastRung, size }: { lastRung: number | null; size: number },
): SwitchHistory {
  if (aborted) return [];
  return lastRung === null ? history : withSwitch(history, { from: lastRung, to: rung }, size);
}
