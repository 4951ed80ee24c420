import { fill, js, printCode, printProgram, quoted } from "../../src/code/index.ts";
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
import type { Alternative, EventDefinition, Pattern, Receive, Workflow } from "../../src/ir/workflow.ts";
import { mayFail } from "./lower/failing-waits.ts";
import { isSharded } from "./lower/waits.ts";

type Code = Parameters<typeof js.give>[0] & object;

/**
 * The module with the two Lambda functions (Node.js 22) of a workflow that receives events: `wait`, which its machine calls where it waits, and `ingest`,
 * which is given each event. What they do is in the module `runtime`; this one tells what the workflow waits for.
 */
export function eventsFile(workflow: Workflow, runtime: string): string {
  const programs: JavaScriptProgram[] = [];
  const compiled = (expression: Expression, given: readonly string[]): Code => {
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
  const definition = definitionOf(workflow, compiled);
  return fill(templates["events.mjs"], {
    language: workflow.language,
    workflow: quoted(workflow.id, "ascii"),
    runtime: quoted(`./${runtime}`, "ascii"),
    helpers: runtimeText(new Set(programs.flatMap(({ helpers }) => helpers))),
    programs: programs.map(({ statements }) => ({ text: printProgram(statements, script) })),
    definition: printCode(definition, script),
  });
}

const script = { types: false, charset: "ascii" } as const;

type Compile = (expression: Expression, given: readonly string[]) => Code;

/** What the runtime is told of a workflow. */
function definitionOf(workflow: Workflow, compile: Compile): Code {
  const { id, start } = workflow;
  const waits = stepsOf(workflow).filter((step): step is Receive => step.kind === "receive");
  const names = new Set([...waits.flatMap(({ alternatives }) => alternatives), ...(start.on ?? [])].flatMap(eventsOf));
  const events = workflow.events.filter(({ name }) => names.has(name));
  const map = (entries: readonly (readonly [string, Code])[]) =>
    js.construct("Map", [js.array(entries.map(([key, each]) => js.array([js.literal(key), each])))]);
  return js.record({
    workflow: js.literal(id),
    sharded: js.literal(isSharded(workflow)),
    events: map(events.map((event) => [event.name, eventCode(event, compile)] as const)),
    waits: map(
      waits.map(({ id: step, alternatives, unused }) => [
        step,
        js.record({
          unused: js.literal(unused),
          alternatives: js.array(alternatives.map((each) => alternativeCode(each, compile))),
        }),
      ]),
    ),
    start: start.on && startCode(start, compile),
    unnamedError: waits.some(mayFail) && workflow.errorNames ? js.literal(workflow.errorNames.expression) : undefined,
  });
}

const eventsOf = (alternative: Alternative): readonly string[] =>
  patternsOf([alternative]).map(({ event }) => event.name);

const startCode = ({ on = [], create, gap, window }: Workflow["start"], compile: Compile): Code =>
  js.record({
    complete: js.literal(create === "complete"),
    gap: gap === undefined ? undefined : js.literal(gap),
    from: window?.from === undefined ? undefined : js.literal(Date.parse(window.from)),
    until: window?.until === undefined ? undefined : js.literal(Date.parse(window.until)),
    on: js.array(on.map((each) => alternativeCode(each, compile))),
  });

const eventCode = ({ type, source, subject, foldCase, correlation }: EventDefinition, compile: Compile): Code =>
  js.record({
    type: type === undefined ? undefined : js.literal(type),
    source: source === undefined ? undefined : js.literal(source),
    subject: subject === undefined ? undefined : js.literal(subject),
    foldCase: foldCase ? js.literal(true) : undefined,
    correlation: correlation && compile(correlation, ["event"]),
  });

const alternativeCode = ({ all, none, within }: Alternative, compile: Compile): Code =>
  js.record({
    all: js.array(all.map((group) => js.array(group.map((pattern) => patternCode(pattern, compile))))),
    none: js.array(none.map((pattern) => patternCode(pattern, compile))),
    within: within === undefined ? undefined : js.literal(within),
  });

const patternCode = ({ event, when }: Pattern, compile: Compile): Code =>
  js.record({ event: js.literal(event.name), when: when && compile(when, ["event", "variables"]) });
