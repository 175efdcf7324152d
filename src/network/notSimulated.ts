import type { Profile } from './profile.ts';

/**
 * What a profile asks for and a trace cannot hold, hence no simulator here models: a few words each, none if all is there.
 * `hasQueue`: a simulator that models the queue drops what overflows it.
 */
export function notSimulated(
  { steps, queue, udp = [] }: Profile,
  { hasQueue = false }: { readonly hasQueue?: boolean } = {},
): readonly string[] {
  const max = Math.max(...steps.map(({ lossDown, lossUp }) => Math.max(lossDown, lossUp)));
  const facts: readonly (readonly [boolean, string])[] = [
    [max > 0, `loss (up to ${Number((100 * max).toPrecision(3))} %)`],
    [!hasQueue, 'the queue'],
    [hasQueue, 'the delay that its queue adds to other connections'],
    [hasQueue && queue.kind === 'codel', 'what CoDel drops'],
    [steps.some(({ upKbps }) => upKbps !== null), 'the rate of the uplink'],
    [udp.length > 0, 'what befalls UDP alone'],
    [steps.some(({ newAddress }) => newAddress), 'new addresses of the client'],
  ];
  return facts.filter(([asked]) => asked).map(([, words]) => words);
}
