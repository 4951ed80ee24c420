import type { Edge } from "../../environment/environment.ts";
import { isLargerThan } from "../../environment/size.ts";
import { type BuiltGraph, buildGraph } from "../../graph/build.ts";
import { idsOf, recordedPath } from "../../graph/recorded-path.ts";
import { renderSvg } from "../../graph/svg.ts";
import type { Scope, Step, Workflow } from "../../ir/workflow.ts";
import { equalJson, type Json } from "../../json.ts";
import { languages } from "../../languages/index.ts";
import { type AnalyzedSource, analyzeSource, partAt, readForEditor } from "../../lsp/definition.ts";
import { constructAt } from "../../lsp/tree.ts";
import { type BrokenOff, isBrokenOff } from "../../scenario/compare.ts";
import type { Observed } from "../../scenario/simulation.ts";
import type { StepTrace, TracedCall, TracedStep } from "../../scenario/trace.ts";
import type { Source, Span } from "../../text/source.ts";
import type { Change, RunStep, StepCall, TracedRun } from "../protocol.ts";

/** The runs of a scenario for the page: `ids` are those of the observed runs, in their order. */
export function tracedRuns(
  traces: readonly { readonly id: string; readonly trace: StepTrace }[],
  ids: readonly string[],
  seen: readonly Observed[] | BrokenOff | undefined,
  clock: number,
): readonly TracedRun[] {
  const observed = seen && !isBrokenOff(seen) ? seen : [];
  return traces
    .filter(({ id, trace }) => trace.steps.length > 0 || id === "run")
    .map(({ id, trace }) => {
      const own = observed[ids.indexOf(id)];
      const steps = stepsOf(trace.steps, clock);
      return {
        id,
        workflow: trace.steps[0]?.workflow.id ?? "",
        status: own?.outcome.status ?? "",
        result: own && resultOf(own),
        elapsed: own?.elapsed,
        steps,
        dropped: trace.dropped,
        pictures: Object.fromEntries(pictures(trace.steps)),
      };
    });
}

function resultOf({ outcome }: Observed): Json | undefined {
  if (outcome.status === "succeeded") return clipped(outcome.output);
  if (outcome.status !== "failed") return undefined;
  const { name, message } = outcome.error;
  return { name, message };
}

const graphs = new WeakMap<Workflow, BuiltGraph>();

function graphOf(workflow: Workflow): BuiltGraph {
  const known = graphs.get(workflow) ?? buildGraph(workflow);
  graphs.set(workflow, known);
  return known;
}

function pictures(steps: readonly TracedStep[]): ReadonlyMap<string, string> {
  const workflows = new Map(steps.map(({ workflow }) => [workflow.id, workflow]));
  return new Map([...workflows].map(([id, workflow]) => [id, renderSvg(graphOf(workflow).graph, { style: false })]));
}

/** Consecutive steps of one construct at one place, and the node that shows it. */
interface Group {
  readonly node: string | undefined;
  readonly steps: readonly [TracedStep, ...TracedStep[]];
}

/** The executions of constructs, in the order in which they begin. */
function stepsOf(steps: readonly TracedStep[], clock: number): readonly RunStep[] {
  const locate = locator();
  const paths = new Map<Workflow, PathSoFar>();
  return groupsOf(steps).map((group) => {
    const { workflow } = group.steps[0];
    const path = paths.get(workflow) ?? { entered: new Set(), left: new Set(), ids: new Set() };
    paths.set(workflow, path);
    return stepOf(group, advance(path, group, workflow), locate, clock);
  });
}

/** Steps of branches alternate, so that a group continues with the next step at its place. */
function groupsOf(steps: readonly TracedStep[]): readonly Group[] {
  const nodes = new Map<Workflow, ReadonlyMap<Step, string>>();
  const groups: OpenGroup[] = [];
  const last = new Map<string, OpenGroup>();
  for (const traced of steps) {
    const { step, workflow, position } = traced;
    const known = nodes.get(workflow) ?? nodesBySteps(graphOf(workflow));
    nodes.set(workflow, known);
    const node = known.get(step);
    const place = JSON.stringify([workflow.id, position]);
    const construct = node ?? step.origin.name;
    const open = last.get(place);
    // A construct that begins again is a group of its own.
    if (open?.construct === construct && !open.entered.has(step)) {
      open.steps.push(traced);
      open.entered.add(step);
      continue;
    }
    const group: OpenGroup = { construct, node, steps: [traced], entered: new Set([step]) };
    groups.push(group);
    last.set(place, group);
  }
  return groups;
}

interface OpenGroup extends Group {
  readonly construct: string;
  readonly steps: [TracedStep, ...TracedStep[]];
  readonly entered: Set<Step>;
}

const nodesBySteps = ({ steps }: BuiltGraph): ReadonlyMap<Step, string> =>
  new Map([...steps].flatMap(([node, own]) => own.map((step) => [step, node] as const)));

/** What a run has entered of a workflow up to a step. */
interface PathSoFar {
  readonly entered: Set<Step | Scope>;
  readonly left: Set<Edge>;
  ids: ReadonlySet<string>;
}

/** Adds a group to a path; returns the ids of the nodes and edges that are new. */
function advance(path: PathSoFar, { steps }: Group, workflow: Workflow): readonly string[] {
  for (const { step, left } of steps) {
    path.entered.add(step);
    if (left) path.left.add(left);
  }
  const now = idsOf(recordedPath(graphOf(workflow), [path]));
  const added = [...now].filter((id) => !path.ids.has(id));
  path.ids = now;
  return added;
}

function stepOf(
  { node, steps }: Group,
  taken: readonly string[],
  locate: (span: Span) => Pick<RunStep, "start" | "end">,
  clock: number,
): RunStep {
  const [first] = steps;
  const open = steps.find(({ rank }) => rank === undefined);
  const last = open ?? steps.reduce((a, b) => (b.rank! > a.rank! ? b : a));
  const { origin, span } = first.step;
  const at = (instant: number | undefined): number | undefined =>
    instant === undefined ? undefined : (instant - clock) / 1000;
  return {
    workflow: first.workflow.id,
    name: origin.name,
    noun: origin.noun,
    depth: first.position.length,
    position: first.position.filter(Number.isFinite),
    began: (first.began - clock) / 1000,
    ended: at(last.ended),
    outcome: last.outcome,
    error: last.error && { name: last.error.name, message: last.error.message },
    ...locate(span),
    taken,
    node,
    calls: steps.flatMap((traced) => traced.calls.map((call) => callOf(call, traced, clock))),
    emitted: steps.flatMap(({ emitted }) => emitted.map(clipped)),
    data: changesOf(first.before, last.after),
  };
}

/** The call of a step that was cut off has no response. */
function callOf(call: TracedCall, { outcome }: TracedStep, clock: number): StepCall {
  const { function: name, argument, response, began, ended } = call;
  const isCutOff = outcome === "stopped" && response !== undefined && "error" in response;
  return {
    function: name,
    argument: clipped(argument),
    response: response && "value" in response ? { value: clipped(response.value) } : isCutOff ? undefined : response,
    began: (began - clock) / 1000,
    ended: ended === undefined ? undefined : (ended - clock) / 1000,
  };
}

/** The variables of a step: the changed ones first. Those that are null before and after are omitted. */
function changesOf(before: ReadonlyMap<string, Json>, after: ReadonlyMap<string, Json>): readonly Change[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((name): Change => {
      const [old, now] = [before.get(name), after.get(name)];
      const isSame = old === now || (old !== undefined && now !== undefined && equalJson(old, now));
      return { name, before: old && clipped(old), after: now && clipped(now), isChanged: !isSame };
    })
    .filter(({ before, after }) => (before ?? null) !== null || (after ?? null) !== null)
    .sort((a, b) => Number(b.isChanged) - Number(a.isChanged));
}

/** Larger values are not sent. */
const maxValueSize = 64 * 1024;

const clipped = (value: Json): Json => (isLargerThan(value, maxValueSize) ? "(more than 64 KiB)" : value);

/** Finds the construct that a span names: the whole state, not only its name. */
function locator(): (span: Span) => Pick<RunStep, "start" | "end"> {
  const analyses = new Map<Source, AnalyzedSource>();
  return ({ source, start, end }) => {
    const analyzed = analyses.get(source) ?? analyzeSource(source, readForEditor(source), languages);
    analyses.set(source, analyzed);
    const part = partAt(analyzed, start);
    const construct = part && constructAt(start, part.index);
    return construct?.parent ? { start: construct.start, end: construct.end } : { start, end };
  };
}
