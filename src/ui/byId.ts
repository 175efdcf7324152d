/** The element of index.html with this id; throws when page and code have drifted apart. */
export function byId<Made extends Element>(id: string, type: abstract new () => Made): Made {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`index.html has no ${type.name} with the id "${id}"`);
  return found;
}
