/** Uses the types of both packages; nothing of it runs. `tsc` reads it as a user's compiler would. */
import { MediaPlayer } from 'dashjs';
import {
  bola,
  createRuleRunner,
  harmonicMean,
  parseRule,
  tunableRule,
  type DownloadEvent,
  type Rule,
} from '@pitwall/abr';
import { useRule } from '@pitwall/abr/dashjs';
import {
  attachTelemetry,
  createMemoryStore,
  readSession,
  type DecisionEvent,
  type SessionEvent,
  type SessionLog,
  type Telemetry,
} from '@pitwall/telemetry';

import type Hls from 'hls.js';
import { attachHls } from '@pitwall/telemetry/hlsjs';
import { attachShaka, type ShakaPlayer } from '@pitwall/telemetry/shaka';
import { cohort, reportTrial, type PageTrial, type Sending } from '@pitwall/telemetry/trial';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <T extends true>(isSame: T): T => isSame;

/** A rule of the user's own, by the contract. */
const own: Rule<{ readonly rung: number }> = tunableRule({ rung: 0 }, ({ rung }) => ({
  id: 'own',
  label: 'Own',
  paper: 'None',
  start: () => ({ rung }),
  observe: (state, event) => (event.kind === 'download' ? { rung: event.rung } : state),
  decide: ({ rung: chosen }, { lastRung }) => ({
    rung: Math.min(chosen, lastRung ?? 0),
    because: 'It was loaded before.',
  }),
}));

export async function play(video: HTMLVideoElement, url: string): Promise<SessionLog> {
  const player = MediaPlayer().create();
  const telemetry: Telemetry = await attachTelemetry(player, video, { store: createMemoryStore() });
  const rule = await useRule(player, video, own, { telemetry, seed: 2, sizes: 'head' });
  player.initialize(video, url, true);
  rule.use('bba-2');
  rule.use(bola.tuned?.({}) ?? parseRule('bola'));
  await rule.stop();
  return telemetry.exportLog();
}

export async function recordOthers(hls: Hls, player: ShakaPlayer, video: HTMLVideoElement): Promise<string> {
  const recordings: Telemetry[] = [await attachHls(hls, video), await attachShaka(player, video)];
  return recordings.map(({ sessionId }) => sessionId).join();
}

export async function reportOthers(telemetry: Telemetry, trial: PageTrial, viewer: string): Promise<Sending> {
  const url = `https://${cohort(trial, viewer)}.example/events`;
  const reporter = reportTrial(telemetry, {
    trial,
    url,
    session: telemetry.sessionId,
    viewer,
    consent: true,
  });
  return reporter.stop();
}

export function readingsOf(text: string): string[] {
  const read = readSession(text);
  return read.ok ? read.value.events.map(kindOf) : [read.error];
}

function kindOf(event: SessionEvent): string {
  if (event.kind !== 'decision') return event.kind;
  const { rung, because, requestId }: DecisionEvent = event;
  same<Equal<typeof rung, number | null>>(true);
  same<Equal<typeof requestId, string | null>>(true);
  // @ts-expect-error a decision has no status, a request has
  void event.status;
  return because;
}

export function rateKbps(downloads: readonly DownloadEvent[]): number | null {
  const runner = createRuleRunner(
    own,
    {
      mediaType: 'video',
      ladder: [{ bitrateKbps: 1000, width: null, height: null }],
      segmentMs: 2000,
      live: false,
      seed: 1,
    },
    (fault) => void fault,
  );
  for (const download of downloads) runner.tell(download);
  let window = harmonicMean.emptyWindow(5);
  for (const download of downloads)
    window = harmonicMean.withRate(window, harmonicMean.rateOf(download) ?? 0);
  return harmonicMean.harmonicMean(window);
}

// @ts-expect-error a player is needed
void attachTelemetry(null, document.createElement('video'));
