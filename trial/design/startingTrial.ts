import { TRIAL_SCHEMA, type Trial } from './trialFile.ts';

/** What `pitwall trial init` writes, with a salt of its own: two arms of equal share, by session, for two weeks. */
export const startingTrial = (salt: string): Trial => ({
  schema: TRIAL_SCHEMA,
  name: 'first-trial',
  about: [
    'Does HTTP/3 help my viewers? docs/trial.md explains every field.',
    'salt: secret; hashed with each id. Another salt draws the arms anew. Do not change it while the trial runs.',
    'arms: pathways of your manifest; share is the part of sessions that each receives.',
    'default: the arm that others are compared with, and that the kill switch returns to.',
    'unit: {"kind":"session"}, {"kind":"viewer"}, or {"kind":"switchback","periodMinutes":60,"washoutMinutes":20} where viewers share bottlenecks.',
    'primary: the one metric that is judged; margin is the smallest difference that matters, in its unit.',
    'stopping: alpha holds over all looks together, so daily looks are safe.',
    'expected: replace these assumptions by numbers of your last weeks; "pitwall trial power FILE" says what they lead to.',
    'retentionDays: then sessions and assignments are deleted.',
  ],
  salt,
  arms: [
    { pathway: 'tcp', transport: 'tcp', share: 0.5, baseUrl: 'https://tcp.cdn.example/' },
    { pathway: 'h3', transport: 'h3', share: 0.5, baseUrl: 'https://h3.cdn.example/' },
  ],
  default: 'tcp',
  unit: { kind: 'session' },
  primary: { metric: 'rebuffer-rate', margin: 0.2 },
  metrics: ['join-time', 'mean-bitrate', 'early-leave', 'errors'],
  stopping: { days: 14, alpha: 0.05, looks: 14 },
  expected: {
    sessionsPerDay: 2000,
    spread: 2.4,
    sessionsPerViewer: 3,
    viewerCorrelation: 0.1,
    periodSpread: 0.1,
  },
  ttlSeconds: 300,
  retentionDays: 90,
});
