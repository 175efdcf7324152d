// Which Node can run this project.

const MIN = [20, 19];

/** @throws Error with one sentence when `version` ("20.19.1") is too old. */
export function requireNode(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major > MIN[0] || (major === MIN[0] && minor >= MIN[1])) return;
  throw new Error(`this is Node ${version}, and Pitwall needs ${MIN.join('.')} or newer`);
}
