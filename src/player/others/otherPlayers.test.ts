import { expect, test } from 'vitest';
import type { Rule } from '../../abr/rule.ts';
import type { Draft } from '../../telemetry/event.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import type { Telemetry } from '../../telemetry/shell/telemetry.ts';
import type { PlayerSetup } from '../player.ts';
import { chooseRule, decideBy, laterRecording, optionsOf } from './otherPlayers.ts';

const setup: PlayerSetup = {
  video: {} as HTMLVideoElement,
  mpdUrl: 'https://cdn.example/main.m3u8',
  rule: 'fixed:level=2',
  presetId: '',
};

/** A player whose switch and whose recording note what they get. */
function played() {
  const used: (string | null)[] = [];
  const recorded: string[] = [];
  const telemetry = {
    nowMs: () => 7,
    record(draft: Draft) {
      if (draft.kind === 'rule') recorded.push(draft.rule);
      return draft as SessionEvent;
    },
  };
  const use = (rule: Rule | null): void => void used.push(rule && rule.id);
  return { used, recorded, ...decideBy('hlsjs', setup, { telemetry, use }) };
}

test('rules decide in turn, and the log has the player’s own: a host records ours', async () => {
  const { begin, useRule, used, recorded } = played();
  begin(await chooseRule('hlsjs', setup.rule));
  await useRule('hlsjs-abr');
  await useRule('bola');
  expect(used).toEqual(['fixed', null, 'bola']);
  expect(recorded).toEqual(['hlsjs-abr']);
});

test('a rule that is refused leaves the one in charge, and after the end none is used', async () => {
  const { begin, useRule, end, used } = played();
  begin(await chooseRule('hlsjs', ''));
  await expect(useRule('dashjs-bola')).rejects.toThrow('dashjs-bola is a rule of dash.js');
  end();
  await expect(useRule('bola')).rejects.toThrow('Playback is over');
  expect(used).toEqual([null]);
});

test('the recording names the rule that begins, with its parameters', async () => {
  const rule = await chooseRule('hlsjs', setup.rule);
  expect(optionsOf(setup, { rule, settings: {} }).environment).toMatchObject({
    rule: 'fixed',
    ruleParameters: { level: 2 },
  });
});

test('a switch that is made first writes to the recording that comes later', () => {
  const made: { telemetry: Telemetry | null } = { telemetry: null };
  const recording = laterRecording(() => made.telemetry!);
  const decided: unknown[] = [];
  made.telemetry = {
    nowMs: () => 3,
    sessionMs: (ms: number) => ms + 1,
    decide: (draft: unknown) => void decided.push(draft),
    record: (draft: unknown) => draft,
  } as unknown as Telemetry;
  recording.decide!({ kind: 'decision' } as never);
  expect([recording.nowMs(), recording.sessionMs(4), decided]).toEqual([3, 5, [{ kind: 'decision' }]]);
});
