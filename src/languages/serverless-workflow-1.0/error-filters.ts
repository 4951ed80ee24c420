import { balanced, binary, bind, type Expression, literal, simplify, variable } from "../../expressions/index.ts";
import type { RetryPolicy } from "../../generated/serverless-workflow-1.0-definition.ts";
import { taskRow, withInput } from "./arguments.ts";
import type { Writer } from "./context.ts";
import { problemOf } from "./errors.ts";
import { conditionAt, type ValuePlace } from "./expressions.ts";

/** The conditions `when` and `exceptWhen` of `catch` or a retry policy, over the variable `problem`. */
export function policyConditions(
  writer: Writer,
  owner: Pick<RetryPolicy, "when" | "exceptWhen">,
): readonly Expression[] {
  const { context } = writer;
  const problem = variable("problem");
  const name = writer.task.catch?.as ?? "error";
  const row = withInput(taskRow(writer), problem, new Map([[name, problem]]));
  const at = (key: string): ValuePlace => ({ owner, key });
  return [
    ...(owner.when === undefined ? [] : [conditionAt(context, at("when"), row)]),
    ...(owner.exceptWhen === undefined
      ? []
      : [binary("==", conditionAt(context, at("exceptWhen"), row), literal(false))]),
  ];
}

/** All conditions, with the problem details of `$error` in the variable `problem`. */
export function whole(conditions: readonly Expression[]): Expression {
  const all = balanced("and", conditions);
  const problem = problemOf(variable("error"));
  return simplify(bind("problem", problem, all));
}
