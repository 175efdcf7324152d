import { instrumentedPlan } from './instrumentedPlan.ts';
import { FAIRNESS } from '../../../lab/link/fairness.ts';
import type { CampaignFile } from '../../plan/campaignFile.ts';
import { sendersOf } from '../../plan/sendersOf.ts';

/** For the table of a campaign: what of TCP's and QUIC's senders is alike, and what is not; a line each. */
export function formatFairness(campaign: CampaignFile): string[] {
  const instrumented = instrumentedPlan(campaign);
  const hasLink = campaign.profiles.length > 0;
  if (!instrumented) return hasLink ? [FAIRNESS] : [];
  const { controllers = ['cubic'] } = campaign;
  const unequal = controllers.filter((text) => !isEqual(text));
  const equal = controllers.filter(isEqual);
  const window = hasLink
    ? `initial window of ${instrumented.initialWindowPackets} packets`
    : "the initial window is set for QUIC only; TCP uses that of the machine's routes";
  const pacing = instrumented.tcpPacing ? 'both paced' : 'QUIC paced, TCP only under bbr';
  return [
    ...(equal.length > 0
      ? [
          `same congestion controller: TCP (the kernel) and QUIC (quinn) both use ${equal.join(', ')}, ${window}, ${pacing}`,
        ]
      : []),
    ...unequal.map((text) => `different congestion controllers: ${text}, ${window}, ${pacing}`),
    `remaining differences: acknowledgements and loss detection of each protocol, first packets of 1448 and 1200 bytes of data${differences(controllers)}`,
  ];
}

function isEqual(text: string): boolean {
  const senders = sendersOf(text);
  return senders.ok && senders.value.tcp === senders.value.quic && senders.value.emulatedConnections === null;
}

/** Of the two implementations of one controller. */
const differences = (controllers: readonly string[]): string =>
  [
    ['cubic', "; the kernel's Cubic leaves slow start early (HyStart), quinn's does not"],
    [
      'bbr',
      "; the kernel's BBR is version 1, quinn's is experimental and floods a full queue (docs/methodology.md)",
    ],
  ]
    .filter(([family]) => controllers.some((text) => text.includes(family!)))
    .map(([, words]) => words)
    .join('');
