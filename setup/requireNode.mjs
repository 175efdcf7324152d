// Which Node can run this project.

const LEAST = [20, 19];

/** @throws Error with one sentence when `version` ("20.19.1") is too old. */
export function requireNode(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) return;
  throw new Error(`this is Node ${version}, and Pitwall needs ${LEAST.join('.')} or newer`);
}
