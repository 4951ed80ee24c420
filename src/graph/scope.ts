import type { Edge } from "../environment/environment.ts";
import { handlersOf, innerScopes } from "../ir/walk.ts";
import type { Attempt, Receive, Scope, Step } from "../ir/workflow.ts";
import type { Span } from "../text/source.ts";
import { caseLabel, type ExitLabel, handlerLabel, otherwiseLabel } from "./labels.ts";

/** A scope, with the bodies of attempts that a picture does not show as groups merged into it. */
export interface FlatScope {
  readonly entry: string;
  readonly steps: ReadonlyMap<string, Step>;
  /** The construct of each step. */
  readonly constructs: ReadonlyMap<string, Construct>;
  /** Attempts whose bodies are merged. */
  readonly merged: ReadonlySet<string>;
  /** Steps of merged bodies: their ends continue after the attempt. */
  readonly inside: ReadonlySet<string>;
}

/** The steps that one node shows. */
export interface Construct {
  /** Its first step. */
  readonly first: Step;
  readonly steps: Step[];
  /** Whether it has a name in the source; otherwise it is a part of the construct around the scope. */
  readonly isNamed: boolean;
}

/** Groups the steps of a scope by the constructs of the source. */
export function flattenScope(scope: Scope): FlatScope {
  const steps = new Map<string, Step>();
  const merged = new Set<string>();
  const inside = new Set<string>();
  const add = (each: Scope, isInside: boolean): void => {
    for (const step of each.steps) {
      steps.set(step.id, step);
      if (isInside) inside.add(step.id);
      if (step.kind !== "attempt" || !isOneConstruct(step)) continue;
      merged.add(step.id);
      add(step.body, true);
    }
  };
  add(scope, false);
  return { entry: scope.entry.name, steps, constructs: groupSteps(steps, merged), merged, inside };
}

/** Whether an attempt contains only steps of its own construct. */
const isOneConstruct = ({ body, origin }: Attempt): boolean =>
  body.steps.every(
    (step) => isSame(step.origin, origin) && !step.origin.entry && (step.kind !== "attempt" || isOneConstruct(step)),
  );

const isSame = (a: Step["origin"], b: Step["origin"]): boolean => a.name === b.name && a.noun === b.noun;

function groupSteps(steps: ReadonlyMap<string, Step>, merged: ReadonlySet<string>): ReadonlyMap<string, Construct> {
  const named = new Map<string, Construct>();
  const byName = new Map<string, Construct>();
  for (const step of steps.values()) {
    if (!step.origin.entry) continue;
    const construct: Construct = { first: step, steps: [step], isNamed: true };
    named.set(step.id, construct);
    const name = `${step.origin.noun}\0${step.origin.name}`;
    if (!byName.has(name) && !isGroup(step, merged)) byName.set(name, construct);
  }
  const constructs = new Map<string, Construct>(named);
  for (const step of steps.values()) {
    if (step.origin.entry) continue;
    const owner = ownerOf(step, named) ?? byName.get(`${step.origin.noun}\0${step.origin.name}`);
    if (owner && isSame(owner.first.origin, step.origin) && !isGroup(owner.first, merged)) owner.steps.push(step);
    constructs.set(step.id, owner?.steps.includes(step) ? owner : { first: step, steps: [step], isNamed: false });
  }
  return constructs;
}

/** Whether a step is an attempt that is shown as a group. */
const isGroup = ({ kind, id }: Step, merged: ReadonlySet<string>): boolean => kind === "attempt" && !merged.has(id);

/** The construct whose first step's id is the longest prefix of the step's id. */
function ownerOf({ id }: Step, named: ReadonlyMap<string, Construct>): Construct | undefined {
  for (let at = id.lastIndexOf("/"); at > 0; at = id.lastIndexOf("/", at - 1)) {
    const owner = named.get(id.slice(0, at));
    if (owner) return owner;
  }
  return undefined;
}

/** An exit of a step, with what a recording of a run shows of it. */
export interface Exit {
  readonly label: ExitLabel;
  readonly by: Edge;
  readonly target: string;
}

/** The exits of a step: transitions, cases and handlers. A merged attempt continues with its body. */
export function exitsOf(step: Step, { merged }: FlatScope, construct: Construct): readonly Exit[] {
  const span = constructSpan(construct);
  const errors = handlersOf(step).map(
    (handler): Exit => ({ label: handlerLabel(handler, step, span), by: handler, target: handler.next.name }),
  );
  if (step.kind === "end") return [];
  if (step.kind !== "choose") {
    const body = step.kind === "attempt" && merged.has(step.id) ? [step.body.entry.name] : [];
    const label: ExitLabel = { kind: "next" };
    return [...[...body, step.next.name].map((target): Exit => ({ label, by: step, target })), ...errors];
  }
  const waits = construct.steps.filter((each): each is Receive => each.kind === "receive");
  const always = step.cases.findIndex(({ when }) => when.kind === "literal" && when.value === true);
  const cases = always < 0 ? step.cases : step.cases.slice(0, always + 1);
  const otherwise = always < 0 ? step.otherwise : undefined;
  const labels = cases.map((each) => caseLabel(each, step, span, waits));
  return [
    ...cases.map((each, i): Exit => ({ label: labels[i]!, by: each, target: each.next.name })),
    ...(otherwise ? [{ label: otherwiseLabel(step, labels, waits), by: step, target: otherwise.name }] : []),
  ];
}

/** The name of a construct in the source. */
export const constructSpan = ({ first }: Construct): Span => first.span;

/** Whether a step does nothing that a picture shows. */
export const isSilent = (step: Step, { merged }: FlatScope): boolean =>
  step.kind === "assign" || step.kind === "choose" || (step.kind === "attempt" && merged.has(step.id));

/** The scopes that a node shows inside of a step. */
export const shownScopes = (step: Step, { merged }: FlatScope): readonly Scope[] =>
  merged.has(step.id) ? [] : innerScopes(step);
