/**
 * Looks whether packages are installed that functions need and that not every program has: they are loaded with the first call, but a program whose packages
 * are missing does not start.
 */
export function checkInstalled(...names: readonly string[]): void {
  for (const name of names) import.meta.resolve(name);
}
