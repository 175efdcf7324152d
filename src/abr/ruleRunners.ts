import { sameLadder, type Ladder } from './ladder.ts';
import type { Answer, MediaType, Moment, Rule, RuleEvent, SizesEvent } from './rule.ts';
import { createRecentEvents, type PathwayChange } from './ruleInput.ts';
import { createRuleRunner, type RuleRunner } from './runner.ts';

/** What a media type offers now. */
export interface Offer {
  readonly ladder: Ladder;
  readonly segmentMs: number;
}

/**
 * The active rule, with one runner per media type. Every rule input is written to the log when the rule gets it. Player and
 * simulator use it.
 */
export interface RuleRunners {
  /** Makes a rule the active one. Its runners start with fresh states and get the latest events. */
  use(rule: Rule): void;
  /**
   * The requests to come go over another pathway. Unless the rule keeps its history, runners start with fresh states and
   * get the latest events, without the downloads of other pathways: what those carried says nothing about this one.
   */
  usePathway(change: PathwayChange): void;
  /** Passes an event to every runner, and keeps it for a rule that takes over later. `pathway`: over which it was measured. */
  tellAll(event: RuleEvent, pathway?: string): void;
  /** Passes an event to the runner of one media type. */
  tell(mediaType: MediaType, event: RuleEvent): void;
  /** Starts the rule for a media type, before its first question. */
  begin(mediaType: MediaType, offer: Offer): void;
  /** Passes a changed offer to the runner, then asks the rule. Throws what the rule throws. */
  ask(mediaType: MediaType, offer: Offer, moment: Moment): Answer;
  /** Id of the newest rule input of a runner; null before the first. */
  inputId(mediaType: MediaType): string | null;
  clear(): void;
}

interface RunningRule {
  readonly runner: RuleRunner;
  offer: Offer;
  inputId: string | null;
}

interface RunnersContext {
  readonly nowMs: () => number;
  /** Writes what the rule gets to the log. Returns the id of the event; null without a log. */
  readonly record: (mediaType: MediaType, input: RuleEvent) => string | null;
  readonly isLive: () => boolean;
  readonly onFault: (thrown: unknown) => void;
  readonly seed: number;
  /** All that is known now of the sizes of segments. */
  readonly sizesOf: (mediaType: MediaType) => readonly SizesEvent[];
}

export function createRuleRunners(context: RunnersContext): RuleRunners {
  let inCharge: Rule | null = null;
  const runners = new Map<MediaType, RunningRule>();
  const recent = createRecentEvents();
  const tell = (mediaType: MediaType, input: RuleEvent): void => {
    const running = runners.get(mediaType);
    if (!running) return;
    running.inputId = context.record(mediaType, input);
    running.runner.tell(input);
  };
  // A new ladder ends what was known of sizes: its rungs are others.
  const tellOffer = (mediaType: MediaType, offer: Offer): void => {
    tell(mediaType, { kind: 'ladder', atMs: context.nowMs(), ...offer });
    for (const sizes of context.sizesOf(mediaType)) tell(mediaType, sizes);
  };
  const begin = (mediaType: MediaType, offer: Offer): RunningRule => {
    if (!inCharge) throw new Error('no rule is active');
    const running = startRule(inCharge, context, { mediaType, offer });
    runners.set(mediaType, running);
    // The log says what the state was built on: the ladder it started with, then what it had missed.
    tellOffer(mediaType, offer);
    recent.ofPresent().forEach((event) => tell(mediaType, event));
    return running;
  };
  return {
    use(rule) {
      inCharge = rule;
      runners.clear();
    },
    usePathway(change) {
      recent.use(change);
      if (!change.keepsHistory) runners.clear();
    },
    tellAll(event, pathway) {
      if (recent.add(event, pathway)) for (const mediaType of runners.keys()) tell(mediaType, event);
    },
    tell,
    begin,
    ask(mediaType, offer, moment) {
      const running = runners.get(mediaType) ?? begin(mediaType, offer);
      if (!sameOffer(running.offer, offer)) {
        running.offer = offer;
        tellOffer(mediaType, offer);
      }
      return running.runner.ask(moment);
    },
    inputId: (mediaType) => runners.get(mediaType)?.inputId ?? null,
    clear() {
      inCharge = null;
      runners.clear();
    },
  };
}

function startRule(
  rule: Rule,
  { isLive, seed, onFault }: RunnersContext,
  { mediaType, offer }: { mediaType: MediaType; offer: Offer },
): RunningRule {
  const runner = createRuleRunner(rule, { mediaType, ...offer, live: isLive(), seed }, onFault);
  return { runner, offer, inputId: null };
}

/** Tells whether two offers are the same to a rule. */
export const sameOffer = (one: Offer, other: Offer): boolean =>
  one === other || (one.segmentMs === other.segmentMs && sameLadder(one.ladder, other.ladder));

/** Copies an input for the log, whose types are mutable; those of rules are not. */
export function copyInput(input: RuleEvent) {
  if (input.kind === 'ladder') return { ...input, ladder: input.ladder.map((rung) => ({ ...rung })) };
  return input.kind === 'sizes' ? { ...input, sizesBytes: [...input.sizesBytes] } : { ...input };
}
