import {
  compileJavaScript,
  type Expression,
  freeVariables,
  isRefusal,
  type JavaScriptProgram,
  runtimeText,
  simplify,
} from "../../src/expressions/index.ts";
import { templates } from "../../src/generated/asl-templates.js";
import { patternsOf, stepsOf } from "../../src/ir/walk.ts";
import type { EventCombination, EventDefinition, EventPattern, Receive, Workflow } from "../../src/ir/workflow.ts";
import { js, printCode, printProgram, quoteString, renderTemplate } from "../../src/js-ast/index.ts";
import { isSharded } from "./correlation.ts";
import { type EventGroup, machineVariable, startedWorkflows } from "./event-groups.ts";
import { mayWaitFail } from "./legalize/failing-waits.ts";

type JavaScript = Parameters<typeof js.returnStatement>[0] & object;

/** Finds the wait whose events are the input of event-started executions of a workflow, if any. */
export type StartingWaitOf = (workflow: Workflow) => string | undefined;

/**
 * The module with the two Lambda functions (Node.js 22) of a workflow that receives events: its machine calls `wait`,
 * and EventBridge calls `ingest` with each event. The logic is in the module `runtime`; this one defines the events and
 * waits.
 */
export function eventsFile(workflow: Workflow, group: EventGroup, behind: StartingWaitOf, runtime: string): string {
  const programs: JavaScriptProgram[] = [];
  const compiled = (expression: Expression, given: readonly string[]): JavaScript => {
    const simple = simplify(expression);
    const variables = [...freeVariables(simple)].sort();
    const program = compileJavaScript(simple, { name: `expression${programs.length + 1}`, variables });
    if (isRefusal(program)) throw new Error(`An event is looked at by what was refused: ${program.refused}`);
    programs.push(program);
    const values = variables.map((name) =>
      name === "event" ? js.name("event") : js.element(js.name("variables"), js.literal(name)),
    );
    const call = js.call(program.name, [js.literal(null), ...values]);
    return js.arrow([...given], program.form === "one" ? call : js.element(call, js.literal(0)));
  };
  const definition = definitionCode(workflow, group, behind, compiled);
  return renderTemplate(templates["events.mjs"], {
    language: workflow.language,
    workflow: quoteString(workflow.id, "ascii"),
    runtime: quoteString(`./${runtime}`, "ascii"),
    helpers: runtimeText(new Set(programs.flatMap(({ helpers }) => helpers))),
    programs: programs.map(({ statements }) => ({ text: printProgram(statements, script) })),
    definition: printCode(definition, script),
  });
}

const script = { types: false, charset: "ascii" } as const;

type ExpressionCompiler = (expression: Expression, given: readonly string[]) => JavaScript;

function definitionCode(
  workflow: Workflow,
  { leader, members }: EventGroup,
  behind: StartingWaitOf,
  compile: ExpressionCompiler,
): JavaScript {
  const isOne = members.length === 1;
  const parts = members.map((member) => workflowParts(member, isOne ? "" : prefixOf(member), compile));
  const unnamed = isOne ? unnamedErrorOf(workflow) : undefined;
  const starts = startedWorkflows(members).map((each, i, { length }) => {
    const { name } = parts[members.indexOf(each)]!;
    const [one, wait] = [length === 1 ? undefined : each.id, behind(each)];
    const known = { one, machine: machineVariable(i), behind: wait === undefined ? undefined : name(wait) };
    return startCode(each, known, name, compile);
  });
  return js.record({
    workflow: js.literal(leader.id),
    own: isOne ? undefined : js.literal(prefixOf(workflow)),
    sharded: js.literal(members.every(isSharded)),
    events: mapCode(parts.flatMap(({ events }) => events)),
    waits: mapCode(parts.flatMap(({ waits }) => waits)),
    starts: starts.length === 0 ? undefined : js.array(starts),
    unnamedError: unnamed === undefined ? undefined : js.literal(unnamed),
  });
}

const prefixOf = ({ id }: Workflow): string => `${/[\s"]/.test(id) ? JSON.stringify(id) : id} `;

const mapCode = (entries: readonly (readonly [string, JavaScript])[]): JavaScript =>
  js.newExpression("Map", [js.array(entries.map(([key, each]) => js.array([js.literal(key), each])))]);

/** The name of unnamed expression errors, if a wait may fail with one. */
const unnamedErrorOf = (workflow: Workflow): string | undefined =>
  waitsOf(workflow).some(mayWaitFail) ? workflow.errorNames?.expression : undefined;

const waitsOf = (workflow: Workflow): readonly Receive[] =>
  stepsOf(workflow).filter((step): step is Receive => step.kind === "receive");

interface WorkflowParts {
  readonly name: NameQualifier;
  readonly events: readonly (readonly [string, JavaScript])[];
  readonly waits: readonly (readonly [string, JavaScript])[];
}

type NameQualifier = (own: string) => string;

function workflowParts(workflow: Workflow, prefix: string, compile: ExpressionCompiler): WorkflowParts {
  const { start } = workflow;
  const waits = waitsOf(workflow);
  const names = new Set([...waits.flatMap(({ alternatives }) => alternatives), ...(start.on ?? [])].flatMap(eventsOf));
  const name: NameQualifier = (each) => `${prefix}${each}`;
  const isAlone = prefix === "";
  const unnamed = isAlone ? undefined : unnamedErrorOf(workflow);
  return {
    name,
    events: workflow.events.flatMap((event) =>
      names.has(event.name) ? [[name(event.name), eventCode(event, isAlone, compile)] as const] : [],
    ),
    waits: waits.map(({ id, alternatives, unused }) => [
      name(id),
      js.record({
        unused: js.literal(unused),
        alternatives: js.array(alternatives.map((each) => alternativeCode(each, name, compile))),
        unnamedError: unnamed === undefined ? undefined : js.literal(unnamed),
      }),
    ]),
  };
}

const eventsOf = (alternative: EventCombination): readonly string[] =>
  patternsOf([alternative]).map(({ event }) => event.name);

const startCode = (
  { start: { on = [], create, gap, window } }: Workflow,
  { one, machine, behind }: { readonly [known in "one" | "behind"]: string | undefined } & { readonly machine: string },
  name: NameQualifier,
  compile: ExpressionCompiler,
): JavaScript =>
  js.record({
    workflow: one === undefined ? undefined : js.literal(one),
    machine: js.literal(machine),
    behind: behind === undefined ? undefined : js.literal(behind),
    complete: js.literal(create === "complete"),
    gap: gap === undefined ? undefined : js.literal(gap),
    from: window?.from === undefined ? undefined : js.literal(Date.parse(window.from)),
    until: window?.until === undefined ? undefined : js.literal(Date.parse(window.until)),
    on: js.array(on.map((each) => alternativeCode(each, name, compile))),
  });

const eventCode = (
  { name, type, source, subject, foldCase, correlation }: EventDefinition,
  isAlone: boolean,
  compile: ExpressionCompiler,
): JavaScript =>
  js.record({
    name: isAlone ? undefined : js.literal(name),
    type: type === undefined ? undefined : js.literal(type),
    source: source === undefined ? undefined : js.literal(source),
    subject: subject === undefined ? undefined : js.literal(subject),
    foldCase: foldCase ? js.literal(true) : undefined,
    correlation: correlation && compile(correlation, ["event"]),
  });

const alternativeCode = (
  { all, none, within }: EventCombination,
  name: NameQualifier,
  compile: ExpressionCompiler,
): JavaScript =>
  js.record({
    all: js.array(all.map((group) => js.array(group.map((pattern) => patternCode(pattern, name, compile))))),
    none: js.array(none.map((pattern) => patternCode(pattern, name, compile))),
    within: within === undefined ? undefined : js.literal(within),
  });

const patternCode = ({ event, when }: EventPattern, name: NameQualifier, compile: ExpressionCompiler): JavaScript =>
  js.record({ event: js.literal(name(event.name)), when: when && compile(when, ["event", "variables"]) });
