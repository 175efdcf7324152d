import type { PolicedSpell, Profile } from '../profile.ts';
import type { FamilyParameter, ProfileFamily } from '../profileFamily.ts';

/**
 * A firewall that lets UDP through at 64 kbit/s and TCP as it comes (§X-B: port 443, by a qdisc). The paper does not say
 * what the rest of the path carried. Chosen here: 2 Mbit/s, thirty times what UDP gets; 50 ms; 100 packets. Its Fig. 19
 * has higher RTTs for QUIC than for TCP, so its qdisc queued; the UDP limit of a profile drops and leaves RTTs as they are.
 */
const udpLimiter: Profile = {
  id: 'udp-limiter',
  label: 'UDP limiter',
  paper: 'Chaudhary et al., Managing Connections by QUIC-TCP Racing, 2024, §X-B',
  steps: [{ durationMs: 60_000, downKbps: 2000, upKbps: null, rttMs: 50, lossDown: 0, lossUp: 0 }],
  repeat: true,
  queue: { kind: 'droptail', packets: 100 },
  udp: [{ fromMs: 0, untilMs: null, kbps: 64 }],
};

/** How long a packet waits at most: at 64 kbit/s a queue as large as the burst of `udpLimiter`. */
const QUEUE_MS = 2000;

/** `udpLimiter` with a queue, as the paper's qdisc had one; how long that was, the paper does not say. */
const queueingLimiter: Profile = {
  ...udpLimiter,
  id: 'udp-limiter-queueing',
  label: 'Queueing UDP limiter',
  udp: [{ fromMs: 0, untilMs: null, kbps: 64, queueMs: QUEUE_MS }],
};

/**
 * The path of `udpLimiter`, on which all UDP is lost from 20 s to 40 s. Chromium gives a QUIC connection up after 6 to 23 s,
 * late where bodies were in flight; in some sessions UDP is back before the browser says that Alt-Svc is broken.
 */
const udpBlock: Profile = {
  ...udpLimiter,
  id: 'udp-block',
  label: 'UDP block',
  paper: 'Ours: what a browser does when QUIC dies during a session',
  udp: [{ fromMs: 20_000, untilMs: 40_000, kbps: 0 }],
};

/**
 * A firewall that lets the first packets of QUIC through and drops the rest, on the path of `udpLimiter`. Here it counts time:
 * 1.5 s are enough for Alt-Svc and a handshake, and later connections get nothing through. It runs once: at a drawn phase UDP
 * would be gone before the first packet.
 */
const udpFirewall: Profile = {
  ...udpLimiter,
  id: 'udp-firewall',
  label: 'UDP firewall',
  paper: 'Langley et al., The QUIC Transport Protocol, SIGCOMM 2017, §7.5',
  repeat: false,
  udp: [{ fromMs: 1500, untilMs: null, kbps: 0 }],
};

/** When a limit that comes and goes acts: after a minute of play, for two minutes. */
const TEMPORARY = { fromSeconds: 60, untilSeconds: 180 } as const;

/** Limits that come and go. They act long enough for a player to ask for the limited path several times in vain. */
const temporaryLimiter: Profile = {
  ...udpLimiter,
  id: 'udp-limiter-60-to-180',
  label: 'UDP limiter from 60 to 180 s',
  paper: 'Ours: whether a player leaves HTTP/3 and returns to it',
  repeat: false,
  udp: [spellOf({ ...TEMPORARY, kbps: 64 })],
};

const temporaryBlock: Profile = {
  ...temporaryLimiter,
  id: 'udp-block-60-to-180',
  label: 'UDP block from 60 to 180 s',
  udp: [spellOf({ ...TEMPORARY, kbps: 0 })],
};

/** The opposite of `udpLimiter`: a player that simply prefers TCP loses. */
const tcpLimiter: Profile = {
  id: 'tcp-limiter',
  label: 'TCP limiter',
  paper: 'Ours: a network on which TCP is the worse path',
  steps: udpLimiter.steps,
  repeat: true,
  queue: udpLimiter.queue,
  tcp: [{ fromMs: 0, untilMs: null, kbps: 64 }],
};

/** Networks that limit UDP or TCP alone. */
export const limits: readonly Profile[] = [
  udpLimiter,
  queueingLimiter,
  udpBlock,
  udpFirewall,
  temporaryLimiter,
  temporaryBlock,
  tcpLimiter,
];

function spellOf({
  fromSeconds,
  untilSeconds,
  kbps,
}: {
  fromSeconds: number;
  untilSeconds: number;
  kbps: number;
}): PolicedSpell {
  return { fromMs: 1000 * fromSeconds, untilMs: 1000 * untilSeconds, kbps };
}

const LIMIT: FamilyParameter<'limitKbps'> = {
  id: 'limitKbps',
  word: 'limit',
  min: 8,
  max: 100_000,
  scale: 'log',
  step: 1,
  usual: 64,
  count: 1,
};
/** Rate of a network without its limits. */
export const PATH: FamilyParameter<'pathKbps'> = {
  id: 'pathKbps',
  word: 'path',
  min: 8,
  max: 100_000,
  scale: 'log',
  step: 1,
  usual: 2000,
  count: 1,
};
const QUEUE: FamilyParameter<'queueMs'> = {
  id: 'queueMs',
  word: 'queue',
  min: 10,
  max: 60_000,
  scale: 'log',
  step: 1,
  usual: QUEUE_MS,
  count: 1,
};
const FROM: FamilyParameter<'fromSeconds'> = {
  id: 'fromSeconds',
  word: 'from',
  min: 0,
  max: 86_400,
  scale: 'linear',
  step: 1,
  usual: 60,
  count: 1,
};
const LASTS: FamilyParameter<'lastsSeconds'> = {
  id: 'lastsSeconds',
  word: 'lasts',
  min: 1,
  max: 86_400,
  scale: 'linear',
  step: 1,
  usual: 120,
  count: 1,
};

const stepsOf = (pathKbps: number | undefined): Profile['steps'] =>
  udpLimiter.steps.map((step) => ({ ...step, downKbps: pathKbps! }));

/** `udpLimiter` with another limit, or on another path. */
const udpLimiters: ProfileFamily<'limitKbps' | 'pathKbps'> = {
  id: 'udp-limiter',
  label: 'UDP limiter',
  parameters: [LIMIT, PATH],
  pathParameter: 'pathKbps',
  profile: ({ limitKbps, pathKbps }, path) => ({
    ...udpLimiter,
    ...(path ?? { steps: stepsOf(pathKbps[0]) }),
    udp: [{ fromMs: 0, untilMs: null, kbps: limitKbps[0]! }],
  }),
};

/** `queueingLimiter` with another limit or queue, or on another path. */
const queueingLimiters: ProfileFamily<'limitKbps' | 'queueMs' | 'pathKbps'> = {
  id: 'udp-limiter-queueing',
  label: 'Queueing UDP limiter',
  parameters: [LIMIT, QUEUE, PATH],
  pathParameter: 'pathKbps',
  profile: ({ limitKbps, queueMs, pathKbps }, path) => ({
    ...queueingLimiter,
    ...(path ?? { steps: stepsOf(pathKbps[0]) }),
    udp: [{ fromMs: 0, untilMs: null, kbps: limitKbps[0]!, queueMs: queueMs[0]! }],
  }),
};

/** `temporaryLimiter` with another limit and time, or on another path. */
const temporaryLimiters: ProfileFamily<'limitKbps' | 'fromSeconds' | 'lastsSeconds' | 'pathKbps'> = {
  id: 'udp-limiter-temporary',
  label: 'Temporary UDP limiter',
  parameters: [LIMIT, FROM, LASTS, PATH],
  pathParameter: 'pathKbps',
  profile: ({ limitKbps, fromSeconds, lastsSeconds, pathKbps }, path) => ({
    ...temporaryLimiter,
    ...(path ?? { steps: stepsOf(pathKbps[0]) }),
    udp: [
      spellOf({
        fromSeconds: fromSeconds[0]!,
        untilSeconds: fromSeconds[0]! + lastsSeconds[0]!,
        kbps: limitKbps[0]!,
      }),
    ],
  }),
};

const temporaryBlocks: ProfileFamily<'fromSeconds' | 'lastsSeconds' | 'pathKbps'> = {
  id: 'udp-block-temporary',
  label: 'Temporary UDP block',
  parameters: [FROM, LASTS, PATH],
  pathParameter: 'pathKbps',
  profile: ({ fromSeconds, lastsSeconds, pathKbps }, path) => ({
    ...temporaryBlock,
    ...(path ?? { steps: stepsOf(pathKbps[0]) }),
    udp: [
      spellOf({ fromSeconds: fromSeconds[0]!, untilSeconds: fromSeconds[0]! + lastsSeconds[0]!, kbps: 0 }),
    ],
  }),
};

/** `tcpLimiter` with another limit, or on another path. */
const tcpLimiters: ProfileFamily<'limitKbps' | 'pathKbps'> = {
  id: 'tcp-limiter',
  label: 'TCP limiter',
  parameters: [LIMIT, PATH],
  pathParameter: 'pathKbps',
  profile: ({ limitKbps, pathKbps }, path) => ({
    ...tcpLimiter,
    ...(path ?? { steps: stepsOf(pathKbps[0]) }),
    tcp: [{ fromMs: 0, untilMs: null, kbps: limitKbps[0]! }],
  }),
};

/** Kinds of network that limit UDP or TCP alone, from which a campaign draws. */
export const limitFamilies: readonly ProfileFamily[] = [
  udpLimiters,
  queueingLimiters,
  temporaryLimiters,
  temporaryBlocks,
  tcpLimiters,
];
