import { runtimeNames } from "../../../src/expressions/index.ts";
import type { Identifier, ImportDeclaration, TypeNode, TypeReferenceNode } from "../../../src/js-ast/index.ts";
import { js } from "../../../src/js-ast/index.ts";

/** The one module that emitted modules have the runtime from: a file beside them. */
export const runtimeModule = "./runtime.js";

/** The package that is the same, for programs that depend on it instead of having the file. */
export const runtimePackage = "waybill-runtime";

/** Imports of a program that has its runtime from `place`. */
export const importsWith = (place: string, imports: readonly ImportDeclaration[]): readonly ImportDeclaration[] =>
  imports.map((each) => (each.module === runtimeModule ? { ...each, module: place } : each));

/** What a function gives: `Answer<of>`. */
export const answerType = (of: TypeNode): TypeReferenceNode => js.type("Answer", [of], { module: runtimeModule });

/** Something of the workflow runtime, under another name where one is given. */
export const runtime = (name: string, local?: string): Identifier => js.imported(name, runtimeModule, local);

/** A type of the workflow runtime. */
export const runtimeType = (name: string): TypeReferenceNode => js.importedType(name, runtimeModule);

/** Any JSON value. */
export const jsonType: TypeReferenceNode = runtimeType("Json");

/** A function of the expressions' runtime. */
export const helper = (name: string): Identifier => runtime(helperWord(name));

/** The name under which a program knows a function of the expressions' runtime: some say more there than their own. */
export const helperWord = (helper: string): string => words[helper] ?? helper;

/** Whether a name is that of a function of the expressions' runtime. */
export const isHelperWord = (word: string): boolean => byWord.has(word);

/** The function of the expressions' runtime that a program knows by a name; undefined where there is none. */
export const helperOfWord = (word: string): string | undefined => byWord.get(word);

/** The type by which programs know a function of the expressions' runtime, where it is not its own. */
export const helperType = (helper: string): string | undefined => types[helper];

const words: { readonly [helper: string]: string } = {
  mergeJson: "merge",
  mergeResultJson: "mergeResult",
  mergeOutputJson: "mergeOutput",
  mergeEventJson: "mergeEvent",
  placeJson: "place",
  differenceJson: "difference",
  named: "memberOf",
  numbered: "elementOf",
  elements: "allElements",
  iterated: "elements",
  iteratedIf: "itemsOf",
  member: "get",
  memberIf: "getIf",
  errorOf: "evaluationError",
  limited: "firstOf",
  valueAt: "valueOf",
  valueIf: "valueOfIf",
};

const byWord: ReadonlyMap<string, string> = new Map(Array.from(runtimeNames, (helper) => [helperWord(helper), helper]));

const condition = "(value: Json | undefined, operand: Json) => boolean";

const trimming = "{ (text: string, end: Json): string; (value: Json, end: Json): Json }";

/** The types of those that programs know by more than they say themselves. `T` is the type of the value that is changed. */
const types: { readonly [helper: string]: string } = {
  mergeJson: "<T extends Json>(target: T, value: Json) => T",
  mergeResultJson: "<T extends Json>(target: T, value: Json, key: string) => T",
  mergeOutputJson: "<T extends Json>(state: T, output: Json) => T",
  mergeEventJson: "<T extends Json>(target: T, event: Json, key: Json, token: string) => T",
  placeJson: "<T extends Json>(target: T, path: readonly string[], value: Json) => T",
  withMember: "<T extends Json>(value: T, name: string, member: Json) => T",
  differenceJson: "(value: Json, base: Json) => Json",
  plus: "(left: Json, right: Json) => Json",
  minus: "(left: Json, right: Json) => Json",
  equalValues: "(left: Json, right: Json) => boolean",
  unequalValues: "(left: Json, right: Json) => boolean",
  isLess: "(left: Json, right: Json) => boolean",
  isLessOrEqual: "(left: Json, right: Json) => boolean",
  isGreater: "(left: Json, right: Json) => boolean",
  isGreaterOrEqual: "(left: Json, right: Json) => boolean",
  switchCondition: "(values: readonly Json[], operator: string, operand: Json) => boolean",
  equals: condition,
  notEquals: condition,
  isBelow: condition,
  isAtMost: condition,
  isAbove: condition,
  isAtLeast: condition,
  matches: condition,
  notMatches: condition,
  compareInCondition: "(left: readonly Json[], operator: string, right: readonly Json[]) => boolean",
  comparesNodes: "(left: readonly Json[], operator: string, right: readonly Json[]) => boolean",
  present: "<T>(value: T) => Exclude<T, undefined>[]",
  everything: "(value: Json) => readonly any[]",
  matchesNode: "(node: Json | undefined, pattern: Json | undefined, whole: boolean) => boolean",
  named: "(value: Json | undefined, name: string) => Json | undefined",
  numbered: "(value: Json | undefined, index: number) => Json | undefined",
  attributeOf: "(event: Json, name: string) => Json | undefined",
  errorData: "(error: object | Json) => Json",
  iterated: "(value: Json) => readonly any[]",
  iteratedIf: "(value: Json | undefined) => readonly any[]",
  elements: "(value: Json) => readonly any[]",
  listIn: "(value: Json, failure: Json) => readonly Json[]",
  isTrue: "(value: Json) => boolean",
  isFalse: "(value: Json) => boolean",
  raise: "(value: Json) => never",
  toText: "(value: Json) => string",
  text: "(value: Json) => string",
  join: "(values: Json, separator: Json) => string",
  trimPrefix: trimming,
  trimSuffix: trimming,
  trimBoth: trimming,
};
