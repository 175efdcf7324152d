import type { MediaPlayerClass, RulesContext } from 'dashjs';
import { isBuiltIn } from '../recorder/formatVote.ts';
import type { DashRepresentation } from './requests/dashRequest.ts';
import { guarded } from './onEvents.ts';

/** A rule that stood ready when dash.js had to choose, and what it answered. */
export interface AskedRule {
  /** Class name in dash.js. */
  readonly rule: string;
  readonly builtIn: boolean;
  readonly asked: boolean;
  /** null is "no change". */
  readonly representation: DashRepresentation | null;
  readonly reason: Readonly<Record<string, unknown>>;
  /** Its wish is the one that dash.js took. */
  readonly won: boolean;
}

/** One question of dash.js to its rules. */
export interface RuleQuestion {
  readonly context: RulesContext;
  readonly rules: readonly AskedRule[];
  readonly tookMs: number;
  /** The question was whether to give up the running download, and the answer yes. */
  readonly abandons: boolean;
}

/** dash.js' SwitchRequest. */
interface Wish {
  readonly representation?: DashRepresentation | null;
  readonly reason?: unknown;
}

interface DashRule {
  getClassName(): string;
  getSwitchRequest(context: RulesContext): Wish;
}

interface Collection {
  getQualitySwitchRules(): readonly DashRule[];
  getBestPossibleSwitchRequest(context: RulesContext): Wish;
  shouldAbandonFragment(context: RulesContext): Wish;
}

interface VoteListener {
  onQuestion(question: RuleQuestion): void;
  onRuleFault(context: RulesContext, fault: unknown): void;
}

/** What one extension of a player sees, for all that listen. */
interface Votes {
  readonly listeners: Set<VoteListener>;
  /** dash.js made its rules after it was extended. */
  hasCollection: boolean;
}

/** FactoryMaker keeps the first extension of a class as long as the player lives, so that a later recorder joins it. */
const votesOf = new WeakMap<MediaPlayerClass, Votes>();

/**
 * Sees every question that dash.js puts to its rules: extends ABRRulesCollection (FactoryMaker.merge keeps the parent
 * and replaces the methods we return), the one place where the rules are asked and their wishes merged. Works for
 * collections created from now on, that is when called before `player.initialize`. `stop` ends the listening; the
 * extension itself cannot be taken off.
 */
export function watchVotes(
  player: MediaPlayerClass,
  listener: VoteListener,
): { areSeen(): boolean; stop(): void } {
  const votes = votesOf.get(player) ?? extendRules(player);
  votes.listeners.add(listener);
  return {
    areSeen: () => votes.hasCollection,
    stop: () => void votes.listeners.delete(listener),
  };
}

function extendRules(player: MediaPlayerClass): Votes {
  const votes: Votes = { listeners: new Set(), hasCollection: false };
  const onQuestion = guarded((read: () => RuleQuestion) => {
    const question = read();
    for (const listener of votes.listeners) listener.onQuestion(question);
  });
  const onRuleFault = guarded((context: RulesContext, fault: unknown) => {
    for (const listener of votes.listeners) listener.onRuleFault(context, fault);
  });
  const extension = function (this: { parent: Collection }) {
    votes.hasCollection = true;
    const { parent } = this;
    // Taken now: once merged, the parent's own properties are these functions.
    const best = parent.getBestPossibleSwitchRequest;
    const abandon = parent.shouldAbandonFragment;
    const ballot = createBallot();
    return {
      getBestPossibleSwitchRequest(context: RulesContext): Wish {
        if (votes.listeners.size === 0) return best.call(parent, context);
        const rules = parent.getQualitySwitchRules();
        const startedMs = performance.now();
        try {
          const { result, asked } = ballot.during(rules, () => best.call(parent, context));
          const tookMs = performance.now() - startedMs;
          onQuestion(() => ({ context, rules: askedRules(rules, asked, result), tookMs, abandons: false }));
          return result;
        } catch (fault) {
          onRuleFault(context, fault);
          throw fault;
        }
      },
      shouldAbandonFragment(context: RulesContext): Wish {
        const startedMs = performance.now();
        const result = abandon.call(parent, context);
        const tookMs = performance.now() - startedMs;
        // Asked at every progress event; only a yes is a decision.
        if (result.representation) onQuestion(() => ({ context, ...abandoned(result), tookMs }));
        return result;
      },
    };
  };
  player.extend('ABRRulesCollection', extension, true);
  votesOf.set(player, votes);
  return votes;
}

const abandoned = (wish: Wish): Pick<RuleQuestion, 'rules' | 'abandons'> => ({
  rules: [{ rule: 'AbandonRequestsRule', asked: true, ...wishOf(wish), won: true, builtIn: true }],
  abandons: true,
});

/** Notes what each rule answers while a question is put. A rule is wrapped once and stays what it was to dash.js. */
function createBallot() {
  const wrapped = new WeakSet<DashRule>();
  let asked: Map<DashRule, Wish> | null = null;
  const wrap = (rule: DashRule): void => {
    if (wrapped.has(rule) || Object.isFrozen(rule)) return;
    wrapped.add(rule);
    const original = rule.getSwitchRequest;
    rule.getSwitchRequest = function (this: DashRule, context: RulesContext): Wish {
      const wish = original.call(this, context);
      asked?.set(rule, wish);
      return wish;
    };
  };
  return {
    during(
      rules: readonly DashRule[],
      ask: () => Wish,
    ): { result: Wish; asked: ReadonlyMap<DashRule, Wish> } {
      rules.forEach(wrap);
      const answers = new Map<DashRule, Wish>();
      asked = answers;
      try {
        return { result: ask(), asked: answers };
      } finally {
        asked = null;
      }
    },
  };
}

function askedRules(
  rules: readonly DashRule[],
  asked: ReadonlyMap<DashRule, Wish>,
  result: Wish,
): readonly AskedRule[] {
  return rules.map((each) => {
    const wish = asked.get(each);
    const rule = each.getClassName();
    return {
      rule,
      asked: wish !== undefined,
      ...wishOf(wish),
      won: wish === result,
      builtIn: isBuiltIn(rule),
    };
  });
}

function wishOf(wish: Wish | undefined): Pick<AskedRule, 'representation' | 'reason'> {
  const { representation, reason } = wish ?? {};
  return {
    representation: representation ?? null,
    reason: (typeof reason === 'object' ? reason : null) ?? {},
  } as Pick<AskedRule, 'representation' | 'reason'>;
}
