import { parseRuleText } from '../../abr/ruleText.ts';
import type { Rule } from '../../abr/rule.ts';
import { errorDraft } from '../../telemetry/errorDraft.ts';
import type { SessionOptions, Telemetry } from '../../telemetry/shell/telemetry.ts';
import { createFatal, type Fatal } from '../failures/watchFailures.ts';
import type { HostRecording } from '../host/ruleHost.ts';
import type { Player, PlayerSetup } from '../player.ts';
import { playerRules } from '../rules.ts';
import { loadRule, ruleWishes } from '../ruleWishes.ts';
import { PLAYERS, type PlayerId } from './createOtherPlayer.ts';

/** How long requests may take to end once a player is destroyed, ms: it cancels them. */
const DRAIN_MS = 2000;

export async function drainAndStop(telemetry: Telemetry): Promise<void> {
  await Promise.race([telemetry.drained(), new Promise((resolve) => setTimeout(resolve, DRAIN_MS))]);
  await telemetry.stop();
}

/** What a recording of a player takes from the set-up. `settings`: those that differ from the player's own. */
export function optionsOf(
  { store, resumeId, keepQueryValues = false, mpdUrl, viewerScript }: PlayerSetup,
  { rule, settings }: { rule: ChosenRule; settings: Readonly<Record<string, number>> },
): SessionOptions {
  return {
    ...(store && { store }),
    ...(resumeId !== undefined && { resumeId }),
    keepQueryValues,
    environment: {
      mpdUrl,
      rule: rule.id,
      ruleParameters: { ...rule.rule?.parameters },
      settings,
      missing: { dashjsVersion: 'not-applicable', preset: 'not-applicable' },
      ...(viewerScript != null && { viewer: viewerScript }),
    },
  };
}

/** The sentence that playback ended with, and the first one about a wait, each also in the log. `end` stops the player. */
export function reportEnds(telemetry: Telemetry, end: () => void): { fatal: Fatal; notices: Fatal } {
  const report = (error: { code: string; message: string; fatal: boolean }): void =>
    void telemetry.record(errorDraft({ atMs: telemetry.nowMs(), source: 'player', ...error }));
  return {
    notices: createFatal((message) => report({ code: 'waiting', message, fatal: false })),
    fatal: createFatal((message) => {
      report({ code: 'ended', message, fatal: true });
      // Not at once: the player is in the middle of reporting it.
      setTimeout(end);
    }),
  };
}

/** Who decides in a player: one of our rules, or the player's own (null). */
export interface ChosenRule {
  readonly id: string;
  readonly rule: Rule | null;
}

/**
 * Loads the rule that a text means in a player; the player's own for its id and for no text. Rejects with one sentence for a rule
 * of another player, and for one that needs what this player does not give.
 */
export async function chooseRule(
  player: PlayerId,
  text: string,
  weights: string | null = null,
): Promise<ChosenRule> {
  const { label, ownRule } = PLAYERS.find(({ id }) => id === player)!;
  if (text === '' || text === ownRule) return { id: ownRule, rule: null };
  const { id } = parseRuleText(text);
  if (id === ownRule) throw new Error(`The rule ${id} is a part of ${label}: it has no parameters here.`);
  const owner = ownerOf(id);
  if (owner !== null)
    throw new Error(
      `${id} is a rule of ${owner}, and ${label} plays: choose ${ownRule} or a rule of the papers.`,
    );
  const ownEntry = { id: ownRule, label: ownRule, rule: null, builtIns: null };
  const { rule } = await loadRule(text, weights, [ownEntry, ...playerRules]);
  if (rule?.setsPlaybackRate)
    throw new Error(`${text} sets the playback rate, which only dash.js lets a rule do: ${label} plays.`);
  return { id, rule };
}

/** The player that a rule is a part of. */
function ownerOf(rule: string): string | null {
  if (playerRules.some(({ id, rule: ours }) => id === rule && ours === null)) return 'dash.js';
  return PLAYERS.find(({ ownRule }) => ownRule === rule)?.label ?? null;
}

/** Lets rules decide in a player whose switch takes them: the first one, and those that are picked during play. */
export function decideBy(
  player: PlayerId,
  setup: PlayerSetup,
  { telemetry, use }: { telemetry: Pick<Telemetry, 'record' | 'nowMs'>; use: (rule: Rule | null) => void },
): Pick<Player, 'useRule'> & { begin(rule: ChosenRule): void; end(): void } {
  const begin = ({ id, rule }: ChosenRule): void => {
    use(rule);
    // A host records the rules that it is given.
    if (!rule)
      telemetry.record({ kind: 'rule', atMs: telemetry.nowMs(), missing: {}, rule: id, parameters: {} });
  };
  const load = (text: string, weights: string | null | undefined): Promise<ChosenRule> =>
    chooseRule(player, text, weights);
  return { begin, ...ruleWishes(setup, { load, use: begin }) };
}

/** A recording that is made after the switch of rules that writes to it. */
export const laterRecording = (telemetry: () => Telemetry): HostRecording => ({
  record: (draft) => telemetry().record(draft),
  decide: (draft) => telemetry().decide(draft),
  nowMs: () => telemetry().nowMs(),
  sessionMs: (performanceMs) => telemetry().sessionMs(performanceMs),
});
