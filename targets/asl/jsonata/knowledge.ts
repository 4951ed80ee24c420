import { type Expression, factsOf, shapeWithin, type TypeName } from "../../../src/expressions/index.ts";
import { alternatives } from "../../../src/shapes/members.ts";
import type { PlainShape, Shape } from "../../../src/shapes/shape.ts";
import type { Printer } from "./context.ts";

/** What is known of the variables of an expression, whatever the input of a run is. */
export interface Knowledge {
  /** Whether a variable surely holds a whole number far from the largest. */
  readonly isCount: (variable: string) => boolean;
  /** The shapes of variables; those that have none can hold anything. */
  readonly shapes: ReadonlyMap<string, Shape>;
}

/** Nothing is known. */
export const nothingKnown: Knowledge = { isCount: () => false, shapes: new Map() };

/** The shape of all values that an expression gives where it is printed: `$states.input.error` → an object with `name` and `message`. */
export const shapeIn = (expression: Expression, { bound, knowledge, dotShape }: Printer): Shape =>
  shapeWithin(expression, {
    input: dotShape,
    variables: { get: (name) => bound.get(name)?.shape ?? knowledge.shapes.get(name) },
  });

/** The type of all values that an expression gives where it is printed, if it is always the same. */
export const typeIn = (expression: Expression, printer: Printer): TypeName | undefined =>
  factsOf(expression).type ?? onlyType(shapeIn(expression, printer));

/** Whether all values of a shape are of a type. */
export const isAlways = (shape: Shape, type: TypeName): boolean => onlyType(shape) === type;

/** Whether some value of a shape may be of a type. */
export const mayBe = (shape: Shape, type: TypeName): boolean =>
  alternatives(shape).some((part) => typeOf(part) === type);

function onlyType(shape: Shape): TypeName | undefined {
  const [type, ...others] = new Set(alternatives(shape).map(typeOf));
  return others.length === 0 ? type : undefined;
}

const typeOf = (part: PlainShape): TypeName => (part.kind === "literal" ? (typeof part.value as TypeName) : part.kind);
