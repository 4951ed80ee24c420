import { runtimeNames } from "../../../src/expressions/js/index.ts";
import { queryNames } from "../../../src/generated/query-names.js";
import type { Identifier, ImportDeclaration, TypeNode, TypeReferenceNode } from "../../../src/js-ast/index.ts";
import { js } from "../../../src/js-ast/index.ts";

/** The runtime module that generated modules import. */
export const runtimeModule = "./runtime.js";

/** The same as a package. */
export const runtimePackage = "waybill-runtime";

/** Imports the runtime from another module. */
export const redirectRuntimeImports = (
  module: string,
  imports: readonly ImportDeclaration[],
): readonly ImportDeclaration[] => imports.map((each) => (each.module === runtimeModule ? { ...each, module } : each));

/** The result type of a function: `Answer<of>`. */
export const functionResultType = (of: TypeNode): TypeReferenceNode =>
  js.type("Answer", [of], { module: runtimeModule });

/** A value of the runtime. */
export const runtime = (name: string, local?: string): Identifier => js.imported(name, runtimeModule, local);

/** A type of the runtime. */
export const runtimeType = (name: string): TypeReferenceNode => js.importedType(name, runtimeModule);

/** Any JSON value. */
export const jsonType: TypeReferenceNode = runtimeType("Json");

/** `Json | undefined` */
export const optionalJson: TypeNode = js.union([jsonType, js.keyword("undefined")]);

/** The module with the evaluator of JSONata, for programs that call it. */
export const jsonataModule = "./jsonata.js";

/** The module with the functions of JSONata, for programs that call some. */
export const queryModule = "./query.js";

/** A function of the expression runtime. */
export function helper(name: string): Identifier {
  if (name === "evaluateJsonata") return js.imported(name, jsonataModule);
  return queryFunctions.has(name) ? js.imported(name, queryModule) : runtime(helperAlias(name));
}

const queryFunctions: ReadonlySet<string> = new Set(queryNames);

/** The name of an expression function in generated programs. */
export const helperAlias = (helper: string): string => aliases[helper] ?? helper;

/** Whether it names an expression function. */
export const isHelperAlias = (name: string): boolean => helpersByAlias.has(name);

/** The expression function with this alias. */
export const helperOfAlias = (name: string): string | undefined => helpersByAlias.get(name);

/** The type of an expression function, if more precise than declared. */
export const helperType = (helper: string): string | undefined => helperTypes[helper];

const aliases: { readonly [helper: string]: string } = {
  mergeJson: "merge",
  combineJson: "combine",
  mergeResultJson: "mergeResult",
  mergeOutputJson: "mergeOutput",
  mergeEventJson: "mergeEvent",
  assignJson: "assign",
  assignResultJson: "assignResult",
  assignEventJson: "assignEvent",
  placeJson: "place",
  omitJson: "omit",
  differenceJson: "difference",
  member: "get",
  memberIf: "getIf",
  errorOf: "evaluationError",
  valueAt: "valueOf",
  valueIf: "valueOfIf",
};

const helpersByAlias: ReadonlyMap<string, string> = new Map(
  Array.from(runtimeNames, (helper) => [helperAlias(helper), helper]),
);

const conditionType = "(value: Json | undefined, operand: Json) => boolean";

const nodesComparison =
  "(left: readonly (Json | undefined)[], operator: string, right: readonly (Json | undefined)[]) => boolean";

const trimType = "{ (text: string, end: Json): string; (value: Json, end: Json): Json }";

/** `T` is the type of the updated value. */
const helperTypes: { readonly [helper: string]: string } = {
  mergeJson: "<T extends Json>(target: T, value: Json) => T",
  combineJson: "<T extends Json>(target: T, value: Json, arrays: Json) => T",
  mergeResultJson: "<T extends Json>(target: T, value: Json, key: Json) => T",
  mergeOutputJson: "<T extends Json>(state: T, output: Json) => T",
  mergeEventJson: "<T extends Json>(target: T, event: Json, key: Json, token: Json) => T",
  assignJson: "<T extends Json>(target: T, value: Json) => T",
  assignResultJson: "<T extends Json>(target: T, value: Json, key: Json) => T",
  assignEventJson: "<T extends Json>(target: T, event: Json, key: Json, token: Json) => T",
  assignMember: "<T extends Json>(target: T, name: string, value: Json) => T",
  omitJson: "<T extends Json>(value: T, names: Json) => T",
  placeJson: "<T extends Json>(target: T, path: Json, value: Json) => T",
  withMember: "<T extends Json>(value: T, name: string, member: Json) => T",
  differenceJson: "(value: Json, base: Json) => Json",
  toFinite: "<T extends Json>(value: T) => T",
  plus: "(left: Json, right: Json) => Json",
  minus: "(left: Json, right: Json) => Json",
  equalValues: "(left: Json, right: Json) => boolean",
  unequalValues: "(left: Json, right: Json) => boolean",
  isLess: "(left: Json, right: Json) => boolean",
  isLessOrEqual: "(left: Json, right: Json) => boolean",
  isGreater: "(left: Json, right: Json) => boolean",
  isGreaterOrEqual: "(left: Json, right: Json) => boolean",
  switchCondition: "(values: readonly Json[], operator: string, operand: Json) => boolean",
  equals: conditionType,
  notEquals: conditionType,
  isBelow: conditionType,
  isAtMost: conditionType,
  isAbove: conditionType,
  isAtLeast: conditionType,
  matches: conditionType,
  notMatches: conditionType,
  compareInCondition: nodesComparison,
  comparesNodes: nodesComparison,
  withDefault: "<T, U>(value: T, fallback: U) => Exclude<T, undefined> | U",
  required: "<T>(value: T, failure: Json) => Exclude<T, undefined>",
  present: "<T>(value: T) => Exclude<T, undefined>[]",
  everywhere: "(value: Json, path: readonly Json[] | undefined) => readonly (readonly [Json, any])[]",
  everything: "(value: Json) => readonly any[]",
  matchesNode: "(node: Json | undefined, pattern: Json | undefined, whole: boolean) => boolean",
  memberOf: "(value: Json | undefined, name: string) => Json | undefined",
  elementOf: "(value: Json | undefined, index: number) => Json | undefined",
  attributeOf: "(event: Json, name: Json) => Json | undefined",
  errorData: "(error: object | Json) => Json",
  elementsOf: "(value: Json) => readonly any[]",
  itemsOf: "(value: Json | undefined) => readonly any[]",
  elements: "(value: Json) => readonly any[]",
  listIn: "(value: Json, failure: Json) => readonly Json[]",
  isTrue: "(value: Json) => boolean",
  isFalse: "(value: Json) => boolean",
  raise: "(value: Json) => never",
  toText: "(value: Json) => string",
  text: "(value: Json) => string",
  join: "(values: Json, separator: Json) => string",
  trimPrefix: trimType,
  trimSuffix: trimType,
  trimBoth: trimType,
};
