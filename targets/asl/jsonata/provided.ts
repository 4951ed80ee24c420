import { builtinOf, childrenOf, type Expression, factsOf, outputs } from "../../../src/expressions/index.ts";
import { after, type Code, code, isAtom } from "./code.ts";
import { type Environment, fresh, type Printer, withBound } from "./printer.ts";

/** Variables that are written as calls, such as `$uuid()`, in an expression that may compute them more than once: they have one value. */
export function repeatedCalls(expression: Expression, environment: Environment): readonly string[] {
  const { free } = factsOf(expression);
  const called = [...free].filter(([name]) => !isAtom(code(environment(name))));
  const again = called.length > 0 && mayRepeat(expression);
  return called.filter(([, count]) => again || count > 1).map(([name]) => name);
}

/** Something printed where each call that it may compute more than once has a name. */
export function bindCalls(expression: Expression, printer: Printer, print: (printer: Printer) => Code): Code {
  let inner = printer;
  const names = repeatedCalls(expression, printer.environment).map((variable) => {
    const name = fresh(printer, variable);
    inner = withBound(inner, variable, code(name));
    return `${name} := ${printer.environment(variable)}`;
  });
  return after(names, print(inner));
}

/** Whether parts of an expression may be computed several times: once for each of several outputs, elements or results so far. */
function mayRepeat(expression: Expression): boolean {
  const children = childrenOf(expression);
  const isStream =
    expression.kind === "comma" ||
    (expression.kind === "call" &&
      expression.name !== "attribute" &&
      builtinOf(expression.name, expression.args.length)?.kind === "stream");
  const several = children.filter((child) => outputs(child.expression) === "many").length;
  if (several > 0 && children.length > 1 && !isStream) return true;
  return children.some((child) => (child.rebinds && expression.kind !== "pipe") || mayRepeat(child.expression));
}
