/** A piece of the user's text as it can stand in a sentence: long ones are cut off. */
export function truncate(text: string, length = 60): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** Names in a sentence: of many only the first. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, names.length > 6 ? 5 : 6).map((name) => `\`${truncate(name)}\``);
  const all = shown.length < names.length ? [...shown, `${names.length - shown.length} more`] : shown;
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}
