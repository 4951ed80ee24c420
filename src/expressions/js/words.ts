/** Converts a string to the name of a variable: `charge card` is `chargeCard`. */
export function camelCase(text: string): string {
  const words = text.normalize("NFKD").match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words
    .map((word, i) => (i === 0 ? lowered(word) : `${word[0]!.toUpperCase()}${word.slice(1)}`))
    .join("");
  if (joined === "") return "value";
  return (/^\d/.test(joined) ? `_${joined}` : joined).slice(0, 60);
}

/** Words with a meaning in JavaScript, and `then`, which would make a module that exports it a promise. */
export const reservedWords: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements " +
    "import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void " +
    "while with yield async of Array Boolean Date Error Infinity JSON Map Math NaN Number Object Promise RegExp Set String Symbol globalThis process then"
  ).split(" "),
);

/** Lower-cases the first letter, or a word of capitals: `URL` is `url`. */
const lowered = (word: string): string =>
  /^[A-Z0-9]+$/.test(word) ? word.toLowerCase() : `${word[0]!.toLowerCase()}${word.slice(1)}`;

/** The word for something that the source calls `text`: `charge card` is `chargeCard`. Undefined if it has no letters of ASCII. */
export function wordOf(text: string): string | undefined {
  return /^[A-Za-z]/.test(text) ? camelCase(text).slice(0, 40) : undefined;
}

/** The word for one of several things: `outcomes` is `outcome`, `entries` is `entry`. Undefined if `text` is no plural. */
export function singularOf(text: string): string | undefined {
  const word = wordOf(text);
  if (word === undefined || word.length < 4 || /(?:ss|us|is)$/i.test(word)) return undefined;
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|ss|zz)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : undefined;
}
