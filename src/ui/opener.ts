import type { Automation } from './automation.ts';
import type { screen } from './screen/screen.ts';
import type { Runner } from './session/runner.ts';
import { linkedSetup } from './setup/sharedLink.ts';
import type { StartForm } from './setup/startForm.ts';

interface Page {
  readonly form: StartForm;
  readonly picture: Pick<ReturnType<typeof screen>, 'expect'>;
  readonly runs: Runner;
}

/** Opens a stream on a page that is there already. */
export const opener =
  ({ form, picture, runs }: Page): Automation['open'] =>
  async (query) => {
    form.fill(linkedSetup(query));
    const setup = form.setup();
    if (!setup.ok) throw new Error(setup.error);
    picture.expect({ sound: false });
    await runs.start(setup.value, { muted: true });
    const { error } = runs.pending();
    if (error !== null) throw new Error(error);
  };
