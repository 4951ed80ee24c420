import { access, and, binary, call, type Expression, literal, variable } from "../../expressions/index.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, reserve, type StepFragment } from "../shared/steps.ts";
import { isArgument, taskRow } from "./arguments.ts";
import { freshVariable, type Writer } from "./context.ts";
import { hiddenArgument, hiddenName } from "./diagnostics/data.ts";
import { conditionBeforeRound } from "./diagnostics/flow.ts";
import { conditionAt, expressionAt, templateAt, valueAt } from "./expressions.ts";
import { checkSince } from "./identity.ts";
import { innerScope, lowerInner } from "./lists.ts";
import { jqProgram } from "./programs.ts";

const toItems = jqProgram(
  `if type == "array" then . else error({ name: "expression", message: "The value of \`in\` is not an array." }) end`,
);

/** Rounds in order; each begins with what the one before returned, if `while` holds for that. */
export function lowerFor(writer: Writer): StepFragment {
  const { context, task, scope, construct } = writer;
  const clause = task.for!;
  const [itemName, indexName] = [clause.each ?? "item", clause.at ?? "index"];
  checkNames(writer, clause, ["each", "at"]);
  const [items, index] = [freshVariable(scope, "items"), freshVariable(scope, "index")];
  const place = { owner: clause, key: "in" };
  if (typeof valueAt(place) !== "string") checkSince(context, clause, "in", "for.in: […]", 4);
  const source =
    typeof valueAt(place) === "string"
      ? toItems(expressionAt(context, place, taskRow(writer)))
      : templateAt(context, place, taskRow(writer));
  const begin = assign(
    writer,
    "begin",
    spanOf(context, clause, "in"),
    { variable: items, value: source },
    { variable: index, value: literal(0) },
  );
  const bindings = new Map<string, Expression>([
    [itemName, access(variable(items), variable(index))],
    [indexName, variable(index)],
  ]);
  const isLeft = binary("<", variable(index), call("length", variable(items)));
  const span = spanOf(context, task, task.while === undefined ? "for" : "while", "key");
  if (task.while !== undefined) context.report(conditionBeforeRound(span, {}));
  const test = reserve(writer, "test", span);
  const when =
    task.while === undefined
      ? isLeft
      : and(isLeft, conditionAt(context, { owner: task, key: "while" }, taskRow(writer, bindings)));
  const round = lowerInner(writer, innerScope(writer, bindings), { owner: task, key: "do", at: "do", role: "round" });
  const increment = { variable: index, value: binary("+", variable(index), literal(1)) };
  const again = assign(writer, "next", construct.span, increment);
  return (next) => {
    const cases = [{ when, next: round(again(test.reference)), span }];
    test.fill({ ...test.base, kind: "choose", cases, otherwise: next });
    return begin(test.reference);
  };
}

/** Reports variables that hide arguments or other variables. */
export function checkNames({ context, scope }: Writer, owner: object, keys: readonly string[]): void {
  for (const key of keys) {
    const name = (owner as { readonly [key: string]: unknown })[key];
    if (typeof name !== "string") continue;
    const span = spanOf(context, owner, key);
    if (isArgument(name) !== undefined) context.report(hiddenArgument(span, { name }));
    else if (scope.bindings.has(name)) context.report(hiddenName(span, { name }));
  }
}
