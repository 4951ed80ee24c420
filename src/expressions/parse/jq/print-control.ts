import type { Pattern, PatternEntry } from "./pattern-syntax.ts";
import { level, print, printJq, printKey } from "./print.ts";
import type { Conditional, Definition, Foreach, Reduce } from "./syntax.ts";

/** `if … then … elif … then … else … end`. */
export function printConditional({ branches, otherwise }: Conditional): string {
  const texts = branches.map(({ condition, result }) => `if ${printJq(condition)} then ${printJq(result)}`);
  return `${texts.join(" el")}${otherwise ? ` else ${printJq(otherwise)}` : ""} end`;
}

/** `def …; rest`. */
export function printDefinition({ name, parameters, body, rest }: Definition): string {
  const names = parameters.map((parameter) => `${parameter.byValue ? "$" : ""}${parameter.name}`);
  return `def ${name}${names.length > 0 ? `(${names.join("; ")})` : ""}: ${printJq(body)}; ${printJq(rest)}`;
}

/** `reduce` and `foreach`. */
export function printFold(fold: Reduce | Foreach): string {
  const parts = [fold.initial, fold.update, ...(fold.kind === "foreach" && fold.extract ? [fold.extract] : [])];
  const source = print(fold.source, level.alternative);
  return `${fold.kind} ${source} as ${printPatterns(fold.patterns)} (${parts.map(printJq).join("; ")})`;
}

/** Patterns with `?//` between them. */
export const printPatterns = (patterns: readonly Pattern[]): string => patterns.map(printPattern).join(" ?// ");

function printPattern(pattern: Pattern): string {
  switch (pattern.kind) {
    case "variable":
      return `$${pattern.name}`;
    case "array":
      return `[${pattern.items.map(printPattern).join(", ")}]`;
    default:
      return `{ ${pattern.entries.map(printPatternEntry).join(", ")} }`;
  }
}

function printPatternEntry({ key, variable, pattern }: PatternEntry): string {
  const name = variable === undefined ? keyOfPattern(key) : `$${variable}`;
  return pattern ? `${name}: ${printPattern(pattern)}` : name;
}

/** `{$a: P}` would bind the variable, `{($a): P}` takes the member that it names. */
const keyOfPattern = (key: PatternEntry["key"]): string =>
  key.kind === "variable" ? `(${printJq(key)})` : printKey(key);
