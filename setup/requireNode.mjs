// Which Node, in which folder, can run this project.

const MIN = [20, 19];

/** @throws Error with one sentence when `version` ("20.19.1") is too old. */
export function requireNode(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major > MIN[0] || (major === MIN[0] && minor >= MIN[1])) return;
  throw new Error(`this is Node ${version}, and Pitwall needs ${MIN.join('.')} or newer`);
}

/** @throws Error with one sentence for a folder in which Vite cannot build: it takes the rest of a path for a query or a fragment. */
export function requirePath(folder) {
  const sign = /[#?]/.exec(folder)?.[0];
  if (sign !== undefined)
    throw new Error(`${folder} has "${sign}" in its path, and the page cannot be built there: move it`);
}
