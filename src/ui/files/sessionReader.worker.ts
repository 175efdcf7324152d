import { readSession } from '../../telemetry/schema/readSession.ts';

/** Reads a session file beside the page: parsing and checking a day of recording takes seconds. */
addEventListener('message', (event: MessageEvent<string>) => {
  postMessage(readSession(event.data));
});
