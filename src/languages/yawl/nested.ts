import { collect, type Expression, identity, pipe, simplify, variable } from "../../expressions/index.ts";
import type { ForeachStep, ParallelStep } from "../../generated/yawl-definition.ts";
import type { Branch } from "../../ir/workflow.ts";
import { truncate } from "../../text/messages.ts";
import { ensureType } from "../shared/jq.ts";
import { spanOf, statedSpan } from "../shared/properties.ts";
import { assign, declare, step as makeStep, noSteps, type StepFragment, sequence } from "../shared/steps.ts";
import { type ScopeFrame, stepOf, type Writer } from "./context.ts";
import { requireObject } from "./data.ts";
import { jsonAt, raise } from "./expressions.ts";
import { createFrame, lowerScope, stateName } from "./scopes.ts";
import { inputOf, stateScope } from "./steps.ts";
import { finishStep, type StepOutput } from "./transitions.ts";

const defaultConcurrency = 30;

/**
 * Workflow, "Workflow state during the Parallel step": runs branches on copies of the state and merges results by name.
 */
export function lowerParallel(writer: Writer, step: ParallelStep): StepFragment {
  const { context, construct } = writer;
  const { concurrency = defaultConcurrency } = step;
  const { set, global } = snapshotGlobal(writer);
  const given = branchState(writer, step);
  const branches = Object.entries(step.branches).map(([name, branch]): Branch => {
    const plan = writer.scope.plan.inner.get(branch)!;
    const frame = innerFrame(writer, given.state);
    return {
      name,
      scope: lowerScope(context, plan, frame, { global, initial: given.state }),
      span: spanOf(context, step.branches, name, "key"),
    };
  });
  const bound = declare(writer, "results");
  const width = concurrency < branches.length ? concurrency : undefined;
  const common = {
    branches,
    join: { kind: "all" },
    failure: "fatal",
    width,
    spans: { width: statedSpan(context, step, "concurrency") },
    retries: [],
    handlers: [],
    bind: bound,
  } as const;
  const forked = makeStep(writer, "branches", construct.span, (base, next) => ({
    ...base,
    kind: "fork",
    ...common,
    next,
  }));
  return sequence(set, given.set, forked, finishStep(writer, step, outputFrom(writer, step, bound, true)));
}

/** Workflow, "Workflow state during the Foreach step": runs steps per object of an array. */
export function lowerForeach(writer: Writer, step: ForeachStep): StepFragment {
  const { context, scope } = writer;
  const { set, global } = snapshotGlobal(writer);
  const items = requireObjects(inputOf(writer, step), writer.id);
  const element = variable("element");
  const body = lowerScope(context, scope.plan.inner.get(step.do)!, innerFrame(writer, element, ["element"]), {
    global,
    initial: element,
  });
  const bound = declare(writer, "results");
  const common = {
    items,
    element: "element",
    scope: body,
    width: step.concurrency ?? 1,
    spans: { width: statedSpan(context, step, "concurrency") },
    retries: [],
    handlers: [],
    bind: bound,
  } as const;
  const span = spanOf(context, step, "input");
  const iterated = makeStep(writer, "iterate", span, (base, next) => ({ ...base, kind: "foreach", ...common, next }));
  return sequence(set, iterated, finishStep(writer, step, outputFrom(writer, step, bound)));
}

/** The output of a step over its results. */
export const outputFrom = (writer: Writer, step: object, results: string, isObject = false): StepOutput =>
  Object.hasOwn(step, "output")
    ? {
        value: jsonAt(writer.context, step, "output", { ...stateScope(writer), input: variable(results), isObject }),
        isExplicit: true,
      }
    : { value: variable(results), isExplicit: false, isObject };

function innerFrame({ scope }: Writer, state: Expression, taken: readonly string[] = []): ScopeFrame {
  const frame = createFrame(false, new Map([[stateName, state]]), scope.frame.names);
  for (const name of taken) frame.names.fresh(name);
  return frame;
}

function branchState(writer: Writer, step: ParallelStep): { readonly set: StepFragment; readonly state: Expression } {
  if (step.input === undefined) return { set: noSteps, state: variable(writer.scope.state) };
  const name = declare(writer, "given");
  const span = spanOf(writer.context, step, "input");
  const failing = raise("STEP_INVALID_ARGUMENT", `The input of parallel step ${truncate(writer.id)} is not an object.`);
  const value = requireObject(inputOf(writer, step), failing);
  return { set: assign(writer, "input", span, { variable: name, value }), state: variable(name) };
}

function snapshotGlobal(writer: Writer): { readonly set: StepFragment; readonly global: Expression } {
  const { scope, construct } = writer;
  if (!scope.frame.isOutermost || !usesGlobal(JSON.stringify(stepOf(writer))))
    return { set: noSteps, global: scope.global };
  const name = declare(writer, "global");
  return {
    set: assign(writer, "global", construct.span, { variable: name, value: scope.global }),
    global: variable(name),
  };
}

/** A `success` step also ends the run. */
const usesGlobal = (text: string): boolean => text.includes("$global") || text.includes('"success":{}');

function requireObjects(value: Expression, id: string): Expression {
  const failing = raise(
    "STEP_INVALID_ARGUMENT",
    `The input of foreach step ${truncate(id)} is not an array of objects.`,
  );
  const objects = (items: Expression): Expression =>
    collect(pipe({ kind: "iterate", source: items, optional: false }, ensureType(identity, "object", failing)));
  return simplify(ensureType(value, "array", failing, objects));
}
