export { typeOfNumbers, typeOfOperation } from "./calculate.ts";
export { findMisfit, type Misfit } from "./fit.ts";
export {
  equalTypes,
  type Fuel,
  fixpoint,
  fuelOf,
  intersection,
  oneOf,
  spend,
  storedType,
  typeOfValue,
  union,
} from "./lattice.ts";
export { deletePathType, setPathType, typeAtPath } from "./member-paths.ts";
export {
  alternatives,
  childOf,
  descendantOf,
  elementOf,
  memberOf,
  objectsOf,
  plainTypeName,
  truthOf,
  truthyOf,
  typeNameOf,
  typeOfTruth,
} from "./members.ts";
export { assignType, differenceType, mergeResultTypes, mergeTypes, placeType, withMember } from "./merge.ts";
export { definitionsOf, findMismatch, nounsOf, printDefinitions, printType } from "./print.ts";
export { typeOfRules } from "./rules-type.ts";
export { isSchema, typeOfSchema } from "./schema.ts";
export { type SchemaRules, schemaRules } from "./schema-rules.ts";
export { type SchemaReader, schemaReader } from "./schemas.ts";
export {
  any,
  anyArray,
  anyNumber,
  anyObject,
  arrayOf,
  boolean,
  integer,
  isNever,
  literal,
  type MemberType,
  never,
  nullType,
  number,
  type ObjectType,
  objectOf,
  type PlainType,
  possiblyEmpty,
  recordOf,
  string,
  type Type,
  type TypeDefinition,
} from "./type.ts";
