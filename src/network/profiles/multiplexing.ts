import { kernelQueue, type Profile, type ProfileStep } from '../profile.ts';

/** "Within fixed intervals (30 seconds)". */
const STEP_MS = 30_000;

const RATES_KBPS = {
  /** From 1.5 to 5 Mbit/s, 3 on average, is all the thesis says; these eight have a mean of 3.06. */
  NP2b: [1500, 2000, 3000, 4000, 5000, 4000, 3000, 2000],
  /** From 0.8 to 1.4 Mbit/s, 1.1 on average, is all it says; these eight have just that, in the shape of NP2b. */
  FCC: [800, 900, 1100, 1300, 1400, 1300, 1100, 900],
} as const;

const RTTS_MS = {
  typical: [100, 88, 75, 50, 38, 50, 75, 88],
  large: [200, 400, 600, 800, 1300, 800, 600, 400, 200],
} as const;

const LOSS_PERCENT = {
  typical: [0.12, 0.09, 0.06, 0.08, 0.09, 0.08, 0.06, 0.09],
  large: [0.1, 1, 2, 5, 10, 5, 2, 1, 0.1],
} as const;

/** Every row of the thesis' testbed: two ranges of rates, each under two delays and two losses. */
export const multiplexing: readonly Profile[] = (['NP2b', 'FCC'] as const).flatMap((rates) =>
  (['typical', 'large'] as const).flatMap((delay) =>
    (['typical', 'large'] as const).map((loss) => multiplexingTestbed({ rates, delay, loss })),
  ),
);

interface Conditions {
  readonly rates: keyof typeof RATES_KBPS;
  readonly delay: keyof typeof RTTS_MS;
  readonly loss: keyof typeof LOSS_PERCENT;
}

/**
 * The testbed of the thesis (§3.2.1): a throughput profile with one of four combinations of delay and loss. Its lists have
 * eight or nine values; each goes on by one every 30 s and begins again when it is through, whatever the others do. So a
 * profile of eights repeats after 240 s, and one with a nine after 72 steps, 2160 s.
 *
 * Chosen where the thesis is silent: its 10 Mbit/s are the uplink; loss is towards the client only (netem shapes what it
 * sends); the RTTs are the whole RTT, its idle 1 ms included; netem's default queue.
 */
function multiplexingTestbed({ rates, delay, loss }: Conditions): Profile {
  const lists = [RATES_KBPS[rates], RTTS_MS[delay], LOSS_PERCENT[loss]] as const;
  const count = lists.some((list) => list.length === 9) ? 72 : 8;
  return {
    id: `${rates.toLowerCase()}-${delay}-delay-${loss}-loss`,
    label: `${rates}, ${delay} delay, ${loss} loss`,
    paper: 'Arısu, HTTP Adaptive Streaming with Advanced Transport, MSc thesis, 2018, §3.2.1',
    steps: Array.from({ length: count }, (_, at) => stepOf(lists, at)),
    repeat: true,
    queue: kernelQueue,
  };
}

function stepOf(lists: readonly [Cycle, Cycle, Cycle], at: number): ProfileStep {
  const [downKbps, rttMs, lossPercent] = lists.map((list) => list[at % list.length]!) as [
    number,
    number,
    number,
  ];
  const lossDown = lossPercent / 100;
  return { durationMs: STEP_MS, downKbps, upKbps: 10_000, rttMs, lossDown, lossUp: 0 };
}

type Cycle = readonly number[];
