import type { CompareOptions } from './compareOptions.ts';
import { splitWeights } from '../../src/abr/ruleText.ts';
import type { CompareCell } from './play/plan.ts';
import { sessionIdOf } from '../plan/planCampaign.ts';

/** Every rule with every transport, rules in the outer loop. The id is a file name and a host label. */
export function sessionCells(
  { rules, transports, controller }: Pick<CompareOptions, 'rules' | 'transports' | 'controller'>,
  mpd: string,
): CompareCell[] {
  return rules.flatMap((rule) =>
    transports.map((transport) => {
      const id = idOf(rule, transport);
      return {
        id,
        rule,
        transport: transport as CompareCell['transport'],
        mpd,
        ...(controller !== undefined && { controller }),
        link: null,
        design: null,
      };
    }),
  );
}

/** A rule that names a file: paths are longer than a host label, and two may begin alike. */
const idOf = (rule: string, transport: string): string =>
  splitWeights(rule).file === null
    ? `${rule.replace(/[^\w-]+/g, '-')}-${transport}`.toLowerCase()
    : sessionIdOf(`${rule}/${transport}`);
