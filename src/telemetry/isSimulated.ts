interface Played {
  readonly environment: { readonly simulator?: string | null };
}

/** Whether a model of the simulator played the session. Logs from before there was one have no such field. */
export const isSimulated = ({ environment: { simulator = null } }: Played): boolean => simulator !== null;
