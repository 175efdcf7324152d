import type { CompareOptions } from './compareOptions.ts';
import { splitWeights } from '../../src/abr/ruleText.ts';
import { splitName } from '../../src/shared/split.ts';
import type { CompareCell } from './play/plan.ts';
import { sessionIdOf } from '../plan/planCampaign.ts';

type Crossed = Pick<
  CompareOptions,
  'rules' | 'transports' | 'controller' | 'pathways' | 'steering' | 'split'
>;

/**
 * Every rule with every transport, steering policy and number of ranges, rules in the outer loop. The id is a file name and
 * a host label.
 */
export function sessionCells(
  { rules, transports, controller, pathways = [], steering = [], split = [] }: Crossed,
  mpd: string,
): CompareCell[] {
  const addresses = pathways.map(({ id, base }) => `${id}=${base}`);
  return rules.flatMap((rule) =>
    transports.flatMap((transport) =>
      orNone(steering).flatMap((policy) =>
        orNone(split).map((count) => ({
          id: idOf(rule, transport, [policy, count === undefined ? undefined : splitName(count)]),
          rule,
          transport: transport as CompareCell['transport'],
          mpd,
          ...(controller !== undefined && { controller }),
          ...(policy !== undefined && { steering: policy, pathways: addresses }),
          ...(count !== undefined && { split: count }),
          link: null,
          design: null,
        })),
      ),
    ),
  );
}

const orNone = <Item>(items: readonly Item[]): readonly (Item | undefined)[] =>
  items.length === 0 ? [undefined] : items;

/** A rule that names a file: paths are longer than a host label, and two may begin alike. So may policies with parameters. */
function idOf(rule: string, transport: string, more: readonly (string | undefined)[]): string {
  const parts = more.filter((each) => each !== undefined);
  if (parts.length > 0) return sessionIdOf([rule, transport, ...parts].join('/'));
  return splitWeights(rule).file === null
    ? `${rule.replace(/[^\w-]+/g, '-')}-${transport}`.toLowerCase()
    : sessionIdOf(`${rule}/${transport}`);
}
