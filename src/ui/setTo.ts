/**
 * Writes a property only when it has another value. An element takes an equal write for a change: an attribute set to
 * what it was still costs style, and on `body` the style of everything below it.
 */
export function setTo<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  value: Target[Name],
): void {
  if (target[name] !== value) target[name] = value;
}
