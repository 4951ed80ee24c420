import type { Expression } from "jsonata";
import { maxDepth } from "../jsonata/nesting.ts";

/**
 * How deep evaluations are nested in each other while one expression is evaluated, counted as Step Functions does. JSONata in JavaScript evaluates the
 * elements of an array, and the members of an object, at once: here each waits until the one before it is over.
 */
export interface Nesting {
  /** An evaluation begins, once what comes before it is over. Fails where it is nested too deeply. */
  enter(part: Part, frame: object): Promise<void> | undefined;
  /** The evaluation that began last is over. */
  leave(): void;
}

/** A part of an expression as JSONata has read it. */
export type Part = object;

/** The parts that are evaluated beside others, each with the array or object that it is in. */
export type Siblings = ReadonlyMap<Part, Part>;

/** The name by which evaluations find how they are nested: no variable of an expression can have it. */
export const nestingName = "evaluations around";

/** Lets evaluations of an expression tell of their beginnings and ends; gives the parts of it that are evaluated beside others. */
export function watched(expression: Expression): Siblings {
  const assign = expression.assign as (name: unknown, value: unknown) => void;
  const nestingIn = (frame: Frame): Nesting => frame.lookup(nestingName);
  assign(Symbol.for("jsonata.__evaluate_entry"), (part: Part, _: unknown, frame: Frame) =>
    nestingIn(frame).enter(part, frame),
  );
  assign(Symbol.for("jsonata.__evaluate_exit"), (_part: Part, _: unknown, frame: Frame) => nestingIn(frame).leave());
  const siblings = new Map<Part, Part>();
  noteSiblings(expression.ast(), siblings, new Set());
  return siblings;
}

interface Frame {
  lookup(name: string): Nesting;
}

/** Evaluations of one expression, of which none has begun. */
export function createNesting(siblings: Siblings): Nesting {
  const open: Evaluation[] = [];
  const waiting: { readonly within: Evaluation; readonly begin: () => void }[] = [];
  const begin = (evaluation: Evaluation): void => {
    if (open.push(evaluation) > maxDepth)
      throw { code: "U1001", message: `Stack overflow error. Depth=${open.length} max=${maxDepth}` };
  };
  return {
    enter(part, frame) {
      const around = siblings.get(part);
      const within = around && innermost(open, around, frame);
      if (!within || within === open.at(-1)) return begin({ part, frame }) as undefined;
      return new Promise((resolve, reject) => {
        const later = () => {
          try {
            resolve(begin({ part, frame }));
          } catch (error) {
            reject(error);
          }
        };
        waiting.push({ within, begin: later });
      });
    },
    leave() {
      open.pop();
      const next = waiting.findIndex(({ within }) => within === open.at(-1));
      if (next >= 0) waiting.splice(next, 1)[0]!.begin();
    },
  };
}

interface Evaluation {
  readonly part: Part;
  readonly frame: object;
}

/** The evaluation of an array or object that a part is evaluated in: the innermost with the same variables, or at all. */
const innermost = (open: readonly Evaluation[], around: Part, frame: object): Evaluation | undefined =>
  open.findLast((each) => each.part === around && each.frame === frame) ?? open.findLast(({ part }) => part === around);

function noteSiblings(node: unknown, siblings: Map<Part, Part>, seen: Set<unknown>): void {
  if (typeof node !== "object" || node === null || seen.has(node)) return;
  seen.add(node);
  const { type, value, expressions = [], lhs = [], group } = node as Node;
  if (type === "unary" && value === "[") for (const each of expressions) siblings.set(each, node);
  if (type === "unary" && value === "{") for (const [, member] of lhs) siblings.set(member, node);
  for (const [, member] of group?.lhs ?? []) siblings.set(member, node);
  for (const part of Object.values(node)) noteSiblings(part, siblings, seen);
}

/** What of JSONata's own tree is looked at. */
interface Node {
  readonly type?: string;
  readonly value?: unknown;
  readonly expressions?: readonly Part[];
  readonly lhs?: readonly (readonly [Part, Part])[];
  readonly group?: { readonly lhs: readonly (readonly [Part, Part])[] };
}
