import type { Expression } from "jsonata";
import { maxDepth } from "../jsonata/nesting.ts";

/**
 * Tracks the depth of nested evaluations in one expression, counted as Step Functions does. JSONata in JavaScript
 * evaluates array elements and object members concurrently; here each waits for the one before it.
 */
export interface NestingTracker {
  /** Begins an evaluation, after earlier siblings. Fails if it is nested too deeply. */
  enter(part: AstNode, frame: object): Promise<void> | undefined;
  leave(): void;
}

/** A node of JSONata's syntax tree. */
export type AstNode = object;

/** Nodes evaluated concurrently, each with its array or object. */
export type Siblings = ReadonlyMap<AstNode, AstNode>;

/** The binding of an evaluation's tracker. No variable can have this name. */
export const nestingName = "evaluations around";

/** JSONata's code for an expression that is nested too deeply. */
export const tooDeep = "U1001";

/** Makes an expression report the start and end of evaluations. Returns its concurrent nodes. */
export function instrument(expression: Expression): Siblings {
  const assign = expression.assign as (name: unknown, value: unknown) => void;
  const nestingIn = (frame: JsonataFrame): NestingTracker => frame.lookup(nestingName);
  assign(Symbol.for("jsonata.__evaluate_entry"), (part: AstNode, _: unknown, frame: JsonataFrame) =>
    nestingIn(frame).enter(part, frame),
  );
  assign(Symbol.for("jsonata.__evaluate_exit"), (_part: AstNode, _: unknown, frame: JsonataFrame, result: unknown) => {
    nestingIn(frame).leave();
    // What Step Functions computes with such a number is not known.
    if (typeof result === "number" && !Number.isFinite(result)) throw { code: "D1001", value: String(result) };
  });
  const siblings = new Map<AstNode, AstNode>();
  collectSiblings(expression.ast(), siblings, new Set());
  return siblings;
}

interface JsonataFrame {
  lookup(name: string): NestingTracker;
}

/** Creates a tracker for one evaluation of an expression. */
export function createNestingTracker(siblings: Siblings): NestingTracker {
  const open: Evaluation[] = [];
  const waiting: { readonly within: Evaluation; readonly begin: () => void }[] = [];
  const begin = (evaluation: Evaluation): void => {
    if (open.push(evaluation) > maxDepth)
      throw { code: tooDeep, message: `Stack overflow error. Depth=${open.length} max=${maxDepth}` };
  };
  return {
    enter(part, frame) {
      const around = siblings.get(part);
      const within = around && innermostEvaluation(open, around, frame);
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
  readonly part: AstNode;
  readonly frame: object;
}

const innermostEvaluation = (open: readonly Evaluation[], around: AstNode, frame: object): Evaluation | undefined =>
  open.findLast((each) => each.part === around && each.frame === frame) ?? open.findLast(({ part }) => part === around);

function collectSiblings(node: unknown, siblings: Map<AstNode, AstNode>, seen: Set<unknown>): void {
  if (typeof node !== "object" || node === null || seen.has(node)) return;
  seen.add(node);
  const { type, value, expressions = [], lhs = [], group } = node as JsonataNode;
  if (type === "unary" && value === "[") for (const each of expressions) siblings.set(each, node);
  if (type === "unary" && value === "{") for (const [, member] of lhs) siblings.set(member, node);
  for (const [, member] of group?.lhs ?? []) siblings.set(member, node);
  for (const part of Object.values(node)) collectSiblings(part, siblings, seen);
}

interface JsonataNode {
  readonly type?: string;
  readonly value?: unknown;
  readonly expressions?: readonly AstNode[];
  readonly lhs?: readonly (readonly [AstNode, AstNode])[];
  readonly group?: { readonly lhs: readonly (readonly [AstNode, AstNode])[] };
}
