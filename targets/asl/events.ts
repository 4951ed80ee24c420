import { type Expression, freeVariables, simplify } from "../../src/expressions/index.ts";
import { compileJavaScript, isRefusal, type JavaScriptProgram, runtimeText } from "../../src/expressions/js/index.ts";
import { templates } from "../../src/generated/asl-templates.js";
import { partitionKeyOf } from "../../src/ir/correlation.ts";
import { receivedEvents } from "../../src/ir/event-patterns.ts";
import { stepsOf } from "../../src/ir/walk.ts";
import type { EventCombination, EventDefinition, EventPattern, Receive, Workflow } from "../../src/ir/workflow.ts";
import {
  js,
  printCode,
  printProgram,
  quoteString,
  renderTemplate,
  type TemplateValues,
} from "../../src/js-ast/index.ts";
import { type EventGroup, machineVariable, startedWorkflows } from "./event-groups.ts";
import { intrinsics } from "./intrinsics.ts";
import { mayWaitFail } from "./legalize/failing-waits.ts";
import type { ReceivedPart } from "./runtime/definition.ts";
import type { EventInput } from "./select/event-start.ts";

type JavaScript = Parameters<typeof js.returnStatement>[0] & object;

/** How the machine of a workflow uses events. */
export interface EventUse {
  /** What executions that events start receive, if they begin behind their first wait. */
  readonly eventInput: EventInput | undefined;
  readonly receivedPart: ReceivedPart;
}

/** The uses of events by workflow. */
type EventUses = ReadonlyMap<Workflow, EventUse>;

/** The paths of the modules that an event module imports, from the folder of all. */
export interface EventModules {
  readonly runtime: string;
  /** The module of the leader of the group. */
  readonly leader: string;
}

/**
 * The module with the two Lambda functions (Node.js 22) of a workflow that receives events: its machine calls `wait`,
 * and EventBridge calls `ingest` with each event. The logic is in the module `runtime`; this one defines the events and
 * waits. In a group of several workflows, the module of the leader defines those of all members.
 */
export function eventsFile(workflow: Workflow, group: EventGroup, uses: EventUses, modules: EventModules): string {
  const { language, id } = workflow;
  const common = { language, workflow: quoteString(id, "ascii") };
  const prefix = quoteString(prefixOf(workflow), "ascii");
  if (group.leader !== workflow)
    return renderTemplate(templates["member-events.mjs"], { ...common, prefix, group: importPath(modules.leader) });
  const template = templates[group.members.length === 1 ? "events.mjs" : "group-events.mjs"];
  const runtime = importPath(modules.runtime);
  return renderTemplate(template, { ...common, prefix, runtime, ...definitionParts(group, uses) });
}

const importPath = (path: string): string => quoteString(`./${path}`, "ascii");

/** The definition of a group, with the functions that compute its expressions. */
function definitionParts(group: EventGroup, uses: EventUses): TemplateValues {
  const programs: JavaScriptProgram[] = [];
  const compiled = (expression: Expression, given: readonly string[]): JavaScript => {
    const simple = simplify(expression);
    const variables = [...freeVariables(simple)].sort();
    const program = compileJavaScript(simple, { name: `expression${programs.length + 1}`, variables });
    if (isRefusal(program)) throw new Error(`An event is looked at by what was refused: ${program.refused}`);
    programs.push(program);
    const values = variables.map(givenValue);
    const call = js.call(program.name, [js.literal(null), ...values]);
    return js.arrow([...given], program.form === "one" ? call : js.element(call, js.literal(0)));
  };
  const definition = printCode(definitionCode(group, uses, compiled), script);
  return {
    helpers: runtimeText(new Set(programs.flatMap(({ helpers }) => helpers))),
    programs: programs.map(({ statements }) => ({ text: printProgram(statements, script) })),
    definition,
  };
}

/** A value that an expression reads: the event, a part of the received events, or a variable of the run. */
function givenValue(name: string): JavaScript {
  if (name === "event") return js.name("event");
  return receivedParts.get(name) ?? js.element(js.name("variables"), js.literal(name));
}

const partOf = (name: string): JavaScript => js.member(js.name("received"), name);

const receivedParts: ReadonlyMap<string, JavaScript> = new Map([
  [intrinsics.startedEvents, partOf("events")],
  [intrinsics.startedGroups, partOf("groups")],
  [intrinsics.startedEvent, js.member(js.element(partOf("events"), js.literal(0)), "event")],
  [intrinsics.startedToken, partOf("token")],
]);

const script = { types: false, charset: "ascii" } as const;

type ExpressionCompiler = (expression: Expression, given: readonly string[]) => JavaScript;

function definitionCode({ leader, members }: EventGroup, uses: EventUses, compile: ExpressionCompiler): JavaScript {
  const isAlone = members.length === 1;
  const key = partitionKeyOf(members);
  const started = startedWorkflows(members);
  return js.record({
    group: js.literal(leader.id),
    key: key === undefined ? undefined : js.literal(key),
    workflows: js.array(
      members.map((member) => {
        const at = started.indexOf(member);
        const { eventInput, receivedPart } = uses.get(member)!;
        const start = at < 0 ? undefined : startCode(member, machineVariable(at), eventInput, compile);
        return workflowCode(member, isAlone ? undefined : prefixOf(member), start, receivedPart, compile);
      }),
    ),
  });
}

const prefixOf = ({ id }: Workflow): string => `${/[\s"]/.test(id) ? JSON.stringify(id) : id} `;

/** The name of unnamed expression errors, if a wait may fail with one. */
const unnamedErrorOf = (workflow: Workflow): string | undefined =>
  waitsOf(workflow).some(mayWaitFail) ? workflow.errorNames?.expression : undefined;

const waitsOf = (workflow: Workflow): readonly Receive[] =>
  stepsOf(workflow).filter((step): step is Receive => step.kind === "receive");

function workflowCode(
  workflow: Workflow,
  prefix: string | undefined,
  start: JavaScript | undefined,
  part: ReceivedPart,
  compile: ExpressionCompiler,
): JavaScript {
  const unnamed = unnamedErrorOf(workflow);
  return js.record({
    id: js.literal(workflow.id),
    prefix: prefix === undefined ? undefined : js.literal(prefix),
    events: js.array(receivedEvents(workflow).map((event) => eventCode(event, compile))),
    waits: js.array(
      waitsOf(workflow).map(({ id, alternatives, unused }) =>
        js.record({
          step: js.literal(id),
          unused: js.literal(unused),
          alternatives: js.array(alternatives.map((each) => alternativeCode(each, compile))),
        }),
      ),
    ),
    start,
    reads: part === "events" ? undefined : js.literal(part),
    unnamedError: unnamed === undefined ? undefined : js.literal(unnamed),
  });
}

const startCode = (
  { start: { on = [], create, gap, window } }: Workflow,
  machine: string,
  behind: EventInput | undefined,
  compile: ExpressionCompiler,
): JavaScript =>
  js.record({
    machine: js.literal(machine),
    behind: behind && behindCode(behind, compile),
    complete: js.literal(create === "complete"),
    gap: gap === undefined ? undefined : js.literal(gap),
    from: window?.from === undefined ? undefined : js.literal(Date.parse(window.from)),
    until: window?.until === undefined ? undefined : js.literal(Date.parse(window.until)),
    on: js.array(on.map((each) => alternativeCode(each, compile))),
  });

const behindCode = ({ wait, inputs, isOnly }: EventInput, compile: ExpressionCompiler): JavaScript =>
  js.record({
    step: js.literal(wait),
    inputs: js.array(inputs.map((input) => compile(input, ["received"]))),
    isOnly: isOnly ? js.literal(true) : undefined,
  });

const eventCode = (
  { name, type, source, subject, foldCase, correlationKey, correlation }: EventDefinition,
  compile: ExpressionCompiler,
): JavaScript =>
  js.record({
    name: js.literal(name),
    type: type === undefined ? undefined : js.literal(type),
    source: source === undefined ? undefined : js.literal(source),
    subject: subject === undefined ? undefined : js.literal(subject),
    foldCase: foldCase ? js.literal(true) : undefined,
    key: correlationKey === undefined ? undefined : js.literal(correlationKey),
    correlation: correlation && compile(correlation, ["event"]),
  });

const alternativeCode = ({ all, none, within }: EventCombination, compile: ExpressionCompiler): JavaScript =>
  js.record({
    all: js.array(all.map((group) => js.array(group.map((pattern) => patternCode(pattern, compile))))),
    none: js.array(none.map((pattern) => patternCode(pattern, compile))),
    within: within === undefined ? undefined : js.literal(within),
  });

const patternCode = ({ event, when }: EventPattern, compile: ExpressionCompiler): JavaScript =>
  js.record({ event: js.literal(event.name), when: when && compile(when, ["event", "variables"]) });
