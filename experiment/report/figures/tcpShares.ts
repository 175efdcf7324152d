import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import { pick } from '../../../src/shared/registry.ts';
import { isRacing } from '../../../src/telemetry/transportModes.ts';
import type { SessionSummary } from '../sessionSummary.ts';
import type { CampaignPlan } from '../../design/plan.ts';
import { axisOf, distribution } from './distributions.ts';
import { placeLook, type Arm } from './facets.ts';
import type { FigureMaker } from './figure.ts';

/** How the TCP share of racing sessions is distributed, a line for each network (2024 racing paper, Fig. 14). */
export const tcpShares: FigureMaker = {
  id: 'tcp-shares',
  label: 'TCP share of racing sessions, by network',
  place: 68,
  draw({ plan, sessions }) {
    const metric = pick<Metric>(metrics, 'tcp-share');
    const facet = {
      name: 'by-network',
      label: 'racing sessions, by network',
      arms: byNetwork(plan, sessions),
    };
    const figure = distribution(metric, facet, axisOf(metric, [facet]));
    return figure && { ...figure, caption: `${SCOPE} ${figure.caption}` };
  },
};

const SCOPE =
  'Sessions whose browser raced, a line for each network, as in Fig. 14 of the 2024 racing paper.';
const NO_LINK = 'no emulated link';

/** In the plan's order. Where a steering policy chose, the browser did not. */
function byNetwork(plan: CampaignPlan, sessions: readonly SessionSummary[]): Arm[] {
  const raced = new Set(
    plan.sessions
      .filter(({ transport, steering = 'browser' }) => isRacing(transport) && steering === 'browser')
      .map(({ id }) => id),
  );
  return [...plan.networks.map(({ name }) => name), NO_LINK]
    .map((name) => ({
      name,
      sessions: sessions.filter(({ id, network }) => raced.has(id) && (network ?? NO_LINK) === name),
    }))
    .filter((arm) => arm.sessions.length > 0)
    .map((arm, index) => ({ ...arm, look: placeLook(arm.name, index) }));
}
