/** What this machine cannot do, or could not do now, for any session: another one may, or the same one later. One sentence. */
export class MachineFailure extends Error {}

/** Waits for a part of that kind. @throws MachineFailure with the sentence of its error */
export const ofMachine = <Value>(part: Promise<Value>): Promise<Value> =>
  part.catch((error: Error) => {
    throw new MachineFailure(error.message, { cause: error });
  });
