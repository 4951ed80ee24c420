import type { State } from "../../generated/composer-fsm-definition.ts";
import { assertNever } from "../../json.ts";

/** A stack entry: parameters, handler or variable. */
export type Frame =
  | { readonly kind: "params" }
  | { readonly kind: "catch"; readonly handler: string }
  | { readonly kind: "let"; readonly symbol: string };

/** A nonempty stack; equal stacks are identical. */
export interface Stack {
  readonly top: Frame;
  readonly below: Stack | undefined;
  readonly depth: number;
  readonly handled: HandledStack | undefined;
  readonly bound: BoundStack | undefined;
}

/** A stack with a handler on top. */
export type HandledStack = Stack & { readonly top: { readonly kind: "catch" } };

/** A stack with a variable on top. */
export type BoundStack = Stack & { readonly top: { readonly kind: "let" } };

/** Pushes a frame on a stack. */
export type PushFrame = (stack: Stack | undefined, frame: Frame) => Stack;

/** Creates a hash-consing `push`. */
export function createStacks(): PushFrame {
  const known = new Map<Stack | undefined, Map<string, Stack>>();
  return (below, frame) => {
    const above = known.get(below) ?? new Map<string, Stack>();
    known.set(below, above);
    const key = JSON.stringify(frame);
    const stack = above.get(key) ?? stackOf(frame, below);
    above.set(key, stack);
    return stack;
  };
}

function stackOf(top: Frame, below: Stack | undefined): Stack {
  const stack: { -readonly [key in keyof Stack]: Stack[key] } = {
    top,
    below,
    depth: (below?.depth ?? 0) + 1,
    handled: below?.handled,
    bound: below?.bound,
  };
  if (top.kind === "catch") stack.handled = stack as HandledStack;
  if (top.kind === "let") stack.bound = stack as BoundStack;
  return stack;
}

/** A pop of the wrong kind; `found` is undefined on an empty stack. */
export interface StackViolation {
  readonly kind: "violation";
  readonly wanted: Frame["kind"];
  readonly found: Frame["kind"] | undefined;
}

/** The stack after a state, or its violation. */
export type StackEffect = { readonly kind: "leaves"; readonly stack: Stack | undefined } | StackViolation;

/** The effect of a state on the stack, assuming success. */
export function effectOf(state: State, stack: Stack | undefined, push: PushFrame): StackEffect {
  switch (state.Type) {
    case "Pass":
    case "Task":
      return { kind: "leaves", stack };
    case "Push":
      return { kind: "leaves", stack: push(stack, { kind: "params" }) };
    case "Try":
      return { kind: "leaves", stack: push(stack, { kind: "catch", handler: state.Handler }) };
    case "Let":
      return { kind: "leaves", stack: push(stack, { kind: "let", symbol: state.Symbol }) };
    case "Pop":
    case "Choice":
      return pop(stack, "params");
    case "Catch":
      return pop(stack, "catch");
    case "End":
      return pop(stack, "let");
    default:
      return assertNever(state);
  }
}

function pop(stack: Stack | undefined, wanted: Frame["kind"]): StackEffect {
  if (stack?.top.kind === wanted) return { kind: "leaves", stack: stack.below };
  return { kind: "violation", wanted, found: stack?.top.kind };
}

/** The variables in scope; inner ones shadow outer ones. */
export function variablesOn(stack: Stack | undefined): ReadonlyMap<string, BoundStack> {
  const found = new Map<string, BoundStack>();
  for (let part = stack?.bound; part; part = part.below?.bound)
    if (!found.has(part.top.symbol)) found.set(part.top.symbol, part);
  return found;
}

/** Describes a stack: `parameters, the variable n`. */
export function describeStack(stack: Stack | undefined): string {
  const frames: string[] = [];
  for (let part = stack; part && frames.length < maxFramesShown; part = part.below)
    frames.push(describeFrame(part.top));
  if (stack && stack.depth > maxFramesShown) frames.push(`${stack.depth - maxFramesShown} more`);
  return frames.length === 0 ? "nothing" : frames.reverse().join(", ");
}

const maxFramesShown = 4;

function describeFrame(frame: Frame): string {
  switch (frame.kind) {
    case "params":
      return "parameters";
    case "catch":
      return `the handler \`${frame.handler}\``;
    case "let":
      return `the variable \`${frame.symbol}\``;
    default:
      return assertNever(frame);
  }
}

/** Describes a kind of frame: `a handler`. */
export const describeFrameKind = (kind: Frame["kind"]): string =>
  ({ params: "parameters", catch: "a handler", let: "a variable" })[kind];
