/** Names that some file system keeps for itself. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * A file name for each id: safe on every file system, at most 100 characters, and different from all others, also where case does not
 * count. An id that is a plain word is its own name. Equal ids get different names, so the names come in the order of the ids.
 */
export function fileNames(ids: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return ids.map((id) => {
    const name = plainName(id);
    const unique = taken.has(name.toLowerCase()) ? distinct(name, id, taken) : name;
    taken.add(unique.toLowerCase());
    return unique;
  });
}

/** A short, stable mark of a text (32-bit FNV-1a, as eight hexadecimal digits): tells names apart that were cut. Not for secrets. */
export function mark(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

function plainName(id: string): string {
  const plain = id
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  if (plain === id && id.length <= 100 && !reserved.test(id.split(".")[0]!)) return id;
  const stem = plain.slice(0, 80) || "workflow";
  return `${stem}-${mark(id)}`;
}

function distinct(name: string, id: string, taken: ReadonlySet<string>): string {
  const marked = `${name.slice(0, 80)}-${mark(id)}`;
  let result = marked;
  for (let n = 2; taken.has(result.toLowerCase()); n++) result = `${marked}-${n}`;
  return result;
}
