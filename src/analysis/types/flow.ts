import { stepsOf } from "../../ir/walk.ts";
import type { Workflow } from "../../ir/workflow.ts";
import type { Program } from "../../program.ts";
import { any, recordOf, type Shape } from "../../shapes/shape.ts";
import { union } from "../../shapes/union.ts";
import { entered, type Flow, follow, TooMuch } from "./scope.ts";
import type { Variables } from "./shapes.ts";

export type { Variables } from "./shapes.ts";

/** What is known of the data of a workflow, if its input is as its schema says. */
export interface Types {
  /** The shapes of the variables that a step can see when it begins, by its id. Steps that are not reached, or of which nothing is known, have none. */
  readonly before: ReadonlyMap<string, Variables>;
  /** What a run gives that succeeds. */
  readonly output: Shape;
}

/** Subflows in subflows are followed that deep. */
const deepest = 30;

/** What is known of the data of each workflow of a program. */
export function typesOf(program: Program): ReadonlyMap<Workflow, Types> {
  const found = new Map<Workflow, Types>();
  for (const workflow of program.workflows) typesIn(workflow, program, found, new Set());
  return found;
}

function typesIn(workflow: Workflow, program: Program, found: Map<Workflow, Types>, open: Set<Workflow>): Types {
  const known = found.get(workflow);
  if (known) return known;
  const outputOf = (id: string): Shape => {
    const other = program.byId.get(id);
    if (!other || open.size >= deepest || open.has(other)) return any;
    return typesIn(other, program, found, open).output;
  };
  open.add(workflow);
  const types = followed(workflow, outputOf);
  open.delete(workflow);
  found.set(workflow, types);
  return types;
}

/** A workflow that events start has an empty object for its input; outside of its window it gives what it was given. */
function followed(workflow: Workflow, outputOf: Flow["outputOf"]): Types {
  const { body, input: name, start, inputShape = any } = workflow;
  const input = start.on?.length ? union(inputShape, recordOf([])) : inputShape;
  const flow: Flow = {
    before: new Map(),
    ends: [],
    document: name,
    outputOf,
    left: 200 + 30 * stepsOf(workflow).length,
  };
  try {
    const { value } = follow(body, entered(body, new Map(), new Map([[name, input]])), flow);
    return { before: flow.before, output: union(value, ...flow.ends, ...(start.window ? [input] : [])) };
  } catch (error) {
    if (error instanceof TooMuch) return { before: new Map(), output: any };
    throw error;
  }
}
