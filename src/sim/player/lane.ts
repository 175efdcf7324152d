import type { CongestionWindow, PathNow } from './congestionWindow.ts';
import type { LossNow, LossRecovery, SentBody, Stretch } from './lossRecovery.ts';

/** A body on its way. */
export interface Transfer extends SentBody {
  readonly lane: Lane;
}

/** What carries bodies: a connection. */
export interface Lane {
  /** Whether bodies are sent one after the other; else all of them in equal parts. */
  readonly inOrder: boolean;
  /** Congestion window; null: the lane sends whatever the path takes. */
  readonly window: CongestionWindow | null;
  /** Recovery from random losses; null: nothing is lost but in the queue. */
  readonly recovery: LossRecovery | null;
  /** Bits of each body that must have come before its first byte can be used; absent: nothing more than that byte. */
  readonly firstBits?: number;
  /** Whether it meets what a path does to UDP alone; absent: it does not. */
  readonly isUdp?: boolean;
  readonly transfers: Transfer[];
}

/** Returns the bodies that are sent now. `nothingBits`, here and below: so few bits are rounding and count as none. */
export function servedOf({ inOrder, transfers, recovery }: Lane, nothingBits: number): readonly Transfer[] {
  const isSent = ({ leftBits }: Transfer): boolean => leftBits <= nothingBits;
  const unsent = recovery && transfers.some(isSent) ? transfers.filter((each) => !isSent(each)) : transfers;
  if (unsent.length < 2) return unsent;
  return inOrder ? unsent.slice(0, 1) : unsent;
}

/** Tells whether a lane has something to send, and its window allows that. */
export const mayGo = (lane: Lane, nothingBits: number): boolean =>
  (lane.window === null || lane.window.leftBits > nothingBits) && servedOf(lane, nothingBits).length > 0;

/** When the next round begins, for which there is something to send; Infinity while only a timer helps. */
export function turnMs(lane: Lane, nothingBits: number): number {
  const { window, recovery } = lane;
  const isWaiting = window !== null && window.leftBits <= nothingBits;
  const mayTurn = isWaiting && (recovery?.mayTurn ?? true) && servedOf(lane, nothingBits).length > 0;
  return mayTurn ? window.roundEndsMs : Infinity;
}

/** TCP hands out bytes in order: what is missing holds up all bodies behind it (RFC 9293 §3.8), over QUIC its own only. */
export function isDone(transfer: Transfer, nothingBits: number): boolean {
  const { leftBits, lostBits, lane } = transfer;
  // Parts of packets that were lost and came again do not add up to exactly 0.
  if (leftBits > nothingBits) return false;
  return (
    lane.recovery === null ||
    (lostBits <= nothingBits && (!lane.inOrder || areBeforeDone(transfer, nothingBits)))
  );
}

/** Tells whether bits of a body may come now. */
export function isServed(transfer: Transfer, nothingBits: number): boolean {
  const { lane } = transfer;
  if (firstLeftBits(transfer) > nothingBits) return false;
  if (lane.recovery === null) return servedOf(lane, nothingBits).includes(transfer);
  if (lane.inOrder && !areBeforeDone(transfer, nothingBits)) return false;
  return !lane.recovery.lacksFirst(transfer);
}

function areBeforeDone(transfer: Transfer, nothingBits: number): boolean {
  const { transfers } = transfer.lane;
  const before = transfers[transfers.indexOf(transfer) - 1];
  return before === undefined || isDone(before, nothingBits);
}

/** Returns how many bits of the record that hides the first byte have not come. */
function firstLeftBits({ bits, leftBits, lostBits, lane: { firstBits = 0 } }: Transfer): number {
  return Math.min(firstBits, bits) - (bits - leftBits - lostBits);
}

/** Bits that the lane carries until something about it changes. */
export function untilChange(lane: Lane, { loss, nothingBits }: LaneNow): number {
  const { window, recovery } = lane;
  const served = servedOf(lane, nothingBits);
  const burstBits = window?.isPaced ? window.burstLeftBits : 0;
  const ofLane = Math.min(
    window?.leftBits ?? Infinity,
    recovery?.untilLossBits(loss) ?? Infinity,
    burstBits > nothingBits ? burstBits : Infinity,
  );
  if (served.length === 1) {
    const recordBits = firstLeftBits(served[0]!);
    return Math.min(served[0]!.leftBits, recordBits > nothingBits ? recordBits : Infinity, ofLane);
  }
  const bodyBits = served.length * Math.min(...served.map(({ leftBits }) => leftBits));
  const recordBits = served.map(firstLeftBits).filter((bits) => bits > nothingBits);
  return Math.min(bodyBits, served.length * Math.min(...recordBits), ofLane);
}

/** Returns the highest rate at which a lane sends now, in kbit/s. */
export function maxKbps({ window }: Lane, rttMs: number, nothingBits: number): number {
  if (!window?.isPaced || window.burstLeftBits > nothingBits) return Infinity;
  return window.paceKbps(rttMs);
}

interface LaneNow {
  readonly loss: LossNow;
  readonly nothingBits: number;
}

/** Lets so many bits of a lane cross the path. */
export function serve(lane: Lane, bits: number, stretch: Stretch, { loss, nothingBits }: LaneNow): void {
  const { window, recovery } = lane;
  const served = servedOf(lane, nothingBits);
  for (const transfer of served) transfer.leftBits -= bits / served.length;
  if (window) window.leftBits -= bits;
  if (!recovery) return;
  // The packets that this stretch brings are lost as the path is now.
  recovery.untilLossBits(loss);
  recovery.served(bits, stretch);
  for (const transfer of served)
    if (transfer.leftBits <= nothingBits && recovery.endBody(stretch))
      recovery.lose(transfer, stretch, lane.firstBits);
  if (recovery.untilLossBits(loss) <= nothingBits)
    recovery.lose(recovery.pick(served), stretch, lane.firstBits);
}

/** Begins the next round of a lane, where the present one is over and used up. */
export function turn(lane: Lane, path: PathNow, nothingBits: number): void {
  const { window, recovery } = lane;
  if (!window || turnMs(lane, nothingBits) > path.nowMs) return;
  if (recovery) window.turn(path, { share: recovery.endRound(), lostBits: recovery.lostBits });
  else window.turn(path);
}

/** Sends again what is due of the lane's losses. */
export function repair({ window, recovery, inOrder }: Lane, path: PathNow): void {
  if (!recovery || recovery.dueMs > path.nowMs) return;
  for (const { transfer, bits, lostAtMs, timeOuts } of recovery.takeDue(path)) {
    transfer.leftBits += bits;
    if (!window) continue;
    window.detectLoss(lostAtMs, path);
    // TCP probes the tail first (RFC 8985 §7); the time-out after that takes the window (RFC 5681 §3.1). QUIC: RFC 9002 §7.6.
    if (inOrder ? timeOuts > 1 : timeOuts > 2) window.collapse(inOrder ? 1 : 2);
    if (window.repeat(bits, path).isNewRound) recovery.endRound();
  }
}
