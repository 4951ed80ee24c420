import { sha256Hex } from "#digest";
import { type Expression, printExpression } from "../expressions/index.ts";
import { isExternal } from "./protocols.ts";
import { expressionsOf, stepsOf } from "./walk.ts";
import type { Emit, Workflow } from "./workflow.ts";

/**
 * A hash of the behavior of a workflow and its awaited subflows: steps, recorded ids, expressions and events, but not
 * names for people, comments, metadata, schemas that are not enforced, positions or locations of functions. A waiting run continues with the
 * version that it started with.
 */
export function versionOf(workflow: Workflow, workflows: ReadonlyMap<string, Workflow>): string {
  const hashed = [workflow, ...awaitedSubflows(workflow, workflows)].map(canonicalText).join("\n");
  return sha256Hex(hashed).slice(0, 16);
}

function awaitedSubflows(workflow: Workflow, workflows: ReadonlyMap<string, Workflow>): readonly Workflow[] {
  const found = new Map<string, Workflow>();
  const waiting = [workflow];
  for (let caller = waiting.pop(); caller; caller = waiting.pop()) {
    for (const step of stepsOf(caller)) {
      const subflow = step.kind === "invoke" && step.wait ? workflows.get(step.workflow.name) : undefined;
      if (!subflow || subflow.id === workflow.id || found.has(subflow.id)) continue;
      found.set(subflow.id, subflow);
      waiting.push(subflow);
    }
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function canonicalText(workflow: Workflow): string {
  const { id, start, timeout, input, inputRules, body, events, correlation, functions } = workflow;
  const { errorNames, raisedError, problems } = workflow;
  const meant = events.map(({ metadata: _, ...event }) => event);
  const found = functions.flatMap(({ name, protocol }) => (isExternal(protocol) ? [] : [{ name, protocol }]));
  const builtIns = found.length > 0 ? found : undefined;
  const pointers = (raisedError ?? problems) && stepsOf(workflow).map(({ origin }) => origin.pointer);
  const meaning = {
    id,
    start,
    timeout,
    input,
    inputRules,
    body,
    events: meant,
    correlation,
    builtIns,
    errorNames,
    raisedError,
    problems,
    pointers,
  };
  const expressions = expressionsIn(workflow);
  const attributes = attributesIn(workflow);
  return JSON.stringify(meaning, (key, value: unknown) => {
    if (ignoredKeys.has(key)) return undefined;
    if (attributes.has(value)) return attributesText(value as NonNullable<Emit["attributes"]>);
    if (expressions.has(value)) return printExpression(value as Expression);
    return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
  });
}

const ignoredKeys: ReadonlySet<string> = new Set(["span", "spans", "origin"]);

/** The attributes of emitted events. */
const attributesIn = (workflow: Workflow): ReadonlySet<unknown> =>
  new Set(stepsOf(workflow).flatMap((step) => (step.kind === "emit" && step.attributes ? [step.attributes] : [])));

/** Constant attributes are hashed as they are. */
const attributesText = (attributes: NonNullable<Emit["attributes"]>): unknown =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      value.kind === "literal" ? value.value : { computed: printExpression(value) },
    ]),
  );

/** All expressions, which are hashed as text: how the compiler represents them makes no version. */
function expressionsIn(workflow: Workflow): ReadonlySet<unknown> {
  const { body, correlation, events, raisedError, timeout } = workflow;
  return new Set(
    [
      ...stepsOf(workflow).flatMap(expressionsOf),
      ...body.variables.map(({ initial }) => initial),
      ...[
        correlation,
        raisedError,
        typeof timeout?.seconds === "number" ? undefined : timeout?.seconds,
        ...events.map((event) => event.correlation),
      ],
    ].filter((each) => each !== undefined),
  );
}
