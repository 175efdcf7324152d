import { bulkPath } from '../load/bulkFolder.ts';
import type { LoadResult } from '../load/runLoad.ts';
import { plainTable } from '../../node/textTable.ts';
import { spread } from '../statistics.ts';
import {
  congestionControllers,
  type CongestionController,
} from '../../lab/origin/startInstrumentedOrigin.ts';
import { overLink } from './overLink.ts';
import type { SenderSection } from './senderSection.ts';

type Protocol = 'h2' | 'h3';

interface Measured {
  readonly loss: number;
  readonly controller: CongestionController;
  readonly protocol: Protocol;
  readonly repeat: number;
  /** From the first packet of the handshake to the last byte of the first object. */
  readonly firstMs: number;
  /** The next object on the same connection, from its request. */
  readonly secondMs: number;
  readonly busyDrops: number;
}

const PROTOCOLS: readonly Protocol[] = ['h2', 'h3'];
const LOSSES = [0, 0.01];
/** RFC 6928 and RFC 9002 §7.2. */
const INITIAL_WINDOW_PACKETS = 10;
const REPEATS = 10;
const LIMIT_S = 60;

/** How much of "h3 against h2" is left when both run the same controller. */
export const objectsSection: SenderSection = {
  id: 'objects',
  label:
    'Seconds for 1 MB over 5 Mbit/s and 100 ms, a fresh connection each time, then a second object on it',
  async measure({ quick }) {
    const arms = LOSSES.flatMap((loss) =>
      congestionControllers.flatMap((controller) =>
        PROTOCOLS.map((protocol) => ({ controller, protocol, loss })),
      ),
    );
    // Each arm has a link of its own, so that all can run at once.
    const raw = (await Promise.all(arms.map((arm) => measureArm(arm, quick ? 1 : REPEATS)))).flat();
    return { text: `${timesTable(raw)}\n\n${ratioTable(raw)}`, raw };
  },
};

type Arm = Pick<Measured, 'controller' | 'protocol' | 'loss'>;

function measureArm(arm: Arm, repeats: number): Promise<Measured[]> {
  const { controller, protocol, loss } = arm;
  const sender = {
    tcpController: controller,
    quicController: controller,
    initialWindowPackets: INITIAL_WINDOW_PACKETS,
  };
  const place = { rateKbps: 5000, rttMs: 100, loss, queueBdp: 1, seed: 1, sender };
  return overLink(place, async ({ load, link }) => {
    const measured: Measured[] = [];
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const result = await load({ protocol, requests: 2, seconds: LIMIT_S, path: bulkPath('object.bin') });
      measured.push({ ...arm, repeat, ...timesOf(result), busyDrops: link.busyDrops() });
    }
    return measured;
  });
}

function timesOf({ opened, answers, failures }: LoadResult): Pick<Measured, 'firstMs' | 'secondMs'> {
  const [connection, first, second] = [opened[0], answers[0], answers[1]];
  if (!connection || !first?.isWhole || !second?.isWhole)
    throw new Error(`An object did not come within ${LIMIT_S} s: ${failures[0]?.why ?? 'the time was over'}`);
  return {
    firstMs: first.atUnixMs - connection.openingAtUnixMs,
    secondMs: second.atUnixMs - second.askedAtUnixMs,
  };
}

const seconds = (ms: number): string => (ms / 1000).toFixed(2);

function timesTable(all: readonly Measured[]): string {
  const rows = LOSSES.flatMap((loss) =>
    congestionControllers.flatMap((controller) =>
      PROTOCOLS.map((protocol) => {
        const mine = all.filter((each) => isOf(each, { loss, controller, protocol }));
        const text = (value: (each: Measured) => number) => spread(mine.map(value), seconds);
        return [
          `loss ${loss * 100} %, ${controller}, ${protocol}`,
          text((each) => each.firstMs),
          text((each) => each.secondMs),
        ];
      }),
    ),
  );
  return plainTable(['', 'first object and handshake, s', 'second object, s'], rows);
}

/** Repeat by repeat, h3 over h2: what the protocol alone does. */
function ratioTable(all: readonly Measured[]): string {
  const rows = LOSSES.flatMap((loss) =>
    congestionControllers.map((controller) => {
      const [h2 = [], h3 = []] = PROTOCOLS.map((protocol) =>
        all.filter((each) => isOf(each, { loss, controller, protocol })),
      );
      const ratios = (value: (each: Measured) => number) =>
        spread(
          h3.map((each, at) => value(each) / value(h2[at]!)),
          (ratio) => ratio.toFixed(2),
        );
      return [
        `loss ${loss * 100} %, ${controller}`,
        ratios((each) => each.firstMs),
        ratios((each) => each.secondMs),
      ];
    }),
  );
  return plainTable(['h3 over h2', 'first object and handshake', 'second object'], rows);
}

const isOf = (each: Measured, { loss, controller, protocol }: Arm): boolean =>
  each.loss === loss && each.controller === controller && each.protocol === protocol;
