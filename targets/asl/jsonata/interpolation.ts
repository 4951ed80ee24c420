import { foldBalanced, type Interpolation } from "../../../src/expressions/index.ts";
import { type Code, code, infix, level } from "./code.ts";
import { operands } from "./each.ts";
import type { Mode, Use } from "./modes.ts";
import type { Printer } from "./printer.ts";
import { stringText } from "./text.ts";

/** Longer chains of texts are written as trees. */
const longestChain = 16;

/** `"a\(E)b"`: the texts that it gives. */
export function eachInterpolation({ parts }: Interpolation, printer: Printer, mode: Mode, use: Use): Code {
  const expressions = parts.filter((part) => typeof part !== "string").reverse();
  return operands(expressions, printer, mode, (values) => {
    let next = values.length;
    const texts = parts.flatMap((part) =>
      typeof part !== "string" ? [values[--next]!] : part === "" ? [] : [code(stringText(part))],
    );
    if (texts.length < 2) return use(texts[0] ?? code('""'));
    const join = (left: Code, right: Code) => infix("&", level.sum, left, right);
    return use(texts.length <= longestChain ? texts.slice(1).reduce(join, texts[0]!) : foldBalanced(texts, join)!);
  });
}
