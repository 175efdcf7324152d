/**
 * Put before a command that leads a session of its own (`detached`): gives it ten times the weight of ordinary work where
 * the machine allows that, without stopping others. For what measures a link: JavaScript has no place in real time.
 */
export const ahead: readonly string[] = [
  'sh',
  '-c',
  '{ echo -10 > /proc/self/autogroup; } 2>/dev/null; exec nice -n -10 "$@"',
  'sh',
];
