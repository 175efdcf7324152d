import { SEVERITIES } from '../analysis/diagnostics/finding.ts';
import { cut } from '../analysis/diagnostics/format.ts';
import type { Check } from './check.ts';
import type { Evidence } from './evidence.ts';
import { checks } from './registry.ts';

/** One fault of a stream's servers. */
export interface Finding {
  readonly check: Check;
  /** Without the full stop. Can contain foreign strings: show it only as text. */
  readonly sentence: string;
}

/** What the checks say of a stream. */
export interface Diagnosis {
  /** Worst first. */
  readonly findings: readonly Finding[];
  /** Checks without some of the evidence that they need, with the reason. They judge the rest. */
  readonly notChecked: readonly { readonly check: Check; readonly why: string }[];
}

/** Runs all checks, which say nothing of evidence that is not there; with `only`, those of these ids. */
export function diagnose(evidence: Evidence, only?: ReadonlySet<string>): Diagnosis {
  const findings: Finding[] = [];
  const notChecked: { check: Check; why: string }[] = [];
  for (const check of checks) {
    if (only && !only.has(check.id)) {
      notChecked.push({ check, why: 'a page cannot see it' });
      continue;
    }
    const why = check.needs.map((need) => evidence.unknown[need]).find((each) => each !== undefined);
    if (why !== undefined) notChecked.push({ check, why });
    // Two files of one server may have the same fault.
    for (const sentence of new Set(check.run(evidence))) findings.push({ check, sentence: cut(sentence) });
  }
  findings.sort((a, b) => rankOf(a) - rankOf(b));
  return { findings, notChecked };
}

const rankOf = ({ check: { severity } }: Finding): number => SEVERITIES.indexOf(severity);
