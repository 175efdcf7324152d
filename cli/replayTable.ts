import { textTable } from '../node/textTable.ts';
import type { Replay, ReplayedDecision } from '../src/sim/replay/replay.ts';

/** One line per decision: what was chosen, what the rule would have chosen, and why. Rungs count from 1 for people. */
export function replayTable({ ruleId, decisions }: Pick<Replay, 'ruleId' | 'decisions'>): string {
  const head = ['', 'media', 'time, s', 'segment', 'buffer, s', 'recorded', 'kbit/s', ruleId, 'kbit/s'];
  const [heading = '', ...lines] = textTable([head, ...decisions.map(cellsOf)]).split('\n');
  return [`${heading}  because`, ...lines.map((line, index) => `${line}  ${decisions[index]?.because}`)].join(
    '\n',
  );
}

/** Of how many decisions the rung is the recorded one, and what that rests on. */
export function replaySummary({ decisions, identical, derived, faults }: Replay): string {
  const lines = [`${identical} of ${decisions.length} decisions identical`];
  if (derived > 0)
    lines.push(
      `${derived} of ${decisions.length} were made by dash.js’ own rules: the input of this rule is derived from the requests, stalls and seeks in the log`,
    );
  const failures = decisions.filter(({ fault }) => fault !== null).length;
  if (failures > 0)
    lines.push(`${failures} of ${decisions.length} have no answer; their lines give the reason`);
  return [...lines, ...faults].join('\n');
}

function cellsOf(decision: ReplayedDecision): string[] {
  return [
    decision.agrees ? '=' : '≠',
    decision.mediaType,
    (decision.atMs / 1000).toFixed(3),
    decision.segment === null ? '–' : String(decision.segment),
    (decision.bufferMs / 1000).toFixed(1),
    formatRung(decision.recordedRung),
    formatRate(decision.recordedBitrateKbps),
    formatRung(decision.rung),
    formatRate(decision.bitrateKbps),
  ];
}

const formatRung = (rung: number | null): string => (rung === null ? '–' : String(rung + 1));
const formatRate = (rateKbps: number | null): string =>
  rateKbps === null ? '–' : String(Math.round(rateKbps));
