import type shaka from 'shaka-player';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Rule } from '../../abr/rule.ts';
import { throughput } from '../../abr/rules/throughput.ts';
import { replay } from '../../sim/replay/replay.ts';
import { FakeShaka, type FakeVariant } from './fakeShaka.testing.ts';
import { decisionsIn, inputsIn, recordSession, rulesIn, scripted } from './recordedSession.testing.ts';
import { createShakaSwitch } from './shakaSwitch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const asShaka = (player: FakeShaka): shaka.Player => player as unknown as shaka.Player;

type Switch = Parameters<shaka.extern.AbrManager['init']>[0];

/** Shaka's own manager, which chooses its second video, also at once when it is enabled. */
class OwnManager {
  isOn = false;
  released = false;
  samples = 0;
  private variants: readonly FakeVariant[] = [];
  private switchTo: Switch | null = null;
  init = (switchTo: Switch): void => void (this.switchTo = switchTo);
  setVariants(variants: readonly FakeVariant[]): boolean {
    const isNew = variants.length !== this.variants.length;
    this.variants = variants;
    return isNew;
  }
  chooseVariant = (): FakeVariant => this.variants.find(({ video }) => video!.id === 'video-750')!;
  enable(): void {
    this.isOn = true;
    this.switchTo?.(this.chooseVariant() as never);
  }
  disable = (): void => void (this.isOn = false);
  stop = this.disable;
  release = (): void => void (this.released = true);
  segmentDownloaded = (): void => void (this.samples += 1);
  getBandwidthEstimate = (): number => 7;
  configure = (): void => undefined;
  setMediaElement = (): void => undefined;
  playbackRateChanged = (): void => undefined;
  setCmsdManager = (): void => undefined;
  trySuggestStreams = (): void => undefined;
}

function switched(first: Rule | null = null) {
  const session = recordSession();
  const player = new FakeShaka(session);
  const own = new OwnManager();
  player.settings.abrFactory = () => own;
  const { use } = createShakaSwitch(asShaka(player), { telemetry: session.telemetry, seed: 3 });
  use(first);
  player.start();
  return { session, player, own, use };
}

test('Shaka’s own manager decides until a rule is used, and nothing is recorded of it', () => {
  const { session, player, own } = switched();
  expect([player.load(500), player.load(500)]).toEqual(['video-750', 'video-750']);
  expect(own.isOn).toBe(true);
  expect(player.settings.streaming).toMatchObject({ lowLatencyMode: true, segmentPrefetchLimit: 1 });
  expect(player.manager.getBandwidthEstimate()).toBe(7);
  expect(session.events).toEqual([]);
});

test('a rule that takes over knows the latest downloads, the audio stays, and its replay decides as it did', () => {
  const { session, player, own, use } = switched();
  for (let step = 0; step < 2; step += 1) player.load(500);
  player.request(player.audios[0]!, 500);
  player.endS -= 4;
  use(throughput);
  expect(own.isOn).toBe(false);
  expect(player.settings.streaming).toMatchObject({ lowLatencyMode: false, segmentPrefetchLimit: 0 });
  // 500 bytes a ms are 4 Mbit/s.
  expect(player.playing).toMatchObject({ video: { id: 'video-2850' }, audio: { id: 'audio-64' } });
  expect(player.load(500)).toBe('video-2850');
  expect(inputsIn(session).filter(({ kind }) => kind === 'download')).toMatchObject([
    { segment: 0, rung: 1 },
    { segment: 1, rung: 1 },
    { segment: 2, rung: 4 },
  ]);
  const { identical, decisions, faults } = replay(session.log(), throughput);
  expect(faults).toEqual([]);
  expect([identical, decisions.length]).toEqual([1, 1]);
});

test('both managers hear of downloads, and only the one in charge is enabled', () => {
  const { player, own, use } = switched(scripted({ rung: 0 }));
  player.manager.segmentDownloaded(100, 1000, true);
  expect([own.isOn, own.samples]).toEqual([false, 1]);
  player.manager.enable();
  expect(own.isOn).toBe(false);
  use(null);
  player.manager.enable();
  expect(own.isOn).toBe(true);
  player.manager.disable();
  expect(own.isOn).toBe(false);
});

test('Shaka’s own manager comes back, a hold ends, and a decision without a request says so', () => {
  const { session, player, use } = switched(scripted({ rung: 0 }, { rung: 3, holdUntilBufferMs: 2000 }));
  player.load(500);
  expect(player.settings.streaming.bufferingGoal).toBe(2);
  use(null);
  expect(player.settings.streaming).toMatchObject({ bufferingGoal: 20, segmentPrefetchLimit: 1 });
  player.manager.enable();
  expect(player.load(500)).toBe('video-750');
  player.pass(5000);
  expect(decisionsIn(session).map(({ rung, missing }) => [rung, missing['requestId']])).toEqual([
    [0, 'not-reported'],
    [3, 'not-applicable'],
  ]);
  use(scripted({ rung: 2 }));
  expect(player.load(500)).toBe('video-1200');
  expect(rulesIn(session)).toEqual(['scripted', 'scripted']);
});

test('a switch while a segment loads waits until it is in the buffer', () => {
  const { session, player, use } = switched();
  const before = player.playing;
  const segment = { getStartTime: () => 0 };
  for (const filter of player.requestFilters) filter(1, {}, { stream: player.videos[1]!, segment });
  use(scripted({ rung: 3 }));
  expect(player.playing).toBe(before);
  expect(decisionsIn(session)).toEqual([]);
  const appended = { contentType: 'video', start: 0, end: 4 };
  player.endS = 4;
  player.dispatchEvent(Object.assign(new Event('segmentappended'), appended));
  expect(player.playing!.video!.id).toBe('video-1850');
});

test('with a full buffer it is asked when that has fallen to its goal', () => {
  const { session, player, use } = switched();
  while (player.load(5000) !== null);
  use(scripted({ rung: 3 }));
  expect(decisionsIn(session)).toEqual([]);
  while (player.load(5000) === null) player.pass(50);
  expect(decisionsIn(session)).toMatchObject([{ rung: 3, missing: { requestId: 'not-reported' } }]);
});

test('a recording that is made later gets a decision before it sees the request', () => {
  const session = recordSession();
  const player = new FakeShaka(session);
  player.settings.abrFactory = () => new OwnManager();
  const seen: string[] = [];
  const decide = ({ rung, missing }: { rung: number | null; missing?: object }): void =>
    void seen.push(`decision ${rung}${JSON.stringify(missing)}`);
  const { use } = createShakaSwitch(asShaka(player), { telemetry: { ...session.telemetry, decide } });
  player.requestFilters.add(() => void seen.push('request'));
  use(scripted({ rung: 2 }));
  player.start();
  player.load(500);
  expect(seen).toEqual([expect.stringMatching(/^decision 2/), 'request']);
  expect(decisionsIn(session)).toEqual([]);
});

test('the end releases both', () => {
  const { player, own } = switched();
  player.manager.release();
  expect(own.released).toBe(true);
});
