import type { PageName, Viewport } from './place.ts';

/** One of the pages that play the same stream beside each other. */
export interface Arm {
  readonly id: 'bare' | 'telemetry' | 'off-screen' | 'visible';
  readonly label: string;
  readonly page: PageName;
  readonly viewport: Viewport;
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
