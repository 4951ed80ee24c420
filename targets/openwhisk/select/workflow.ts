import { proveDataFlow } from "../../../src/analysis/types/index.ts";
import { computeLiveness, counterVariables, createDataFlowGraph } from "../../../src/cfg/index.ts";
import {
  type Expression,
  firstOr,
  freeVariables,
  literal,
  minJsonBytes,
  object,
  runtimeNames,
  substitute,
  variable,
} from "../../../src/expressions/index.ts";
import { helpers } from "../../../src/generated/openwhisk-helpers.js";
import { createNames, identifierStyle, type WorkflowNames, workflowNames } from "../../../src/ir/names.ts";
import type { Program } from "../../../src/ir/program.ts";
import { expressionsOf, scopesOf, stepsOf } from "../../../src/ir/walk.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import { type JsExpression as Code, js } from "../../../src/js-ast/index.ts";
import { isObject } from "../../../src/json.ts";
import {
  fuseAssignments,
  type Pass,
  type PassHooks,
  removeDeadStores,
  renamed,
  runPasses,
  simplifyBranches,
  threadJumps,
} from "../../../src/passes/index.ts";
import { camelCase, reservedWords } from "../../../src/readable/names.ts";
import { written } from "../../../src/readable/written.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import * as messages from "../diagnostics/kinds.ts";
import { mostAtOnce } from "./bounds.ts";
import type { Entities, FlowContext } from "./context.ts";
import { asksToken, endsCaller, endsRuns, handsRunOn, isToldRun } from "./invoke.ts";
import { assigned, beginProgram, codeOf, finished, helped, params } from "./programs.ts";
import { type Hearing, hearingOf } from "./receive.ts";
import { withPlainRecovery } from "./recovery.ts";
import { askWindow, deadlineOf, errorCode, lowerSteps } from "./scope.ts";
import { addRow, type Doing, type Drawing, noDrafts, type Part } from "./state-builder.ts";

/** A workflow as states without names, the first of which has the label `entry`. */
export interface Lowered {
  readonly drawing: Drawing;
  readonly entry: string;
  readonly exit: string;
  readonly hearing: Hearing | undefined;
  /** Whether runs begin or end as only our conductor knows: with the id of the run that they are a part of, or with what ends the run of who waits for them. */
  readonly needsConductor: boolean;
  readonly isWhole: boolean;
}

/** Lowers a workflow. Where something in it has no exact form, that is reported, and what is made is not whole. */
export function lowered(
  program: Program,
  given: Workflow,
  entities: Entities,
  report: Report,
  hooks: PassHooks = {},
): Lowered {
  const names = workflowNames(given);
  const workflow = runPasses(passes, given, names, hooks);
  let isWhole = checkSizes(workflow, report);
  const notes = notesTo(report, () => {
    isWhole = false;
  });
  const flow: FlowContext = { ...contextOf(workflow, names, program), entities, ...notes };
  const entry = flow.drawing.labels.fresh("entry");
  lowerBody(flow, entry);
  const { drawing, exit } = flow;
  const hearing = hearingOf(flow);
  const needsConductor = flow.endsCaller || isToldRun(workflow, program);
  return { drawing, entry, exit, hearing, needsConductor, isWhole };
}

/** The passes before selection, in order. */
export const passes: readonly Pass<Workflow, WorkflowNames>[] = [
  simplifyBranches,
  { name: "plain-recovery", run: withPlainRecovery },
  removeDeadStores,
  renamed(simplifyBranches, "simplify-branches-2"),
  threadJumps,
  fuseAssignments,
];

type Notes = Pick<FlowContext, "isCutShort" | "runsAtOnce" | "isElsewhere" | "refuse">;

/** What is noted while a workflow is lowered. A limit that many calls may meet is told once. */
function notesTo(report: Report, refused: () => void): Notes {
  let cutShort = false;
  return {
    runsAtOnce({ span }, count) {
      if (count >= mostAtOnce) report(messages.openwhiskConcurrency(span, { count, most: mostAtOnce }));
    },
    isCutShort(step, seconds) {
      if (!cutShort) report(messages.openwhiskActionTime(step.span, { name: step.function.name, seconds }));
      cutShort = true;
    },
    isElsewhere({ name, span }) {
      report(messages.openwhiskExternalWorkflow(span, { id: name }));
    },
    refuse(span, construct, hint) {
      refused();
      report(messages.openwhiskUnsupported(span, { construct, hint }));
    },
  };
}

/** What lowering a workflow goes by. */
function contextOf(
  workflow: Workflow,
  names: WorkflowNames,
  program: Program,
): Omit<FlowContext, keyof Notes | "entities"> {
  const drawing = noDrafts(stepsOf(workflow).map(({ id }) => id));
  const token = asksToken(workflow) ? names.variables.fresh("correlation") : undefined;
  const run = handsRunOn(workflow, program) ? names.variables.fresh("run") : undefined;
  const symbols = symbolsOf(
    workflow,
    [token, run].filter((name) => name !== undefined),
  );
  return {
    program,
    workflow,
    functions: new Map(workflow.functions.map((each) => [each.name, each])),
    events: new Map(workflow.events.map((each) => [each.name, each])),
    symbols,
    counters: countersIn(workflow),
    proven: proveDataFlow(workflow, program.workflows).before,
    taken: new Set([...symbols.values(), ...reservedWords, ...runtimeNames, ...Object.keys(helpers), ...own]),
    drawing,
    exit: drawing.labels.fresh("exit"),
    closing: drawing.labels.fresh("closing"),
    token: token === undefined ? undefined : symbols.get(token),
    run: run === undefined ? undefined : symbols.get(run),
    eventName: "event",
    endsCaller: endsCaller(workflow, program),
  };
}

/** What OpenWhisk carries at most, in bytes. */
const mostBytes = 1_048_576;

/** Reports what is larger than OpenWhisk carries in every run: an expression of a step gives what is sent, or kept in a variable. */
function checkSizes(workflow: Workflow, report: Report): boolean {
  const large = stepsOf(workflow).flatMap((step) => {
    const bytes = Math.max(0, ...expressionsOf(step).map(minJsonBytes));
    return bytes > mostBytes ? [{ step, bytes }] : [];
  });
  for (const { step, bytes } of large) report(messages.openwhiskTooLarge(step.span, { bytes, most: mostBytes }));
  return large.length === 0;
}

/** Words that functions use for something of their own. */
const own = [
  "params",
  "main",
  "require",
  "process",
  "crypto",
  "item",
  "index",
  "event",
  "compute",
  "__env__",
  "__eval__",
];

/** What variables are called in functions: those that something reads, and more. */
function symbolsOf(workflow: Workflow, more: readonly string[]): ReadonlyMap<string, string> {
  const fresh = createNames([...reservedWords, ...runtimeNames, ...Object.keys(helpers), ...own], identifierStyle);
  const steps = stepsOf(workflow);
  const read = new Set([
    ...steps.flatMap((step) => expressionsOf(step).flatMap((each) => [...freeVariables(each)])),
    ...scopesOf(workflow).flatMap(({ scope }) =>
      scope.variables.flatMap(({ initial }) => (initial ? [...freeVariables(initial)] : [])),
    ),
    ...(workflow.correlation ? freeVariables(workflow.correlation) : []),
  ]);
  const declared = scopesOf(workflow).flatMap(({ scope }) => scope.variables.map(({ name }) => name));
  const elements = steps.flatMap((step) => (step.kind === "foreach" ? [step.element, step.index ?? step.element] : []));
  const known = [...new Set([workflow.input, ...declared, ...elements])].filter((name) => read.has(name));
  const deadlines = steps.flatMap((step) =>
    step.kind === "attempt" && step.timeout !== undefined ? [deadlineOf(step)] : [],
  );
  const all = [...known, ...deadlines, ...more];
  return new Map(all.map((name) => [name, fresh.fresh(name === "params" ? "document" : camelCase(name))]));
}

/** The variables that only ever count. */
function countersIn(workflow: Workflow): ReadonlySet<string> {
  const steps = stepsOf(workflow);
  const declared = scopesOf(workflow).flatMap(({ scope }) => scope.variables);
  const elements = steps.flatMap((step) => (step.kind === "foreach" ? [step.element, step.index ?? step.element] : []));
  const others = [workflow.input, ...elements, ...declared.flatMap(({ name, initial }) => (initial ? [name] : []))];
  return counterVariables(
    steps,
    new Set([...others, ...computeLiveness(createDataFlowGraph(workflow.body)).get(workflow.body.entry.name)!]),
  );
}

/** The states that open what the workflow needs, those of its steps, and those that close it. */
function lowerBody(flow: FlowContext, entry: string): void {
  const { workflow, drawing, symbols } = flow;
  const { body } = workflow;
  const inner = stepsOf(workflow).flatMap((step) =>
    step.kind === "attempt" && step.timeout !== undefined ? [deadlineOf(step)] : [],
  );
  const names = [...new Set([workflow.input, ...body.variables.map(({ name }) => name), ...inner])].filter((name) =>
    symbols.has(name),
  );
  const initials = new Map(body.variables.map(({ name, initial }) => [name, initial]));
  const lets = names.map((name) => {
    const initial = initials.get(name);
    return letOf(symbols.get(name)!, initial?.kind === "literal" ? initial.value : null);
  });
  for (const symbol of [flow.token, flow.run]) if (symbol !== undefined) lets.push(letOf(symbol, null));
  const handler = drawing.labels.fresh("failed");
  const guarded: Part = { name: "try", does: { kind: "try", handler, isOutermost: true } };
  addOpening(entry, [...lets, ...inputParts(flow)], [guarded, ...beginParts(flow, initials)], flow);
  const ways = { kind: "run", closing: flow.closing } as const;
  lowerSteps(body, { flow, ways, tries: 0, deadlines: [], visible: new Set(names) });
  const ends = lets.map(({ does: { symbol } }): Part => ({ name: `end ${symbol}`, does: { kind: "end", symbol } }));
  addRow(drawing, flow.closing, [{ name: "catch", does: { kind: "catch" } }, ...ends.reverse()], flow.exit);
  addRow(drawing, handler, [failedPart(flow)], flow.exit);
  drawing.drafts.push({ label: flow.exit, name: "done", does: { kind: "pass" } });
}

/** What comes before the steps: variables and input, then, within the workflow's window, what begins it. */
function addOpening(entry: string, opened: readonly Part[], begun: readonly Part[], flow: FlowContext): void {
  const { workflow, drawing, exit } = flow;
  const { window } = workflow.start;
  const first = workflow.body.entry.name;
  if (!window) {
    addRow(drawing, entry, [...opened, ...begun], first);
    return;
  }
  const label = (name: string) => drawing.labels.fresh(name);
  const [asked, inside, outside] = [label("window"), label("begin"), label("not active")];
  addRow(drawing, entry, opened, asked);
  askWindow(asked, "window", window, { inside, outside }, flow);
  addRow(drawing, outside, [{ name: "not active", does: { kind: "value", value: notActive(workflow) } }], exit);
  addRow(drawing, inside, begun, first);
}

/** What a run that is called outside its window fails with: who waits for it as a subflow goes on then. */
const notActive = ({ id }: Workflow) => ({
  error: { origin: "denied", name: "NotActive", message: `Workflow ${id} cannot be started now.`, inactive: id },
});

/** Declares a variable. */
const letOf = (symbol: string, value: unknown) => ({
  name: `let ${symbol}`,
  does: { kind: "let", symbol, value } as const,
});

/** Takes the input, which has to be an object where nothing else is said. */
function inputParts(flow: FlowContext): readonly Part[] {
  const { workflow, symbols } = flow;
  const symbol = symbols.get(workflow.input);
  const writing = beginProgram(flow);
  const isChecked = !workflow.anyInput;
  if (symbol === undefined && !isChecked) return [];
  const input = symbol ?? "input";
  const value = helped(writing, "taken", [params]);
  writing.lines.push(symbol === undefined ? js.constant(input, value) : js.assign(input, value));
  if (isChecked) {
    const test = js.unary("!", helped(writing, "isInput", [js.name(input)]));
    writing.lines.push(js.ifStatement(test, [js.returnStatement(js.value({ error: invalidInput }))]));
  }
  return [{ name: "input", does: finished(writing) }];
}

/** What a run fails with whose input is no object. */
const invalidInput = { origin: "denied", name: "InvalidInput", message: "The input of a run has to be an object." };

/** What gives the variables of the workflow their first values. */
function beginParts(flow: FlowContext, initials: ReadonlyMap<string, Expression | undefined>): readonly Part[] {
  const { workflow } = flow;
  const writing = beginProgram(flow);
  assigned(
    writing,
    [...initials].flatMap(([variable, value]) => (value && value.kind !== "literal" ? [{ variable, value }] : [])),
  );
  const id = flow.run === undefined ? runCode(flow) : js.name(flow.run);
  if (flow.run !== undefined) writing.lines.push(js.assign(flow.run, runCode(flow)));
  if (flow.token !== undefined && workflow.correlation) {
    const run = object([["id", variable("run id")]]);
    const value = firstOr(substitute(workflow.correlation, new Map([["run", run]])), literal(null));
    const inner = beginProgram(flow, undefined, new Map([["run id", written(id)]]));
    const { code } = codeOf(inner, value);
    writing.lines.push(...inner.lines, js.assign(flow.token, code));
    for (const helper of inner.helpers) writing.helpers.add(helper);
  }
  return writing.lines.length === 0 ? [] : [{ name: "begin", does: finished(writing) }];
}

/** The id of the run as it begins: that of its first activation, or of the run that the conductor has been told this is a part of. */
const runCode = ({ workflow, program }: FlowContext): Code =>
  js.member(js.member(js.name("process"), "env"), isToldRun(workflow, program) ? "WAYBILL_RUN" : "__OW_ACTIVATION_ID");

/** Whether a state fails by something else than an action of the user's. */
function mayFailItself(does: Doing, { entities }: FlowContext): boolean {
  switch (does.kind) {
    case "function":
      return does.program.canFail;
    case "value":
      return isObject(does.value) && Object.hasOwn(does.value, "error");
    case "action":
      return does.action.startsWith(entities.helper("rt-"));
    default:
      return false;
  }
}

/** Tells what the workflow has failed with, or what it gives where a branch or a subflow has ended it; to who waits for it, that it has ended the run. */
function failedPart(flow: FlowContext): Part {
  const writing = beginProgram(flow);
  writing.canFail = true;
  const error = js.member(params, "error");
  const isAnswer = flow.drawing.drafts.every(({ does }) => !mayFailItself(does, flow));
  const failed = js.record({ error: errorCode(writing, error, isAnswer) });
  const ended = flow.endsCaller ? params : js.member(error, "value");
  const result = endsRuns(flow.workflow, flow.program)
    ? js.conditional(js.binary(js.member(error, "$waybill"), "===", js.literal("ended")), ended, failed)
    : failed;
  return { name: "failed", does: finished(writing, result) };
}
