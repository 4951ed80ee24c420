import { shapeOf } from "../../expressions/index.ts";
import { handlersOf, retriesOf } from "../../ir/walk.ts";
import type { Attempt, End, ForEach, Fork, Invoke, Step } from "../../ir/workflow.ts";
import { assertNever } from "../../json.ts";
import { elementOf } from "../../shapes/members.ts";
import {
  any,
  anyObject,
  arrayOf,
  integer,
  isNever,
  type Member,
  never,
  nullShape,
  objectOf,
  recordOf,
  type Shape,
  string,
} from "../../shapes/shape.ts";
import { union } from "../../shapes/union.ts";
import { entered, type Flow, type Followed, follow, type Ways } from "./scope.ts";
import { areEqual, assigned, joined, type Variables, widened } from "./shapes.ts";

/** What becomes of the variables in a step. What functions answer, and what errors are, can be anything. */
export function perform(step: Step, variables: Variables, flow: Flow, ways: Ways): void {
  switch (step.kind) {
    case "assign": {
      const values = step.values.map(({ variable, value }) => [variable, shapeOf(value, variables)] as const);
      ways.send(step.next.name, assigned(variables, values));
      break;
    }
    case "choose":
      for (const { next } of [...step.cases, ...(step.otherwise ? [{ next: step.otherwise }] : [])])
        ways.send(next.name, variables);
      break;
    case "delay":
    case "emit":
      ways.send(step.next.name, variables);
      break;
    case "receive":
      ways.send(step.next.name, assigned(variables, [[step.bind, received]]));
      break;
    case "end":
      end(step, variables, flow, ways);
      break;
    case "attempt":
      attempt(step, variables, flow, ways);
      break;
    default:
      bound(step, resultOf(step, variables, flow), variables, variables, ways);
  }
}

const events = arrayOf(
  recordOf([
    ["name", string],
    ["event", anyObject],
  ]),
);
const received = recordOf([
  ["alternative", union(integer, nullShape)],
  ["events", events],
  ["groups", events],
]);

type Failing = Extract<Step, { readonly handlers: unknown }>;

/** Goes on with the result, and to the handlers. */
function bound(step: Failing, result: Shape, done: Variables, failed: Variables, ways: Ways): void {
  if (!isNever(result)) ways.send(step.next.name, assigned(done, [[step.bind, result]]));
  for (const { bind, next } of handlersOf(step)) ways.send(next.name, assigned(failed, [[bind, any]]));
}

function resultOf(step: Exclude<Failing, Attempt>, variables: Variables, flow: Flow): Shape {
  switch (step.kind) {
    case "call":
      return step.wait ? any : nullShape;
    case "invoke":
      return invoked(step, flow);
    case "fork":
      return forked(step, variables, flow);
    case "foreach":
      return iterated(step, variables, flow);
    default:
      return assertNever(step);
  }
}

const invoked = ({ workflow, wait }: Invoke, { outputOf }: Flow): Shape => (wait ? outputOf(workflow.name) : nullShape);

function forked({ branches, join }: Fork, variables: Variables, flow: Flow): Shape {
  const members = new Map<string, Member>();
  for (const { name, scope } of branches) {
    const { value } = follow(scope, entered(scope, variables), flow);
    members.set(name, { shape: value, required: join.kind === "all" });
  }
  return objectOf(members, never);
}

function iterated(step: ForEach, variables: Variables, flow: Flow): Shape {
  const element = elementOf(shapeOf(step.items, variables));
  if (isNever(element)) return arrayOf(never);
  const given = assigned(new Map(), [
    [step.element, element],
    [step.index, integer],
  ]);
  return arrayOf(follow(step.scope, entered(step.scope, variables, given), flow).value);
}

/** How often a body is followed anew with what an attempt before may have left. */
const patience = 4;

/** The body shares the variables: whatever they are in it they can be when it fails, and when it begins again. */
function attempt(step: Attempt, variables: Variables, flow: Flow, ways: Ways): void {
  const begins = (entry: Variables, { anywhere }: Followed): Variables => {
    if (retriesOf(step).length === 0) return entry;
    const kept = new Map([
      ...anywhere,
      ...step.restore.map((name) => [name, variables.get(name) ?? nullShape] as const),
    ]);
    return joined(entry, kept);
  };
  let entry = variables;
  let followed = follow(step.body, entry, flow, true);
  for (let i = 0; ; i++) {
    const next = begins(entry, followed);
    if (areEqual(entry, next)) break;
    entry = i < patience ? next : widened(entry, next);
    followed = follow(step.body, entry, flow, true);
  }
  ways.pass(followed.anywhere);
  bound(step, followed.value, followed.exit ?? variables, followed.anywhere, ways);
}

function end({ outcome, extent, value }: End, variables: Variables, flow: Flow, ways: Ways): void {
  const shape = shapeOf(value, variables);
  if (outcome === "fail" || isNever(shape)) return;
  if (extent === "run") flow.ends.push(shape);
  else ways.end(shape, variables);
}
