import type { Static, TSchema } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import type { Entry } from '../../src/shared/registry.ts';
import { protocolsOfMode } from '../../src/telemetry/transportModes.ts';

/**
 * What a campaign may vary: the rule, the transport mode, the page … A factor is one plain object in a file of its own, and
 * `registry.ts` lists them. Every list of factors is derived from it: the fields of the campaign file, the names of arms, the
 * fields of planned sessions, columns, titles and questions. README.md says how to add one.
 *
 * `Field` is its list in the campaign file, `Key` its field in a planned session (null: none), `Schema` that of the list, and
 * `Value` what a planned session has of it.
 */
export interface Factor<
  Field extends string = string,
  Key extends string | null = string | null,
  Schema extends TSchema = TSchema,
  Value = unknown,
> {
  /** The list of its values in the campaign file, and the value of `compare` that compares it. */
  readonly field: Field;
  readonly key: Key;
  readonly schema: Schema;
  /** Two items of its list that may be compared with each other. */
  readonly examples: readonly [ItemOf<Schema>, ItemOf<Schema>];
  readonly values: Values<ItemOf<Schema>, Value>;
  readonly words: Words;
  readonly column: Column;
  readonly needs?: Needs;
  /** The field that this one stands in place of: transfers in place of rules. */
  readonly insteadOf?: string;
  readonly impossible?: Impossible;
  /** One sentence on why the player model of the simulator cannot play a campaign that declares it; absent: it can. */
  readonly notSimulated?: string;
  /** Whether it can play this list nevertheless. Absent: it cannot. */
  isSimulated?(list: Static<Schema>): boolean;
  /**
   * What is wrong with its list, and with other fields beside it: a sentence each, with its path in the file. Only called
   * where the campaign has the list, and what the factor needs.
   */
  faultsOf?(list: Static<Schema>, campaign: Around, known: KnownNames): string[];
  /** What a planned session has, from its part of an arm's name. Absent: `values.read` of the name, in `key`. */
  planned?(name: string, networkPlace: number): SessionFields;
  /** The part of its arm's name that a session plays; undefined: none. Absent: `values.format` of what is in `key`. */
  partOf?(session: SessionFields): string | undefined;
  /** How the title of a session names what the session has in `key`, appended to the factors before it. */
  title(value: Value, known: Pick<KnownNames, 'browsers'>): string;
}

/** Fields of a planned session by name. */
export type SessionFields = Readonly<Record<string, unknown>>;

type ItemOf<Schema extends TSchema> = Static<Schema> extends readonly (infer Item)[] ? Item : unknown;

/** The ways in which one value is written. */
export interface Values<Item, Value> {
  /** Its part of an arm's name, from an item of the list in the campaign file. */
  nameOf(item: Item): string;
  /** What a planned session has, from its part of an arm's name. */
  read(name: string): Value;
  /** Its part of an arm's name, from what a planned session has. */
  format(value: Value): string;
  /** What a planned session has, from a cell of a table. */
  readCell(cell: string): Value;
}

/** Values that are written alike everywhere. */
export const texts: Values<string, string> = {
  nameOf: (item) => item,
  read: (name) => name,
  format: (value) => value,
  readCell: (cell) => cell,
};

export interface Words {
  /** In a question, "Does … make a difference": `the transport`. */
  readonly question: string;
  /** In a product, `3 transports`: one of it, and several where that is not one with an s. */
  readonly counted: readonly [one: string, several?: string];
  /** In "The … are compared". Absent: the field's name. */
  readonly compared?: string;
}

export interface Column {
  /** In tables of reports and their CSV files, which keep this name for ever. Factors of one column exclude each other. */
  readonly report: string;
  /** In tables of the command line. */
  readonly terminal: string;
  /** Whether reports have the column although the campaign has no list of the factor. Absent: they have not. */
  isWithoutList?(campaign: { readonly aaSessions?: boolean }): boolean;
}

export interface Needs {
  /** Whether only the instrumented origin offers it. */
  readonly instrumentedOrigin?: true;
  /** One sentence for a campaign without an emulated link. */
  readonly link?: string;
}

/** Combinations with other factors that are no arm. */
export interface Impossible {
  /** Whether there is such an arm. `arm` has its parts by their fields. */
  isPossible(name: string, arm: Readonly<Record<string, string>>, campaign: Possibilities): boolean;
  /** Says which arms are left out, and why, after their number. */
  readonly why: string;
}

export interface Possibilities {
  /** The names of all values of the factor. */
  readonly names: readonly string[];
  /** Whether sessions have an emulated link, and the lab's own origin behind it. */
  readonly hasLink: boolean;
}

/** What of a campaign factors look at, besides their own lists. `CampaignFile` has these fields, too. */
export interface Around {
  readonly rules?: readonly string[];
  readonly transfers?: readonly string[];
  readonly transports: readonly string[];
  readonly steering?: readonly string[];
  readonly beside?: readonly string[];
  readonly split?: readonly number[];
  readonly pages?: readonly unknown[];
  readonly hosts?: readonly string[];
  readonly priorities?: readonly string[];
  readonly players?: readonly string[];
  readonly preset?: string;
  readonly origin?: string;
  readonly profiles: readonly unknown[];
  readonly seconds: number;
  readonly browserProfile?: string;
  readonly compare: string;
  /** What the contents of the campaign are, in their order. */
  readonly streams: readonly Stream[];
}

export interface Stream {
  /** Whether another server has it. */
  readonly isFar: boolean;
  readonly isLive: boolean;
  /** Whether its address is that of an HLS playlist. */
  readonly isPlaylist: boolean;
  readonly hasSound: boolean;
  /** Whether it is a live stream that is loaded in pieces while they are made. */
  readonly isLowLatency: boolean;
}

/** Names that a campaign may use and this folder does not know by itself. */
export interface KnownNames {
  /** One sentence about a rule that cannot be played, or null. */
  faultOfRule(text: string): string | null;
  /** One sentence about a rule that a player other than dash.js cannot play, or null. Absent: nobody knows. */
  faultInPlayer?(rule: string, player: string): string | null;
  /** The lab's browsers. */
  readonly browsers: readonly KnownBrowser[];
}

export interface KnownBrowser extends Entry {
  /** Ids of the transport modes that it can be started in. */
  readonly modes: readonly string[];
  /** Whether it can be made one that has visited the origin before. */
  readonly canBeWarm: boolean;
}

/** A factor that transfer files vary, too. */
export interface OfTransfers {
  readonly isOfTransfers: true;
}

/** Id, address or path; resolved when the file is read. */
export const Name = Type.String({ minLength: 1, maxLength: 400 });

/** What people call a value. */
export const Label = Type.String({ maxLength: 20, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' });

export type Names = Type.TArray<typeof Name>;

/** A sentence with its path in the file; none for null. */
export const at = (path: string, sentence: string | null): string[] =>
  sentence === null ? [] : [`${path}: ${sentence}`];

export const isQuic = (transport: string): boolean => transport.startsWith('h3');

/** Whether the browser chooses between TCP and QUIC. */
export const hasRaces = (transport: string): boolean => protocolsOfMode(transport).length > 1;
