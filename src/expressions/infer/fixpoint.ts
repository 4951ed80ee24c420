import { equalShapes } from "../../shapes/equal.ts";
import { any, type Shape } from "../../shapes/shape.ts";
import { union } from "../../shapes/union.ts";

/** How often something is tried to be made larger before it can be anything. */
const patience = 4;

/** A shape that has `start` and all that `step` makes of it. */
export function fixpoint(start: Shape, step: (shape: Shape) => Shape): Shape {
  let shape = start;
  for (let i = 0; i < patience; i++) {
    const next = union(shape, step(shape));
    if (equalShapes(next, shape)) return shape;
    shape = next;
  }
  return any;
}
