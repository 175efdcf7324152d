import type { TimingEntry } from '../../join/resourceTiming.ts';

/** Resource Timing entries of the page's requests that nobody claimed yet. */
export interface ResourceEntries {
  /** What is there now, including what the browser has not delivered yet. */
  current(): readonly TimingEntry[];
  claim(entry: TimingEntry): void;
  dispose(): void;
}

/** `initiatorType` of the requests that scripts make, and of those that media elements make. */
export const OF_SCRIPTS: readonly string[] = ['xmlhttprequest', 'fetch'];
export const OF_ELEMENTS: readonly string[] = ['video', 'audio'];

/** Entries that nobody wants (other scripts of the page) are forgotten beyond this many, oldest first. */
const MAX_UNCLAIMED = 250;

/**
 * The only PerformanceObserver of the product. dash.js empties the browser's own buffer when it is full
 * (controllers/ThroughputController.js), so entries are collected as they come.
 * @param initiators values of `initiatorType` that are collected
 */
export function observeResources(initiators: readonly string[], onEntries: () => void): ResourceEntries {
  let unclaimed: PerformanceResourceTiming[] = [];
  const add = (entries: PerformanceEntryList): void => {
    const wanted = entries as PerformanceResourceTiming[];
    unclaimed.push(...wanted.filter(({ initiatorType }) => initiators.includes(initiatorType)));
    if (unclaimed.length > MAX_UNCLAIMED) unclaimed = unclaimed.slice(-MAX_UNCLAIMED);
  };
  const observer = new PerformanceObserver((list) => {
    add(list.getEntries());
    onEntries();
  });
  observer.observe({ type: 'resource', buffered: true });
  return {
    current() {
      add(observer.takeRecords());
      return unclaimed;
    },
    claim(entry) {
      unclaimed = unclaimed.filter((each) => each !== entry);
    },
    dispose: () => observer.disconnect(),
  };
}
