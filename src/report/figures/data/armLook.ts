import { ruleLook } from '../../../charts/ruleLook.ts';
import type { CampaignFile } from '../../../../experiment/plan/campaignFile.ts';
import type { SessionSummary } from '../../sessionSummary.ts';
import { MARKERS, type Marker } from '../svg/marker.ts';

/** How an arm is written and drawn: no two of a figure by colour alone. */
export interface ArmLook {
  readonly label: string;
  /** Tokens of the page. */
  readonly tone: string;
  /** The second colour of what is two things at once; else null. */
  readonly under: string | null;
  /** `stroke-dasharray`; "" for a solid line. */
  readonly dash: string;
  readonly marker: Marker;
}

type Transport = SessionSummary['transport'];

/** The colour of the protocol that carries it. Racing is both: QUIC's dashes over TCP's line. */
const TRANSPORTS: Readonly<Record<Transport, Omit<ArmLook, 'label'>>> = {
  h1: { tone: 'protocol-h1', under: null, dash: '2 2.5', marker: 'triangle' },
  h2: { tone: 'protocol-h2', under: null, dash: '', marker: 'square' },
  'h3-racing': { tone: 'protocol-h3', under: 'protocol-h2', dash: '7 5', marker: 'diamond' },
  'h3-only': { tone: 'protocol-h3', under: null, dash: '', marker: 'circle' },
};

const DASHES = ['', '6 3', '2 2.5', '9 3 2 3', '4 2', '1.5 1.5'];
const OTHERS = ['session-a', 'session-b', 'session-c', 'session-d', 'session-e', 'session-f'];

/** The look of one of the compared: its name as the plan has it, and its place among them. */
export function armLook(compare: CampaignFile['compare'], name: string, index: number): ArmLook {
  if (compare === 'transports' && Object.hasOwn(TRANSPORTS, name)) return transportLook(name as Transport);
  const nth = <Entry>(entries: readonly Entry[]): Entry => entries[index % entries.length]!;
  const { code, label, tone } = ruleLook(name);
  return {
    ...(compare === 'rules' ? { label: `${code} ${label}`, tone } : { label: name, tone: nth(OTHERS) }),
    under: null,
    dash: nth(DASHES),
    marker: nth(MARKERS),
  };
}

export const transportLook = (transport: Transport): ArmLook => ({
  label: transport,
  ...TRANSPORTS[transport],
});
