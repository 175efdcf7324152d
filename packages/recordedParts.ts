import type { Plugin } from 'vite';
import type { Schema } from '../src/telemetry/schema/checkOf.ts';
import { dataModule } from '../src/telemetry/schema/dataModule.ts';
import { SessionEvent, SessionHeader } from '../src/telemetry/schema/sessionLog.ts';

/** What only the lab, the simulator, or the page of this project records. */
export const KINDS_OF_OURS: readonly string[] = ['probe', 'steering', 'steering-input', 'transport'];

/** What only whoever started the browser, the origin or the simulator can know of a session. */
export const FIELDS_OF_OURS: readonly string[] = [
  'steering',
  'transfer',
  'quicSettings',
  'happyEyeballs',
  'origin',
  'profile',
  'linkRun',
  'beside',
  'visit',
  'machine',
  'simulator',
];

const isKept = (left: readonly string[], name: string): boolean => !left.includes(name);

/** The schema of the events that a page can record of its own player. */
export const recordedEvent = {
  anyOf: SessionEvent.anyOf.filter(({ properties }) => isKept(KINDS_OF_OURS, properties.kind.const)),
};

const { environment } = SessionHeader.properties;

/** The schema of a header whose environment has what a page can know. */
export const recordedHeader: Schema = {
  ...SessionHeader,
  properties: {
    ...SessionHeader.properties,
    environment: {
      ...environment,
      properties: Object.fromEntries(
        Object.entries(environment.properties).filter(([name]) => isKept(FIELDS_OF_OURS, name)),
      ),
    },
  },
};

/** The entry that reads logs, too: whatever another recorder or the lab wrote. */
const READS_LOGS = /\/index\.ts$/;

/**
 * A plugin of Vite: the entries that only record get the part of the session log's schemas that a page can fill, as data. What fits
 * the part fits the whole.
 */
export const recordedSchemasAsData: Plugin = {
  name: 'recorded-schemas-as-data',
  enforce: 'pre',
  load(id) {
    const { lib } = this.environment.config.build;
    if (!id.endsWith('/src/telemetry/schema/sessionLog.ts') || !lib || READS_LOGS.test(String(lib.entry)))
      return null;
    return dataModule({ SessionEvent: recordedEvent, SessionHeader: recordedHeader });
  },
};
