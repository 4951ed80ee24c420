import { canFail, type Expression } from "../../../src/expressions/index.ts";
import { type Environment, withoutLines } from "./environment.ts";
import { mayStandIn, type Named, usesIn } from "./stand-in.ts";
import { isWord } from "./text.ts";
import { writeOne } from "./write.ts";
import { atom, isSimple, type Written } from "./written.ts";

/** Values that are evaluated in the order in which they are written. */
export function writeInOrder(parts: readonly Expression[], environment: Environment): readonly Written[] | undefined {
  const found: Written[] = [];
  let current = environment;
  for (const part of parts) {
    const written = writeOne(part, current);
    if (!written) return undefined;
    found.push(written);
    if (canFail(part)) current = withoutLines(current);
  }
  return found;
}

/** Values in the order in which they are evaluated, which is not the one in which they are written: but for the last, what can fail becomes a constant. */
export function writeInOtherOrder(
  parts: readonly Expression[],
  environment: Environment,
): readonly Written[] | undefined {
  const last = parts.findLastIndex(canFail);
  const found: Written[] = [];
  for (const [i, part] of parts.entries()) {
    const written = writeOne(part, environment);
    const placed = written && canFail(part) && i < last ? constant(part, written, environment) : written;
    if (!placed) return undefined;
    found.push(placed);
  }
  return found;
}

/** What a body uses as `.` or as a variable, where that is a value: its text, or a constant. With it, what the body stands in. */
export function standing(
  value: Expression,
  body: Expression,
  named: Named,
  environment: Environment,
): { readonly written: Written; readonly around: Environment } | undefined {
  const written = writeOne(value, environment);
  if (!written) return undefined;
  if (mayStandIn(value, written, body, named))
    return { written, around: canFail(value) ? withoutLines(environment) : environment };
  if (environment.lines && usesIn(body, named) === 0) {
    environment.lines.texts.push(`${written.text.startsWith("{") ? `(${written.text})` : written.text};`);
    return { written, around: environment };
  }
  const placed = constant(value, written, environment, named.kind === "variable" ? named.name : undefined);
  return placed && { written: placed, around: environment };
}

/** A constant in a line before; undefined where no line can stand. */
export function constant(
  expression: Expression,
  written: Written,
  { lines }: Environment,
  wanted = wordFor(expression),
): Written | undefined {
  if (!lines) return undefined;
  if (isSimple(written.text) && !canFail(expression)) return written;
  const stem = isWord(wanted) && wanted.length <= longestWord ? `${wanted}Value` : "value";
  let name = stem;
  for (let i = 2; lines.names.has(name); i += 1) name = `${stem}${i}`;
  lines.names.add(name);
  lines.texts.push(`const ${name} = ${written.text};`);
  return atom(name, { type: written.type, use: written.use, isPresent: written.isPresent });
}

const longestWord = 40;

/** What a value is called after: the member that it is, or the function that gives it. */
function wordFor(expression: Expression): string {
  switch (expression.kind) {
    case "access":
      return expression.key.kind === "literal" && typeof expression.key.value === "string"
        ? expression.key.value
        : wordFor(expression.source);
    case "call":
      return expression.args[0] && /^(?:tostring|text|tojson)$/.test(expression.name)
        ? wordFor(expression.args[0])
        : expression.name;
    case "pipe":
      return wordFor(expression.right);
    default:
      return "";
  }
}
