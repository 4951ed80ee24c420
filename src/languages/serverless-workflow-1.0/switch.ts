import { type Expression, literal } from "../../expressions/index.ts";
import type { SwitchCase } from "../../generated/serverless-workflow-1.0-definition.ts";
import { spanOf } from "../shared/properties.ts";
import { choose, type StepFragment, sequence } from "../shared/steps.ts";
import { taskRow } from "./arguments.ts";
import type { Writer } from "./context.ts";
import { outputSteps } from "./data-flow.ts";
import { severalDefaults, switchWithoutDefault } from "./diagnostics/flow.ts";
import { conditionAt } from "./expressions.ts";

/**
 * The first case whose condition holds is taken; a case without condition is the default at any position. The task's
 * output and export apply before the case's `then`; without a match, its own `then` applies.
 */
export function lowerSwitch(writer: Writer): StepFragment {
  const { context, task } = writer;
  const cases = (task.switch ?? []).flatMap((item) =>
    Object.entries(item).map(([name, each]) => ({ item, name, each })),
  );
  const [fallback, ...others] = cases.filter(({ each }) => each.when === undefined);
  for (const { item, name } of others) context.report(severalDefaults(spanOf(context, item, name, "key"), {}));
  for (const { each } of cases) writer.check(each, "then");
  const row = taskRow(writer);
  const choices = cases
    .filter(({ each }) => each.when !== undefined)
    .map(({ each }) => ({
      when: conditionAt(context, { owner: each, key: "when" }, row) as Expression,
      span: spanOf(context, each, "when"),
      build: () => caseSteps(writer, each),
    }));
  const span = spanOf(context, task, "switch", "key");
  if (choices.length === 0) choices.push({ when: literal(false), span, build: () => (next) => next });
  return choose(writer, "switch", span, choices, () => (fallback ? caseSteps(writer, fallback.each) : (next) => next));
}

/** Reports a switch without default if the task after it is that of a case. */
export function checkDefault({ context, task }: Writer, next: string | undefined): void {
  const cases = (task.switch ?? []).flatMap((item) => Object.entries(item));
  const isOpen = cases.every(([, { when }]) => when !== undefined) && (task.then ?? "continue") === "continue";
  const [name] = cases.find(([, { then }]) => then === "continue" || then === next) ?? [];
  if (!isOpen || next === undefined || name === undefined) return;
  context.report(switchWithoutDefault(spanOf(context, task, "switch", "key"), { next, name }));
}

const caseSteps = (writer: Writer, { then }: SwitchCase): StepFragment =>
  then === "continue" ? (next) => next : sequence(outputSteps(writer), () => writer.route(then));
