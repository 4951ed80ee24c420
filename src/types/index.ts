export { calculatedShape } from "./calculate.ts";
export { equalShapes, type Fuel, fixpoint, fuelOf, oneOf, settled, shapeOfValue, spend, union } from "./lattice.ts";
export {
  alternatives,
  childOf,
  elementOf,
  memberOf,
  objectsOf,
  trueOf,
  truthOf,
  truthShape,
  typeOfPart,
  typeOfShape,
  withinOf,
} from "./members.ts";
export { differenceShape, mergeResultShapes, mergeShapes, placeShape, withMember } from "./merge.ts";
export { definitionsOf, misfitOf, nounsOf, printDefinitions, printShape } from "./print.ts";
export { isSchema, shapeOfSchema } from "./schema.ts";
export { type SchemaReader, schemaReader } from "./schemas.ts";
export {
  any,
  anyArray,
  anyObject,
  arrayOf,
  boolean,
  calculated,
  type Definition,
  integer,
  isNever,
  type Member,
  never,
  nullShape,
  type ObjectShape,
  objectOf,
  type PlainShape,
  recordOf,
  type Shape,
  string,
} from "./type.ts";
