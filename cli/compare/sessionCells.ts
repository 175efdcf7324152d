import type { CompareOptions } from './compareOptions.ts';
import type { CompareCell } from '../../e2e/compare/plan.ts';

/** Every rule with every transport, rules in the outer loop. The id is a file name and a host label. */
export function sessionCells(
  { rules, transports, controller }: Pick<CompareOptions, 'rules' | 'transports' | 'controller'>,
  mpd: string,
): CompareCell[] {
  return rules.flatMap((rule) =>
    transports.map((transport) => {
      const id = `${rule.replace(/[^\w-]+/g, '-')}-${transport}`.toLowerCase();
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
