import type { CompareOptions } from './compareOptions.ts';
import { splitWeights } from '../../src/abr/ruleText.ts';
import type { CompareCell } from './play/plan.ts';
import { sessionIdOf } from '../plan/planCampaign.ts';

type Crossed = Pick<CompareOptions, 'rules' | 'transports' | 'controller' | 'pathways' | 'steering'>;

/** Every rule with every transport and steering policy, rules in the outer loop. The id is a file name and a host label. */
export function sessionCells(
  { rules, transports, controller, pathways = [], steering = [] }: Crossed,
  mpd: string,
): CompareCell[] {
  const addresses = pathways.map(({ id, base }) => `${id}=${base}`);
  return rules.flatMap((rule) =>
    transports.flatMap((transport) =>
      (steering.length === 0 ? [undefined] : steering).map((policy) => ({
        id: idOf(rule, transport, policy),
        rule,
        transport: transport as CompareCell['transport'],
        mpd,
        ...(controller !== undefined && { controller }),
        ...(policy !== undefined && { steering: policy, pathways: addresses }),
        link: null,
        design: null,
      })),
    ),
  );
}

/** A rule that names a file: paths are longer than a host label, and two may begin alike. So may policies with parameters. */
function idOf(rule: string, transport: string, policy?: string): string {
  if (policy !== undefined) return sessionIdOf(`${rule}/${transport}/${policy}`);
  return splitWeights(rule).file === null
    ? `${rule.replace(/[^\w-]+/g, '-')}-${transport}`.toLowerCase()
    : sessionIdOf(`${rule}/${transport}`);
}
