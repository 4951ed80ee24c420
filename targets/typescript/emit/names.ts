/** Names that are taken in a scope of the emitted program; a scope in it sees those around it. */
export interface Names {
  /** The first of the wanted names that nothing has which can be seen from here, or from a scope in this one; else the first with a number. */
  fresh(...wanted: readonly [string, ...string[]]): string;
  /** A scope inside this one. */
  inner(): Names;
}

/** Names of which some are taken from the beginning. */
export const namesWith = (taken: Iterable<string>): Names =>
  namesIn({ own: new Set(taken), below: new Set(), around: undefined });

/** The names of a scope, and those of the scopes in it: what is named here later must not be hidden there. */
interface Taken {
  readonly own: Set<string>;
  readonly below: Set<string>;
  readonly around: Taken | undefined;
}

function namesIn(taken: Taken): Names {
  const isFree = (name: string) => !reserved.has(name) && !taken.below.has(name) && !isSeen(name, taken);
  return {
    fresh(...wanted) {
      let name = wanted.find(isFree) ?? wanted[0];
      for (let i = 2; !isFree(name); i += 1) name = `${wanted[0]}${i}`;
      taken.own.add(name);
      for (let outer = taken.around; outer; outer = outer.around) outer.below.add(name);
      return name;
    },
    inner: () => namesIn({ own: new Set(), below: new Set(), around: taken }),
  };
}

function isSeen(name: string, taken: Taken): boolean {
  for (let scope: Taken | undefined = taken; scope; scope = scope.around) if (scope.own.has(name)) return true;
  return false;
}

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

const reserved: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements " +
    "import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void " +
    "while with yield async of Array Boolean Date Error Infinity JSON Map Math NaN Number Object Promise RegExp Set String Symbol globalThis process"
  ).split(" "),
);
