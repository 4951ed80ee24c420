import { type DataFlow, inferDataFlow } from "../../analysis/types/flow.ts";
import { type Expression, inferType } from "../../expressions/index.ts";
import { stepsOf } from "../../ir/walk.ts";
import { programOf, type Step, type Workflow } from "../../ir/workflow.ts";
import { isObject } from "../../json.ts";
import type { Report } from "../../text/diagnostics.ts";
import { truncate } from "../../text/messages.ts";
import type { Span } from "../../text/source.ts";
import { memberOf, type ObjectType, objectsOf, type Type } from "../../types/index.ts";
import { shallowMerges } from "./diagnostics/kinds.ts";

/** Reports once where shallow merges drop members that a deep merge would keep. */
export function reportShallowMerges(workflow: Workflow, report: Report): void {
  if (!mayKnowObjects(workflow)) return;
  const flow = inferDataFlow(programOf([workflow])).get(workflow)!;
  const [first, ...others] = stepsOf(workflow).flatMap((step) => droppingMerges(step, flow));
  if (!first) return;
  const notes = others.slice(0, maxNotes).map(({ name, span }) => ({
    message: `\`${truncate(name)}\` is replaced here.`,
    span,
  }));
  report(shallowMerges(first.span, { ...first, others: others.length }, notes));
}

const maxNotes = 5;

interface DroppingMerge {
  readonly name: string;
  readonly dropped: string;
  readonly span: Span;
}

/** Objects inside the data are known by a schema or from injected data. */
const mayKnowObjects = (workflow: Workflow): boolean =>
  workflow.inputType !== undefined ||
  stepsOf(workflow).some(
    (step) =>
      step.kind === "assign" && step.values.some(({ value }) => mergesIn(value).some(([, value]) => isNested(value))),
  );

const isNested = (value: Expression): boolean =>
  value.kind === "literal" && isObject(value.value) && Object.values(value.value).some((member) => isObject(member!));

function droppingMerges(step: Step, { before }: DataFlow): readonly DroppingMerge[] {
  const variables = before.get(step.id);
  if (step.kind !== "assign" || !variables) return [];
  const merges = step.values.filter(({ variable }) => variable === "data").flatMap(({ value }) => mergesIn(value));
  const found = merges.flatMap(([target, value]) =>
    droppedMember(inferType(target, variables), inferType(value, variables)),
  );
  return found.slice(0, 1).map(([name, dropped]) => ({ name, dropped, span: step.span }));
}

/** The targets and values of shallow merges that an expression may end with. */
function mergesIn(expression: Expression): readonly (readonly [Expression, Expression])[] {
  if (expression.kind === "if") return [...mergesIn(expression.then), ...mergesIn(expression.otherwise)];
  if (expression.kind !== "call" || !["assign", "assignResult"].includes(expression.name)) return [];
  const [target, value] = expression.args as readonly [Expression, Expression];
  return [[target, value]];
}

/** A member that both types have as an object, and a member of it that only the first has. */
function droppedMember(target: Type, value: Type): readonly (readonly [string, string])[] {
  const after = objectsOf(value).flatMap((object) => [...object.members]);
  for (const [name, { type }] of after) {
    const dropped = onlyIn(objectsOf(knownType(target, name)), objectsOf(type));
    if (dropped !== undefined) return [[name, dropped]];
  }
  return [];
}

const knownType = (target: Type, name: string): Type => {
  const known = objectsOf(target).find(({ members }) => members.has(name));
  return known ? memberOf(known, name).type : { kind: "union", of: [] };
};

const onlyIn = (before: readonly ObjectType[], after: readonly ObjectType[]): string | undefined =>
  after.length === 0
    ? undefined
    : before
        .flatMap(({ members }) => [...members.keys()])
        .find((name) => after.every((object) => !object.members.has(name)));
