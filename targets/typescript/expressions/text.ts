/** A text as a literal, harmless wherever the program is put. */
export const quoted = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) && !/[<>`]|\$\{/.test(text) ? JSON.stringify(text) : readable(text);

/** A name as a property in TypeScript. */
export const propertyText = (name: string): string => (isWord(name) ? name : quoted(name));

/** Whether a name can stand after a dot. */
export const isWord = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name) && name !== "__proto__";

/** Letters and signs of other scripts stay as they are; what ends lines, tags or templates is escaped. */
function readable(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u00ad\u0600-\u0605\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ue000-\uf8ff`]|<(?=[!/])|\$(?=\{)|[\ud800-\udfff]/g,
    (unit, at: number, whole: string) =>
      isPaired(whole, at) ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function isPaired(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0xd800 || code > 0xdfff) return false;
  const other = text.charCodeAt(code < 0xdc00 ? at + 1 : at - 1);
  return code < 0xdc00 ? other >= 0xdc00 && other <= 0xdfff : other >= 0xd800 && other < 0xdc00;
}
