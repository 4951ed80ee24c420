import type { Fuel } from "../../shapes/fuel.ts";
import type { Shape } from "../../shapes/shape.ts";
import type { Span } from "../../text/source.ts";

/** What an expression is looked at in: the shapes of the current value and of the variables. */
export interface Scope {
  readonly input: Shape;
  readonly variables: Shapes;
  /** Hears of what paths look for; absent while that is not settled. */
  readonly watch?: Watch | undefined;
  readonly fuel: Fuel;
}

/** Shapes by variable. What has none can be anything. */
export interface Shapes {
  get(name: string): Shape | undefined;
}

/** What is known of the outputs of an expression. */
export interface Outcome {
  /** All outputs are of this shape. */
  readonly shape: Shape;
  /** Whether it has an output for certain, where it does not fail. */
  readonly some: boolean;
}

/** Hears of each step of a path, in each context that it is evaluated in. */
export type Watch = (sighting: Sighting) => void;

/** One step of a path that a person wrote. */
export interface Sighting {
  /** Where it is written. */
  readonly span: Span;
  /** What it looks into. */
  readonly within: Shape;
  readonly step: string | number;
  /** Whether anything can be there. */
  readonly exists: boolean;
}

/** Variables with one more in front. */
export const withShape = (variables: Shapes, name: string, shape: Shape): Shapes => ({
  get: (wanted) => (wanted === name ? shape : variables.get(wanted)),
});

/** Exactly one output. */
export const one = (shape: Shape): Outcome => ({ shape, some: true });

/** Any number of outputs. */
export const several = (shape: Shape): Outcome => ({ shape, some: false });
