import type { PageName, Place, Viewport } from './place.ts';

/** One of the pages that play the same stream beside each other. */
export interface Arm {
  readonly id:
    'bare' | 'telemetry' | 'off-screen' | 'visible' | 'steered' | 'telemetry-other' | 'visible-other';
  readonly label: string;
  readonly page: PageName;
  readonly viewport: Viewport;
  /** Whether a steering policy chooses between two pathways. Absent: there is one. */
  readonly isSteered?: boolean;
  /** Whether the page is that of the other checkout. Absent: it is of this one. */
  readonly isOther?: boolean;
}

const WIDE: Viewport = { width: 1440, height: 900 };
/** One column: the chart panel lies below what the window shows (checked while measuring). */
const LOW: Viewport = { width: 700, height: 420 };

export const arms: readonly Arm[] = [
  { id: 'bare', label: 'bare dash.js page', page: 'bare', viewport: WIDE },
  { id: 'telemetry', label: 'recording, no page around it', page: 'telemetry', viewport: WIDE },
  { id: 'off-screen', label: 'full page, charts off-screen', page: 'full', viewport: LOW },
  { id: 'visible', label: 'full page, charts visible', page: 'full', viewport: WIDE },
];

/** The full page without and with steering. */
export const steeringArms: readonly [Arm, Arm] = [
  arms.at(-1)!,
  { id: 'steered', label: 'full page, steered', page: 'full', viewport: WIDE, isSteered: true },
];

/** Recording and the full page of another checkout, each beside ours. */
export const besideArms: readonly (readonly [Arm, Arm])[] = [arms[1]!, arms[3]!].map((arm) => [
  {
    ...arm,
    id: arm.id === 'telemetry' ? 'telemetry-other' : 'visible-other',
    label: `${arm.label}, other checkout`,
    isOther: true,
  },
  arm,
]);

/** What the address of a steered page has besides. */
export const steeringQuery = ({
  pathwayUrl,
}: Pick<Place, 'pathwayUrl'>): Readonly<Record<string, string>> => ({
  pathway: `tcp=${pathwayUrl}`,
  steering: 'throughput',
});
