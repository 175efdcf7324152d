import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How TCP sends. Nearest to quic-go's paced Reno is `{ name: 'reno', initialWindowPackets: 32 }`. */
export interface Controller {
  /** As the kernel calls it: `reno`, `cubic`, `bbr`. */
  readonly name: string;
  readonly initialWindowPackets: number;
}

/** Sets both on the two routes that lead over the link (ip-route(8)): the client's later addresses take the default one. */
export async function setController(from: LinkEnd, to: LinkEnd, controller: Controller): Promise<void> {
  const ip = (...args: string[]) => run('ip', ['-n', from.namespace, 'route', ...args]);
  const { stdout } = await ip('show', to.address);
  const device = /\bdev (\S+)/.exec(stdout)?.[1];
  if (!device) throw new Error(`${from.namespace} has no route to ${to.address}: ${stdout.trim()}`);
  const how = ['congctl', controller.name, 'initcwnd', String(controller.initialWindowPackets)];
  // As Rattan made them: another protocol or scope would be another route beside the old one.
  await ip('replace', to.address, 'dev', device, 'proto', 'static', 'scope', 'link', ...how);
  await ip('replace', 'default', 'via', to.address, 'dev', device, 'proto', 'static', ...how);
}

export interface LinkEnd {
  /** For `ip netns exec`. */
  readonly namespace: string;
  /** At the start; the client's may change. */
  readonly address: string;
}
