import type { TimingEntry } from '../timingEntry.ts';

/** Resource Timing entries of the page's XHR and fetch requests that nobody claimed yet. */
export interface ResourceEntries {
  /** What is there now, including what the browser has not delivered yet. */
  current(): readonly TimingEntry[];
  claim(entry: TimingEntry): void;
  dispose(): void;
}

/** Entries that nobody wants (other scripts of the page) are forgotten beyond this many, oldest first. */
const MAX_UNCLAIMED = 250;

/**
 * The only PerformanceObserver of the product. dash.js empties the browser's own buffer when it is full
 * (controllers/ThroughputController.js), so entries are collected as they come.
 */
export function observeResources(onEntries: () => void): ResourceEntries {
  let unclaimed: PerformanceResourceTiming[] = [];
  const add = (entries: PerformanceEntryList): void => {
    unclaimed.push(...(entries as PerformanceResourceTiming[]).filter(isRequestOfScript));
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

function isRequestOfScript({ initiatorType }: PerformanceResourceTiming): boolean {
  return initiatorType === 'xmlhttprequest' || initiatorType === 'fetch';
}
