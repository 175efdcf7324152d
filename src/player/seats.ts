import type { Ladder } from '../abr/ladder.ts';
import type { Answer, MediaType, Moment, Rule, RuleEvent, SizesEvent } from '../abr/rule.ts';
import type { ToldEvent } from '../telemetry/event.ts';
import type { Telemetry } from '../telemetry/shell/telemetry.ts';
import { sameLadder } from './dashLadder.ts';
import { seatRule, type RuleSeat } from '../abr/seatRule.ts';

/** Events that a rule is given when it takes over during play: enough for every window in the papers (≤ 20). */
const REMEMBERED = 40;

/** What a media type offers now. */
export interface Offer {
  readonly ladder: Ladder;
  readonly segmentMs: number;
}

/** The rule in charge, seated once per media type. All that a seat is told goes into the log as it is told. */
export interface Seats {
  /** Puts a rule in charge, with fresh states that then learn what happened lately. */
  use(rule: Rule): void;
  /** Tells every seat, and remembers. */
  tellAll(event: RuleEvent): void;
  /** Tells one seat. */
  tell(mediaType: MediaType, event: RuleEvent): void;
  /** Tells the seat of a changed offer, then asks. Throws what the rule throws. */
  ask(mediaType: MediaType, offer: Offer, moment: Moment): Answer;
  /** Id of the newest `told` event of a seat; null before it was told anything. */
  toldId(mediaType: MediaType): string | null;
  clear(): void;
}

interface Seated {
  readonly seat: RuleSeat;
  offer: Offer;
  toldId: string | null;
}

interface Room {
  readonly telemetry: Pick<Telemetry, 'record' | 'nowMs'>;
  readonly isLive: () => boolean;
  readonly onFault: (thrown: unknown) => void;
  readonly seed: number;
  /** All that is known now of the sizes of segments. */
  readonly sizesOf: (mediaType: MediaType) => readonly SizesEvent[];
}

export function createSeats(room: Room): Seats {
  const { telemetry } = room;
  let inCharge: Rule | null = null;
  const seats = new Map<MediaType, Seated>();
  const recent: RuleEvent[] = [];
  const tell = (mediaType: MediaType, told: RuleEvent): void => {
    const seated = seats.get(mediaType);
    if (!seated) return;
    seated.toldId = record(room, mediaType, told);
    seated.seat.tell(told);
  };
  // A new ladder ends what was known of sizes: its rungs are others.
  const tellOffer = (mediaType: MediaType, offer: Offer): void => {
    tell(mediaType, { kind: 'ladder', atMs: telemetry.nowMs(), ...offer });
    for (const sizes of room.sizesOf(mediaType)) tell(mediaType, sizes);
  };
  const sit = (rule: Rule, mediaType: MediaType, offer: Offer): Seated => {
    const seated: Seated = { seat: newSeat(rule, room, { mediaType, ...offer }), offer, toldId: null };
    seats.set(mediaType, seated);
    // The log says what the state was built on: the ladder it started with, then what it had missed.
    tellOffer(mediaType, offer);
    for (const told of recent) tell(mediaType, told);
    return seated;
  };
  return {
    use(rule) {
      inCharge = rule;
      seats.clear();
    },
    tellAll(event) {
      recent.push(event);
      if (recent.length > REMEMBERED) recent.shift();
      for (const mediaType of seats.keys()) tell(mediaType, event);
    },
    tell,
    ask(mediaType, offer, moment) {
      if (!inCharge) throw new Error('no rule is in charge');
      const seated = seats.get(mediaType) ?? sit(inCharge, mediaType, offer);
      if (!sameOffer(seated.offer, offer)) {
        seated.offer = offer;
        tellOffer(mediaType, offer);
      }
      return seated.seat.ask(moment);
    },
    toldId: (mediaType) => seats.get(mediaType)?.toldId ?? null,
    clear() {
      inCharge = null;
      seats.clear();
    },
  };
}

function newSeat(
  rule: Rule,
  { isLive, seed, onFault }: Room,
  offered: Offer & { mediaType: MediaType },
): RuleSeat {
  return seatRule(rule, { ...offered, live: isLive(), seed }, onFault);
}

const sameOffer = (one: Offer, other: Offer): boolean =>
  one.segmentMs === other.segmentMs && sameLadder(one.ladder, other.ladder);

/** Returns the event's id. */
function record({ telemetry }: Pick<Room, 'telemetry'>, mediaType: MediaType, told: RuleEvent): string {
  return telemetry.record({
    kind: 'told',
    atMs: telemetry.nowMs(),
    missing: {},
    mediaType,
    told: recorded(told),
  }).id;
}

/** The log's types are mutable, the rule's are not: the log gets its own copy. */
function recorded(told: RuleEvent): ToldEvent['told'] {
  if (told.kind === 'ladder') return { ...told, ladder: told.ladder.map((rung) => ({ ...rung })) };
  return told.kind === 'sizes' ? { ...told, sizesBytes: [...told.sizesBytes] } : { ...told };
}
