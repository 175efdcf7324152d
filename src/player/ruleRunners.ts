import type { Ladder } from '../abr/ladder.ts';
import { MAX_RECENT_EVENTS } from '../abr/ruleInput.ts';
import type { Answer, MediaType, Moment, Rule, RuleEvent, SizesEvent } from '../abr/rule.ts';
import type { RuleInputEvent } from '../telemetry/event.ts';
import type { Telemetry } from '../telemetry/shell/telemetry.ts';
import { sameLadder } from './dashLadder.ts';
import { createRuleRunner, type RuleRunner } from '../abr/runner.ts';

/** What a media type offers now. */
export interface Offer {
  readonly ladder: Ladder;
  readonly segmentMs: number;
}

/** The active rule, with one runner per media type. Every rule input is written to the log when the rule gets it. */
export interface RuleRunners {
  /** Makes a rule the active one. Its runners start with fresh states and get the latest events. */
  use(rule: Rule): void;
  /** Passes an event to every runner, and keeps it for a rule that takes over later. */
  tellAll(event: RuleEvent): void;
  /** Passes an event to the runner of one media type. */
  tell(mediaType: MediaType, event: RuleEvent): void;
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
  readonly telemetry: Pick<Telemetry, 'record' | 'nowMs'>;
  readonly isLive: () => boolean;
  readonly onFault: (thrown: unknown) => void;
  readonly seed: number;
  /** All that is known now of the sizes of segments. */
  readonly sizesOf: (mediaType: MediaType) => readonly SizesEvent[];
}

export function createRuleRunners(context: RunnersContext): RuleRunners {
  const { telemetry } = context;
  let inCharge: Rule | null = null;
  const runners = new Map<MediaType, RunningRule>();
  const recent: RuleEvent[] = [];
  const tell = (mediaType: MediaType, input: RuleEvent): void => {
    const running = runners.get(mediaType);
    if (!running) return;
    running.inputId = record(context, mediaType, input);
    running.runner.tell(input);
  };
  // A new ladder ends what was known of sizes: its rungs are others.
  const tellOffer = (mediaType: MediaType, offer: Offer): void => {
    tell(mediaType, { kind: 'ladder', atMs: telemetry.nowMs(), ...offer });
    for (const sizes of context.sizesOf(mediaType)) tell(mediaType, sizes);
  };
  const begin = (rule: Rule, mediaType: MediaType, offer: Offer): RunningRule => {
    const running = startRule(rule, context, { mediaType, offer });
    runners.set(mediaType, running);
    // The log says what the state was built on: the ladder it started with, then what it had missed.
    tellOffer(mediaType, offer);
    for (const input of recent) tell(mediaType, input);
    return running;
  };
  return {
    use(rule) {
      inCharge = rule;
      runners.clear();
    },
    tellAll(event) {
      recent.push(event);
      if (recent.length > MAX_RECENT_EVENTS) recent.shift();
      for (const mediaType of runners.keys()) tell(mediaType, event);
    },
    tell,
    ask(mediaType, offer, moment) {
      if (!inCharge) throw new Error('no rule is active');
      const running = runners.get(mediaType) ?? begin(inCharge, mediaType, offer);
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

const sameOffer = (one: Offer, other: Offer): boolean =>
  one.segmentMs === other.segmentMs && sameLadder(one.ladder, other.ladder);

/** Returns the event's id. */
function record(
  { telemetry }: Pick<RunnersContext, 'telemetry'>,
  mediaType: MediaType,
  input: RuleEvent,
): string {
  return telemetry.record({
    kind: 'rule-input',
    atMs: telemetry.nowMs(),
    missing: {},
    mediaType,
    input: recorded(input),
  }).id;
}

/** The log's types are mutable, the rule's are not: the log gets its own copy. */
function recorded(input: RuleEvent): RuleInputEvent['input'] {
  if (input.kind === 'ladder') return { ...input, ladder: input.ladder.map((rung) => ({ ...rung })) };
  return input.kind === 'sizes' ? { ...input, sizesBytes: [...input.sizesBytes] } : { ...input };
}
