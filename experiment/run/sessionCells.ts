import type { CompareOptions } from './compareOptions.ts';
import { splitWeights } from '../../src/abr/ruleText.ts';
import { splitName } from '../../src/shared/split.ts';
import type { CompareCell } from './play/plan.ts';
import { sessionIdOf } from '../plan/planCampaign.ts';

type Crossed = Pick<
  CompareOptions,
  'rules' | 'transports' | 'browsers' | 'controller' | 'pathways' | 'steering' | 'split'
>;

/**
 * Every rule with every transport, steering policy, number of ranges and browser, rules in the outer loop. The id is a file
 * name and a host label.
 */
export function sessionCells(
  { rules, transports, browsers = [], controller, pathways = [], steering = [], split = [] }: Crossed,
  mpd: string,
): CompareCell[] {
  const addresses = pathways.map(({ id, base }) => `${id}=${base}`);
  return rules.flatMap((rule) =>
    transports.flatMap((transport) =>
      orNone(steering).flatMap((policy) =>
        orNone(split).flatMap((count) =>
          orNone(browsers).map((browser) => ({
            id: idOf({ rule, transport, policy, count, browser }),
            rule,
            transport: transport as CompareCell['transport'],
            mpd,
            ...(controller !== undefined && { controller }),
            ...(policy !== undefined && { steering: policy, pathways: addresses }),
            ...(count !== undefined && { split: count }),
            ...(browser !== undefined && { browser }),
            link: null,
            design: null,
          })),
        ),
      ),
    ),
  );
}

const orNone = <Item>(items: readonly Item[]): readonly (Item | undefined)[] =>
  items.length === 0 ? [undefined] : items;

/** A rule that names a file: paths are longer than a host label, and two may begin alike. So may policies with parameters. */
function idOf({ rule, transport, policy, count, browser }: Named): string {
  const split = count === undefined ? undefined : splitName(count);
  const parts = [rule, transport, policy, split, browser].filter((part) => part !== undefined);
  const isLong = policy !== undefined || split !== undefined || splitWeights(rule).file !== null;
  if (isLong) return sessionIdOf(parts.join('/'));
  return parts
    .map((part) => part.replace(/[^\w-]+/g, '-'))
    .join('-')
    .toLowerCase();
}

interface Named {
  readonly rule: string;
  readonly transport: string;
  readonly policy: string | undefined;
  readonly count: number | undefined;
  readonly browser: string | undefined;
}
