import * as Type from '@sinclair/typebox';
import { at, Name, texts, type Factor, type Names } from './factor.ts';

/** The ABR rules. Empty beside transfers, which stand in their place. */
export const rule: Factor<'rules', 'rule', Names, string> = {
  field: 'rules',
  key: 'rule',
  /** An entry may name several rules, `bola|bba`: each network then has one of them, in turn. */
  schema: Type.Array(Name, { maxItems: 100 }),
  examples: ['bola', 'bba-2'],
  values: texts,
  words: { question: 'the rule', counted: ['rule'] },
  column: { report: 'rule', terminal: 'rule' },
  faultsOf: (rules, { profiles, transfers, players }, known) => [
    ...at('/rules', rules.length === 0 && transfers === undefined ? 'Name at least one rule.' : null),
    ...rules.flatMap((entry, index) => {
      const names = rulesIn(entry);
      const isAlone = names.length > 1 && profiles.length === 0;
      return [
        ...names.flatMap((name) =>
          at(`/rules/${index}`, name === OWN_RULE ? faultOfOwn(players) : known.faultOfRule(name)),
        ),
        ...at(
          `/rules/${index}`,
          isAlone ? 'An entry with several rules gives each network one of them: fill in "profiles".' : null,
        ),
      ];
    }),
  ],
  planned(entry, networkPlace) {
    const rules = rulesIn(entry);
    return rules.length === 1
      ? { rule: entry }
      : { rule: rules[networkPlace % rules.length]!, ruleEntry: entry };
  },
  /** The entry: networks may have its rules in turn. In a session of a transfer, that stands here, too. */
  partOf: ({ rule: own, ruleEntry = own, transfer }) =>
    transfer === undefined ? (ruleEntry as string) : undefined,
  title: (name) => name,
};

/** The rule that the player of a session comes with. */
export const OWN_RULE = 'own';

const faultOfOwn = (players: readonly string[] | undefined): string | null =>
  players === undefined
    ? `"${OWN_RULE}" is the rule that each player comes with: name the "players", or the rule dashjs-dynamic.`
    : null;

/** The rules of an entry of `rules`: one, or several of which each network has one in turn (`bola|bba`). */
export const rulesIn = (entry: string): readonly string[] => entry.split('|');

/** Every rule that a campaign plays. */
export const rulesOf = ({ rules }: { readonly rules: readonly string[] }): string[] => [
  ...new Set(rules.flatMap(rulesIn)),
];
