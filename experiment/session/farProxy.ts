import { isOwn, type CompareCell } from './plan.ts';
import { proxyVariableFor } from '../../lab/browser/environmentProxy.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * One sentence for each server elsewhere that browsers reach through a proxy of the environment. The lab's own origins are
 * reached without one. @throws Error in one sentence where a session over h3-only would then be one over TCP
 */
export function formatFarProxies(
  cells: readonly Pick<CompareCell, 'mpd' | 'transport'>[],
  environment: Environment = process.env,
): string[] {
  const far = cells.filter((cell) => !isOwn(cell));
  const sentences = far.flatMap(({ mpd, transport }) => {
    const variable = proxyVariableFor(mpd, environment);
    if (variable === null) return [];
    const { hostname } = new URL(mpd);
    const way = `${variable} is set: browsers reach ${hostname} through this proxy, over TCP`;
    if (transport === 'h3-only')
      throw new Error(
        `${way}, so h3-only cannot be played. Unset it, or put ${hostname} into no_proxy, if the server can be reached without.`,
      );
    return [`${way}. HTTP/3 cannot be measured through it.`];
  });
  return [...new Set(sentences)];
}
