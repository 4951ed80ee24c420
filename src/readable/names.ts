/** A text as a name of a variable: `charge card` is `chargeCard`. */
export function camelCase(text: string): string {
  const words = text.normalize("NFKD").match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words
    .map((word, i) => (i === 0 ? lowered(word) : `${word[0]!.toUpperCase()}${word.slice(1)}`))
    .join("");
  if (joined === "") return "value";
  return (/^\d/.test(joined) ? `_${joined}` : joined).slice(0, 60);
}

/** What has a meaning in JavaScript; and `then`, which would make a promise of a module that exports it. */
export const reservedWords: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements " +
    "import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void " +
    "while with yield async of Array Boolean Date Error Infinity JSON Map Math NaN Number Object Promise RegExp Set String Symbol globalThis process then"
  ).split(" "),
);

/** A first word that is all capitals is lowered as a whole: `URL` is `url`. */
const lowered = (word: string): string =>
  /^[A-Z0-9]+$/.test(word) ? word.toLowerCase() : `${word[0]!.toLowerCase()}${word.slice(1)}`;
