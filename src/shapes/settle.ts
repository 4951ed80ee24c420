import { type Fuel, fuelOf, spend } from "./fuel.ts";
import { any, integer, type Member, nullShape, number, type ObjectShape, objectOf, type Shape } from "./shape.ts";
import { unite } from "./union.ts";

/** Deeper parts of a shape are not kept. */
const deepest = 24;

/**
 * The shape of values outside of the expression that gives them: infinite numbers are then finite, and what is no number is null. It is as large as the
 * shapes of variables may become: what is deeper, or too much, can be any value.
 */
export const settled = (shape: Shape): Shape => settle(shape, fuelOf(3_000), deepest);

function settle(shape: Shape, fuel: Fuel, depth: number): Shape {
  if (!spend(fuel) || depth === 0) return any;
  switch (shape.kind) {
    case "number": {
      if (shape.beyond === undefined) return shape;
      const finite = shape.integer ? integer : number;
      return shape.beyond === "nan" ? { kind: "union", of: [nullShape, finite] } : finite;
    }
    case "array": {
      const items = settle(shape.items, fuel, depth - 1);
      return items === shape.items ? shape : { ...shape, items };
    }
    case "object":
      return settledObject(shape, fuel, depth);
    case "union": {
      const of = shape.of.map((part) => settle(part, fuel, depth));
      return of.every((part, i) => part === shape.of[i]) ? shape : unite(of, fuel);
    }
    default:
      return shape;
  }
}

function settledObject(object: ObjectShape, fuel: Fuel, depth: number): Shape {
  const members = new Map<string, Member>();
  let isSame = true;
  for (const [name, member] of object.members) {
    const shape = settle(member.shape, fuel, depth - 1);
    isSame &&= shape === member.shape;
    members.set(name, shape === member.shape ? member : { ...member, shape });
  }
  const rest = settle(object.rest, fuel, depth - 1);
  return isSame && rest === object.rest ? object : objectOf(members, rest, object.origin);
}
