/**
 * JSON Schema, as much of it as the session log uses; `checkOf.test.ts` fails when the schema uses anything else.
 * Objects are closed: an unnamed property is a fault.
 */
export interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

/** Where (a JSON pointer), what the schema wants there (null: nothing may be there), and what is there. */
export interface Fault {
  readonly path: string;
  readonly wanted: string | null;
  readonly value: unknown;
}

/** The first fault of a value, or null. */
export type Check = (value: unknown) => Fault | null;
