import { freshNames, type Names, wordStyle } from "../../../src/ir/names.ts";

export type { Names } from "../../../src/ir/names.ts";

/** Names of the emitted program, of which some are taken from the beginning; a scope in it sees those around it. */
export const namesWith = (taken: Iterable<string>): Names => freshNames([...reserved, ...taken], wordStyle);

/** A text as a name of a variable: `charge card` is `chargeCard`. */
export function camelCase(text: string): string {
  const words = text.normalize("NFKD").match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words
    .map((word, i) => (i === 0 ? lowered(word) : `${word[0]!.toUpperCase()}${word.slice(1)}`))
    .join("");
  if (joined === "") return "value";
  return (/^\d/.test(joined) ? `_${joined}` : joined).slice(0, 60);
}

/** A text as a name of a type: `charge card` is `ChargeCard`. */
export function pascalCase(text: string): string {
  const name = camelCase(text);
  return `${name[0]!.toUpperCase()}${name.slice(1)}`;
}

/** A first word that is all capitals is lowered as a whole: `URL` is `url`. */
const lowered = (word: string): string =>
  /^[A-Z0-9]+$/.test(word) ? word.toLowerCase() : `${word[0]!.toLowerCase()}${word.slice(1)}`;

/** A name that a program cannot have for something of its own. */
export const isReserved = (name: string): boolean => reserved.has(name);

const reserved: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements " +
    "import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void " +
    "while with yield async of Array Boolean Date Error Infinity JSON Map Math NaN Number Object Promise RegExp Set String Symbol globalThis process"
  ).split(" "),
);
