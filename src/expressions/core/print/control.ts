import { assertNever, printJson } from "../../../json.ts";
import type { Break, Expression } from "../ast.ts";
import { type Level, level, print, whole } from "../print.ts";
import type { ControlKind } from "../walk/control.ts";

/** An expression that decides what is evaluated and how often, and how tightly its text holds together. */
export function printedControl(
  expression: Extract<Expression, { kind: ControlKind }> | Break,
): readonly [Level, string] {
  switch (expression.kind) {
    case "reduce":
      return [level.postfix, `reduce ${printFold(expression, [expression.initial, expression.update])}`];
    case "foreach":
      return [
        level.postfix,
        `foreach ${printFold(expression, [expression.initial, expression.update, expression.extract])}`,
      ];
    case "alternative":
      return [level.comma, `${print(expression.left, level.or)} // ${print(expression.right, level.or)}`];
    case "try": {
      const handler = expression.handler ? ` catch ${print(expression.handler, level.postfix)}` : "";
      return [level.or, `try ${print(expression.body, level.postfix)}${handler}`];
    }
    case "label":
      return [level.pipe, `label $${expression.name} | ${whole(expression.body)}`];
    case "break":
      return [level.postfix, `break $${expression.name}`];
    case "define": {
      const parameters = expression.parameters.length === 0 ? "" : `(${expression.parameters.join("; ")})`;
      return [level.pipe, `def ${expression.name}${parameters}: ${whole(expression.body)}; ${whole(expression.rest)}`];
    }
    case "apply":
      return [
        level.postfix,
        expression.name + (expression.args.length === 0 ? "" : `(${expression.args.map(whole).join("; ")})`),
      ];
    case "interpolation":
      return [level.postfix, printParts(expression.parts)];
    default:
      return assertNever(expression);
  }
}

const printFold = (
  { source, name }: { readonly source: Expression; readonly name: string },
  parts: readonly Expression[],
): string => `${print(source, level.postfix)} as $${name} (${parts.map(whole).join("; ")})`;

const printParts = (parts: readonly (string | Expression)[]): string =>
  `"${parts.map((part) => (typeof part === "string" ? printJson(part).slice(1, -1) : `\\(${whole(part)})`)).join("")}"`;
