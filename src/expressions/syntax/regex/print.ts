import type { CharacterSet, Pattern } from "./pattern.ts";

/** How a form of regular expressions prints what JavaScript and other engines read differently. */
export interface PatternForm {
  /** Prints a set so that a quantifier may follow. */
  readonly set: (set: CharacterSet) => string;
  /** Prints any number of characters of a set; undefined if the set can be repeated like any other part. */
  readonly run: (set: CharacterSet) => string | undefined;
  readonly edges: { readonly [edge in "start" | "end" | "lastLine"]: string };
  readonly wordEdge: (isUnicode: boolean, isNegative: boolean) => string;
}

/** A printed pattern, and the number of each of its captures in `source`. */
export interface PrintedPattern {
  readonly source: string;
  readonly captures: readonly number[];
}

/** Prints a pattern; `captures` are numbered anew, since atomic groups need captures of their own. */
export function printPattern(pattern: Pattern, form: PatternForm): PrintedPattern {
  const printer: Printer = { form, captures: [], count: 0 };
  return { source: print(pattern, printer), captures: printer.captures };
}

interface Printer {
  readonly form: PatternForm;
  readonly captures: number[];
  count: number;
}

function print(pattern: Pattern, printer: Printer): string {
  switch (pattern.kind) {
    case "set":
      return printer.form.set(pattern.set);
    case "sequence":
      return pattern.parts
        .map((part) => (part.kind === "choice" ? `(?:${print(part, printer)})` : print(part, printer)))
        .join("");
    case "choice":
      return pattern.branches.map((branch) => print(branch, printer)).join("|");
    case "repetition":
      return printRepetition(pattern, printer);
    case "capture":
      printer.captures[pattern.number - 1] = ++printer.count;
      return `(${print(pattern.part, printer)})`;
    case "atomic": {
      const number = ++printer.count;
      return `(?:(?=(${print(pattern.part, printer)}))\\${number})`;
    }
    case "look":
      return `(?${pattern.isBehind ? "<" : ""}${pattern.isNegative ? "!" : "="}${print(pattern.part, printer)})`;
    case "edge":
      return printer.form.edges[pattern.edge];
    case "wordEdge":
      return printer.form.wordEdge(pattern.isUnicode, pattern.isNegative);
    case "reference":
      return `(?:\\${printer.captures[pattern.number - 1]})`;
  }
}

function printRepetition(pattern: Extract<Pattern, { kind: "repetition" }>, printer: Printer): string {
  const { part, min, max, isLazy } = pattern;
  const run = part.kind === "set" && max === Number.POSITIVE_INFINITY ? printer.form.run(part.set) : undefined;
  const once = printOnce(part, printer);
  const least = min === 0 ? "" : `${once}${quantifier(min, min)}`;
  return run === undefined
    ? `${once}${quantifier(min, max)}${isLazy && max > min ? "?" : ""}`
    : `${least}${run}${isLazy ? "*?" : "*"}`;
}

function printOnce(part: Pattern, printer: Printer): string {
  const source = print(part, printer);
  return ["set", "capture", "atomic", "reference"].includes(part.kind) ? source : `(?:${source})`;
}

function quantifier(min: number, max: number): string {
  if (max === 1) return min === 1 ? "" : "?";
  if (max === Number.POSITIVE_INFINITY && min < 2) return min === 0 ? "*" : "+";
  return min === max ? `{${min}}` : `{${min},${max === Number.POSITIVE_INFINITY ? "" : max}}`;
}

/** A word edge by look-around; `word` is a set. */
export function wordEdgeSource(word: string, isNegative: boolean): string {
  const [yes, no] = isNegative ? ["=", "!"] : ["!", "="];
  return `(?:(?<=${word})(?${yes}${word})|(?<!${word})(?${no}${word}))`;
}
