import type { Json } from "../json.ts";
import { type Fuel, fuelOf, spend } from "./fuel.ts";
import { any, arrayOf, calculated, literal, never, nullShape, recordOf, type Shape } from "./shape.ts";
import { unite } from "./union.ts";

/** Deeper parts of values, and of shapes, are not looked at. */
const deepest = 24;

/** The shape of one value: exactly that value, but for arrays, and as long as it is not very large. */
export const shapeOfValue = (value: Json): Shape => valueShape(value, fuelOf(2_000), deepest);

function valueShape(value: Json, fuel: Fuel, depth: number): Shape {
  if (!spend(fuel) || depth === 0) return any;
  if (value === null) return nullShape;
  if (typeof value === "number") return Number.isFinite(value) ? literal(value) : calculated;
  if (typeof value !== "object") return literal(value);
  if (Array.isArray(value)) return arrayOf(elements(value, fuel, depth));
  return recordOf(Object.entries(value).map(([name, member]) => [name, valueShape(member as Json, fuel, depth - 1)]));
}

function elements(values: readonly Json[], fuel: Fuel, depth: number): Shape {
  if (values.length > fuel.left) return any;
  return values.length === 0
    ? never
    : unite(
        values.map((item) => valueShape(item, fuel, depth - 1)),
        fuelOf(2_000),
      );
}
