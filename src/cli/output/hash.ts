/** A short, stable mark of a text (32-bit FNV-1a, as eight hexadecimal digits): tells names apart that were cut. Not for secrets. */
export function mark(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
