import { listed } from './reportTable.ts';

export const REGISTRATION_SCHEMA = 'pitwall-registration/1';

/** Hashes of what a campaign is judged by: SHA-256 in hexadecimal digits. */
export interface RegisteredHashes {
  /** Hash of the text of plan.json. */
  readonly planSha256: string;
  /** Hash of the primary metric, margin, alpha and comparisons. */
  readonly analysisSha256: string;
  /** Hash of the claims of the campaign's paper; null for a campaign of no paper. Absent: nobody knew the claims of papers. */
  readonly claimsSha256?: string | null;
}

/** The file registration.json: written before the first session of a campaign. */
export interface Registered extends RegisteredHashes {
  readonly schema: typeof REGISTRATION_SCHEMA;
  /** Time of registration, ISO 8601, by the clock of the machine that began. */
  readonly registeredAt: string;
  /** Version of the code that began. */
  readonly pitwallVersion: string;
}

/** What a report says of the registration. */
export interface RegistrationReport {
  /** Registration that the report is about; null where the folder has none that can be read. */
  readonly registered: Registered | null;
  readonly isChanged: boolean;
  /** What a reader has to know of the registration, in one sentence. */
  readonly sentence: string;
}

/**
 * Holds a campaign to what was registered before it was played: once, or by each shard. The first one gives the date. Claims that
 * nobody knows, now or then, are not compared.
 */
export function registrationReport(
  registrations: readonly Registered[],
  now: RegisteredHashes,
): RegistrationReport {
  const [registered] = registrations;
  if (registered === undefined)
    return {
      registered: null,
      isChanged: false,
      sentence:
        'Not registered: the folder was begun before registration existed, or has lost its registration, so nothing shows that plan and claims are older than the results.',
    };
  const isKnown = (field: keyof RegisteredHashes): boolean =>
    [now, ...registrations].every((each) => each[field] !== undefined);
  const isSame = (field: keyof RegisteredHashes): boolean =>
    registrations.every((each) => each[field] === now[field]);
  const known = PARTS.filter(({ field }) => isKnown(field));
  const changed = known.filter(({ field }) => !isSame(field)).map(({ name }) => name);
  const same = known.filter(({ field }) => isSame(field) && now[field] !== null).map(({ name }) => name);
  const when = `Registered on ${registered.registeredAt.slice(0, 10)} with version ${registered.pitwallVersion}`;
  const sentence =
    changed.length === 0
      ? `${when}, before the first session; ${listed(same)} ${same.length > 1 ? 'are' : 'is'} as registered.`
      : `${when}; ${listed(changed)} ${changed.length > 1 || changed[0] === 'the claims' ? 'have' : 'has'} changed since.`;
  const isUnclaimed = typeof now.claimsSha256 === 'string' && !isKnown('claimsSha256');
  return {
    registered,
    isChanged: changed.length > 0,
    sentence: isUnclaimed ? `${sentence} ${UNCLAIMED}` : sentence,
  };
}

const PARTS = [
  { field: 'planSha256', name: 'the plan' },
  { field: 'analysisSha256', name: 'the analysis' },
  { field: 'claimsSha256', name: 'the claims' },
] as const;

const UNCLAIMED = 'The claims were not registered: nothing shows that they are older than the results.';

/** Makes what a report says of a registration that cannot be read. */
export const unreadableRegistration = (sentence: string): RegistrationReport => ({
  registered: null,
  isChanged: true,
  sentence,
});
