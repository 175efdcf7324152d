/**
 * Put before Rattan: runs it ahead of all ordinary work, where the machine allows that. Packets must leave on time while
 * browsers and others keep all cores busy: on two busy cores an ordinary process waited up to 0.3 s for its turn, at nice
 * −10 as well (the kernel weighs sessions first, sched(7) "autogroup"), and one with a real-time priority never 15 ms.
 *
 * A real-time process that never sleeps would stop the machine: half a second of that ends it (RLIMIT_RTTIME).
 */
export const realTime: readonly string[] = [
  'sh',
  '-c',
  'chrt --fifo 10 true 2>/dev/null && exec prlimit --rttime=500000 chrt --fifo 10 "$@"; exec nice -n -10 "$@"',
  'sh',
];
