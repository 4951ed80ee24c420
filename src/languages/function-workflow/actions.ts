import { binary, type Expression, firstOr, literal, member, variable } from "../../expressions/index.ts";
import type { Action, EventStruct } from "../../generated/function-workflow-definition.ts";
import type { Branch, Handler, Reference } from "../../ir/workflow.ts";
import { spanOf } from "../shared/properties.ts";
import {
  assign,
  complete,
  declare,
  end,
  failWith,
  reserve,
  type StepFragment,
  sequence,
  stepsIn,
} from "../shared/steps.ts";
import { functionName, lowerCall } from "./calls.ts";
import type { Writer } from "./context.ts";
import { discardedResults } from "./diagnostics/kinds.ts";
import { catchesFilterErrors, type ErrorRule, rulesOf } from "./errors.ts";
import { arrayOf, compose, outputOf, type Transform, warnOfFilterObject } from "./filters.ts";
import { stateReference } from "./transitions.ts";

/** Actions and their mode: sequential or parallel. */
export type ActionGroup = Pick<EventStruct, "actions" | "action-mode">;

/**
 * Function Workflow 0.1, Event State: performs actions in sequence, each with the result before it, or in parallel,
 * with an array of results.
 */
export function lowerActions(writer: Writer, work: ActionGroup, input: Expression): StepFragment {
  const { context, state } = writer;
  const { actions = [] } = work;
  const output = outputOf(context, state)?.transform;
  if (work["action-mode"] !== "PARALLEL") return inSequence(writer, actions, input, output);
  if (actions.length > 1) return inParallel(writer, work, actions, input, output);
  return inSequence(
    writer,
    actions,
    input,
    compose((answer) => arrayOf([answer]), output),
  );
}

function inSequence(
  writer: Writer,
  actions: readonly Action[],
  input: Expression,
  output: Transform | undefined,
): StepFragment {
  const exitTo = (rule: ErrorRule): Reference | undefined =>
    stateReference(writer.context, writer.plan, rule.entry, "next-state");
  const last = actions.length - 1;
  const steps = actions.map((action, i) =>
    lowerAction(writer, action, {
      from: i === 0 ? input : variable("result"),
      into: i === last ? "data" : "result",
      output: i === last ? output : undefined,
      exitTo,
    }),
  );
  return sequence(...steps);
}

/** A transition out of a branch is an error, caught at the fork. */
function inParallel(
  writer: Writer,
  work: ActionGroup,
  actions: readonly Action[],
  input: Expression,
  output: Transform | undefined,
): StepFragment {
  const { context, plan, construct } = writer;
  const { base, reference, fill } = reserve(writer, "actions", spanOf(context, work, "action-mode"));
  const names = branchNames(actions);
  const exits = new Map<string, Handler>();
  const exitFrom = (inner: Writer) => (rule: ErrorRule) => {
    const next = stateReference(context, plan, rule.entry, "next-state");
    if (!next) return undefined;
    context.report(discardedResults(next.span, {}));
    const name = `next-state ${rule.entry["next-state"]}`;
    const when = binary("==", member(variable("error"), "name"), literal(name));
    if (!exits.has(name)) exits.set(name, { when, next, span: rule.span });
    const message = "The run goes on with another state.";
    return complete(failWith(inner, "leave", rule.span, { origin: "fail", name, message }), rule.span);
  };
  const branches = actions.map((action, i): Branch => {
    const inner: Writer = { ...writer, slots: [], variables: new Map() };
    const performed = lowerAction(inner, action, {
      from: input,
      into: "result",
      output: undefined,
      exitTo: exitFrom(inner),
    });
    const span = spanOf(context, action);
    const done = end(inner, "done", span, { outcome: "leave", extent: "scope", value: variable("result") });
    const entry = complete(sequence(performed, done), span);
    const variables = [...inner.variables].map(([name, initial]) => ({ name, initial }));
    return { name: names[i]!, scope: { entry, variables, steps: stepsIn(inner), span }, span };
  });
  const bind = declare(writer, "results");
  const results = arrayOf(names.map((name) => firstOr(member(variable(bind), name), literal(null))));
  const value = output ? output(results) : results;
  const joined = assign(writer, "join", construct.span, { variable: "data", value });
  return (next) => {
    const rest = { join: { kind: "all" }, failure: "fatal", retries: [], handlers: [...exits.values()], bind } as const;
    fill({ ...base, kind: "fork", branches, ...rest, next: joined(next) });
    return reference;
  };
}

function branchNames(actions: readonly Action[]): readonly string[] {
  const taken = new Set<string>();
  return actions.map((action) => {
    const wanted = functionName(action);
    let name = wanted;
    for (let count = 2; taken.has(name); count++) name = `${wanted}-${count}`;
    taken.add(name);
    return name;
  });
}

interface ActionData {
  readonly from: Expression;
  readonly into: string;
  readonly output: Transform | undefined;
  exitTo(rule: ErrorRule): Reference | undefined;
}

function lowerAction(writer: Writer, action: Action, { output, ...task }: ActionData): StepFragment {
  const { context } = writer;
  warnOfFilterObject(context, action);
  const rules = rulesOf(context, action);
  const filter = outputOf(context, action);
  const into = declare(writer, task.into);
  if (!filter && !output && !rules.some(({ results }) => results))
    return lowerCall(writer, action, { ...task, rules, bind: into });
  const bind = declare(writer, "answer");
  const filtered =
    filter?.mayFail && catchesFilterErrors(rules) ? { filter: filter.transform, into: "filtered" } : undefined;
  const called = lowerCall(writer, action, { ...task, rules, bind, filtered });
  const answer = variable(filtered ? filtered.into : bind);
  const change = filtered ? output : compose(filter?.transform, output);
  const value = change ? change(answer) : answer;
  return sequence(called, assign(writer, "keep", spanOf(context, action), { variable: into, value }));
}
