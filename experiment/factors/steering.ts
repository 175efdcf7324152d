import * as Type from '@sinclair/typebox';
import { at, isQuic, Name, texts, type Around, type Factor, type Names } from './factor.ts';
import { policyOf } from '../../src/steering/registry.ts';

const NEEDS_OWN_ORIGIN =
  'Steering works only with the lab’s own origin: fill in "profiles", and list no addresses of MPDs in "contents".';

/**
 * Steering policies (docs/steering.md). The origin of each session then has a second name without HTTP/3, the pathway `tcp`.
 * Absent: the browser chooses, and there is one pathway.
 */
export const steering: Factor<'steering', 'steering', Type.TOptional<Names>, string> = {
  field: 'steering',
  key: 'steering',
  schema: Type.Optional(Type.Array(Name, { minItems: 1, maxItems: 20 })),
  examples: ['browser', 'throughput'],
  values: texts,
  words: { question: 'the steering policy', counted: ['steering policy', 'steering policies'] },
  column: { report: 'steering', terminal: 'steering' },
  needs: { link: NEEDS_OWN_ORIGIN },
  impossible: {
    /**
     * Without QUIC both pathways of the lab's own origin are TCP, and every policy would play the same session again. Elsewhere
     * every pathway is a server of its own.
     */
    isPossible: (name, { transports = '' }, { names, hasLink }) =>
      !hasLink || isQuic(transports) || name === policyWithoutQuic(names),
    why: 'without QUIC, which are not steered',
  },
  faultsOf: (policies, campaign) => [
    ...policies.flatMap((text, index) => {
      const policy = policyOf(text);
      return policy.ok ? [] : at(`/steering/${index}`, policy.error);
    }),
    ...at('/transports', faultOfTransports(campaign)),
    ...at('/steering', campaign.streams.some(({ isFar }) => isFar) ? NEEDS_OWN_ORIGIN : null),
  ],
  title: (policy) => `, steering ${policy}`,
};

const policyWithoutQuic = (policies: readonly string[]): string | undefined =>
  policies.includes('browser') ? 'browser' : policies[0];

const faultOfTransports = ({ compare, transports }: Around): string | null =>
  compare === 'steering' && !transports.some(isQuic)
    ? 'Steering is compared, but no transport uses QUIC: add h3-racing or h3-only.'
    : null;
