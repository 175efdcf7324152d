import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { decidableRules } from '../src/abr/decidableRules.testing.ts';
import { abrRules } from '../src/abr/registry.ts';
import type { Answer, Rule, RuleEvent } from '../src/abr/rule.ts';
import { contextOf, downloadOf, ladderOf, momentOf } from '../src/abr/testMoments.testing.ts';

const readme = readFileSync(path.join(import.meta.dirname, 'abr', 'README.md'), 'utf8');

/** What a rule needs that hls.js and Shaka do not always have, by the letters of the README's table. */
type Need = 'sizes' | 'holds' | 'connection' | 'weights';

/** The needs of each rule in the README's table, by id. */
function needsInReadme(): Map<string, string[]> {
  const rows = [...readme.matchAll(/^\| `([\w-]+)` +\|([^|\n]*)\|$/gm)];
  return new Map(
    rows.map(([, id, needs]) => [
      id!,
      needs!
        .split(',')
        .map((need) => need.trim())
        .filter(Boolean),
    ]),
  );
}

const RATES_KBPS = [20_000, 1000, 600, 2500, 1500];

/** What a rule reads, and whether it holds, over a fast and a slow network and at every buffer level. */
function needsOf(rule: Rule): Need[] {
  const needs = new Set<Need>();
  const sizeBytes = (): null => {
    needs.add('sizes');
    return null;
  };
  let state = rule.start(contextOf(ladderOf(300, 750, 1200, 1850), { sizeBytes }));
  let rung = 0;
  for (let segment = 0; segment < 100 * RATES_KBPS.length; segment += 1) {
    const startMs = segment * 1000;
    const times = { segment, startMs, firstByteMs: startMs + 90, lastByteMs: startMs + 900 };
    const rateKbps = RATES_KBPS[Math.floor(segment / 100)]!;
    state = rule.observe(state, watched(downloadOf(rateKbps, { ...times, rung }), needs));
    const bufferMs = (segment * 1231) % 120_000;
    const moment = momentOf({ nowMs: startMs + 901, bufferMs, segment: segment + 1, lastRung: rung });
    const answer = formatted(rule.decide(state, { ...moment, bufferTargetMs: 30_000 }));
    rung = answer.rung;
    if (answer.holdUntilBufferMs !== undefined) needs.add('holds');
  }
  if (abrRules.find(({ id }) => id === rule.id)?.withWeights) needs.add('weights');
  return [...needs].sort();
}

/** Also the reason may be what needs sizes. */
function formatted(answer: Answer): Answer {
  if (typeof answer.because === 'function') answer.because();
  return answer;
}

function watched(download: RuleEvent, needs: Set<Need>): RuleEvent {
  return new Proxy(download, {
    get(target, name) {
      if (name === 'connectionReused' || name === 'protocol') needs.add('connection');
      return Reflect.get(target, name) as unknown;
    },
  });
}

test('the README’s table has every rule, with what it needs', () => {
  const needs = new Map(decidableRules.map((rule) => [rule.id, needsOf(rule)]));
  expect(Object.fromEntries(needsInReadme())).toEqual(Object.fromEntries(needs));
});
