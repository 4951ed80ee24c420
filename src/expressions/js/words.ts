import type { JsExpression } from "../../js-ast/index.ts";

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

/** The singular of a plural: `outcomes` → `outcome`, `entries` → `entry`; undefined for other words. */
export function singularOf(text: string): string | undefined {
  const word = wordOf(text);
  if (word === undefined || word.length < 4 || /(?:ss|us|is)$/i.test(word)) return undefined;
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|ss|zz)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : undefined;
}

/** The word for a value: that of the member or variable that it is; undefined if it is neither. Temporaries have theirs in the name: `value:order#1`. */
export function wordOfCode(code: JsExpression): string | undefined {
  switch (code.kind) {
    case "identifier":
      return code.name.includes("#") ? /:(\w+)#/.exec(code.name)?.[1] : wordOf(code.name);
    case "member":
      return wordOf(code.name);
    case "nonNull":
      return wordOfCode(code.operand);
    case "binary":
      return code.operator === "??" ? wordOfCode(code.left) : undefined;
    case "call": {
      const { callee, args } = code;
      const [, key] = args;
      if (key) return key.kind === "literal" && typeof key.value === "string" ? wordOf(key.value) : undefined;
      const read = callee.kind === "identifier" ? /^(?:get(?=[A-Z])|[^_]*_)(.+)$/.exec(callee.name)?.[1] : undefined;
      return read && wordOf(`${read[0]!.toLowerCase()}${read.slice(1)}`);
    }
    default:
      return undefined;
  }
}

/** The word for an element of an array: that for one of what the array is called. */
export function singularOfCode(code: JsExpression): string | undefined {
  const own = wordOfCode(code);
  if (own !== undefined) return singularOf(own);
  if (code.kind !== "call") return undefined;
  const { callee, args } = code;
  if (callee.kind === "member") return callee.name === "filter" ? singularOfCode(callee.object) : undefined;
  return args[0] && singularOfCode(args[0]);
}
