import type { Answer, Moment, Rule, RuleContext, RuleEvent, SizesEvent, SizeSource } from './rule.ts';

/** A rule at work for one media type, in the player and in a replay: its state, and the sizes it may look up. */
export interface RuleRunner {
  tell(event: RuleEvent): void;
  /** Throws what the rule throws; the runner stays usable. */
  ask(moment: Moment): Answer;
}

/**
 * Runs a rule. Whatever `start` or `observe` throws goes to `onFault` and the state stays as it was: one event that
 * a rule cannot process must not end its run.
 */
export function createRuleRunner(
  rule: Rule,
  context: Omit<RuleContext, 'sizeBytes' | 'sizesFrom'>,
  onFault: (fault: unknown) => void,
): RuleRunner {
  const sizes = createSizeTable();
  const whole: RuleContext = { ...context, sizeBytes: sizes.sizeBytes, sizesFrom: sizes.from };
  let state: { readonly value: unknown } | null = null;
  const begin = (): { readonly value: unknown } => (state ??= { value: rule.start(whole) });
  return {
    tell(event) {
      try {
        const before = begin().value;
        if (event.kind === 'ladder') sizes.clear();
        if (event.kind === 'sizes') sizes.learn(event);
        state = { value: rule.observe(before, event) };
      } catch (fault) {
        onFault(fault);
      }
    },
    ask: (moment) => rule.decide(begin().value, moment),
  };
}

/** The sizes of segments known so far, for `RuleContext.sizeBytes`. Belongs to a rule runner, not to a rule's state. */
interface SizeTable {
  /** Bytes; null when not known. */
  readonly sizeBytes: (segment: number, rung: number) => number | null;
  readonly from: () => SizeSource | null;
  learn(event: SizesEvent): void;
  /** Forgets all: a new ladder has other rungs. */
  clear(): void;
}

export function createSizeTable(): SizeTable {
  const rungs = new Map<number, Map<number, number>>();
  let from: SizeSource | null = null;
  return {
    sizeBytes: (segment, rung) => rungs.get(rung)?.get(segment) ?? null,
    from: () => from,
    learn(event) {
      from = event.from;
      const sizes = rungs.get(event.rung) ?? new Map<number, number>();
      rungs.set(event.rung, sizes);
      event.sizesBytes.forEach((size, index) => {
        if (size !== null) sizes.set(event.firstSegment + index, size);
      });
    },
    clear() {
      rungs.clear();
      from = null;
    },
  };
}
