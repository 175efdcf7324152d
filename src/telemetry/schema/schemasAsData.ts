import { dataModule } from './dataModule.ts';
import * as sessionLog from './sessionLog.ts';

/**
 * A plugin of Vite, for what runs in browsers: it gets the schemas of the session log as data, without TypeBox, which is 7 kB
 * less to download.
 */
export const schemasAsData = {
  name: 'schemas-as-data',
  load: (id: string): string | null =>
    id.endsWith('/src/telemetry/schema/sessionLog.ts') ? dataModule(sessionLog) : null,
};
