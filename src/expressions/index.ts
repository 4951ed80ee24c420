export { canFail, containsKind, effectsOf, errorNameOf, freeVariables, isTotal, outputs } from "./analysis/effects.ts";
export { mayBeInfinite, toFiniteValues } from "./analysis/finite-values.ts";
export { narrowedTypes } from "./analysis/narrowing.ts";
export { isDestructuring } from "./analysis/path-mode.ts";
export { minJsonBytes, spanOfLargePart } from "./analysis/size.ts";
export { substitute, withInput } from "./analysis/substitute.ts";
export { textParts } from "./analysis/text-parts.ts";
export {
  inferType,
  inferTypeName,
  inferTypeWithin,
  mayThrow,
  type PathObserver,
  type PathStep,
  type TypeEnvironment,
  type VariableTypes,
  withVariable,
} from "./analysis/types.ts";
export { type Builtin, builtinOf, builtins, comparisonOf, negatedCondition } from "./builtins/builtins.ts";
export { numberOf, orderOf, timeOf } from "./builtins/dialect/conditions.ts";
export { dataMergeError, outputError } from "./builtins/dialect/data.ts";
export type {
  Access,
  Alternative,
  ArrayConstruction,
  Binary,
  Break,
  Call,
  Conditional,
  Define,
  Dialect,
  DialectProgram,
  Expression,
  Fold,
  Form,
  Iterate,
  Label,
  Let,
  Logic,
  ObjectConstruction,
  Pipe,
  Query,
  Recurse,
  Segment,
  Selector,
  Try,
  Update,
} from "./core/ast.ts";
export {
  access,
  alternative,
  and,
  balanced,
  binary,
  bind,
  call,
  callLocal,
  collect,
  comma,
  concatenate,
  conditional,
  firstOr,
  foldBalanced,
  foreach,
  identity,
  iterate,
  literal,
  member,
  object,
  or,
  pipe,
  query,
  recurse,
  reduce,
  slice,
  update,
  variable,
} from "./core/build.ts";
export { dateDescriptor } from "./core/dates.ts";
export { lowerDialect } from "./core/dialect.ts";
export { equalExpressions } from "./core/equal.ts";
export { errorOf } from "./core/failure.ts";
export { printExpression } from "./core/print.ts";
export { formOf, isAlternative, isBinary, isLogic, isUpdate, readsInput, sliceBounds } from "./core/views.ts";
export { childrenOf, withChildren } from "./core/walk.ts";
export { evaluate, evaluateAll, evaluateOne } from "./interpreter/evaluate.ts";
export {
  type JsonataType,
  jsonataDocumentReads,
  jsonataFreeVariables,
  jsonataMayFail,
  jsonataType,
  jsonataYieldsNothing,
} from "./jsonata/analysis.ts";
export { statesJsonata, statesProgram } from "./jsonata/dialect.ts";
export { type RiskyDivision, riskyDivisions } from "./jsonata/divisions.ts";
export {
  type CompiledJsonata,
  compileJsonata,
  type JsonataContext,
  type JsonataProblem,
  type JsonataResult,
} from "./jsonata/evaluate.ts";
export { drawnCalls, readsTime, statesReads } from "./jsonata/states-reads.ts";
export { BoundedRegExp } from "./jsonata-evaluator/bounded-regexp.ts";
export { seededRandom } from "./jsonata-evaluator/java-random.ts";
export { defaultJsonataLimits, type JsonataLimits } from "./jsonata-evaluator/run.ts";
export { queryEvaluationError } from "./jsonata-functions/query.ts";
export { createSearcher } from "./library/backtracking.ts";
export { EvaluationError } from "./library/failure.ts";
export { isLargeRegexp, regexpSource } from "./library/iregexp.ts";
export { excerpt, toJson } from "./library/json-text.ts";
export { equalValues } from "./library/order.ts";
export type { RegexPattern } from "./library/regex.ts";
export { schemaViolation } from "./library/schema.ts";
export { type JqTypeName, typeOf } from "./library/types.ts";
export { simplify } from "./simplify/simplify.ts";
export { parseCondition } from "./syntax/condition/conditions.ts";
export { alternativesOf, type EventAlternative, parseEvents } from "./syntax/condition/events.ts";
export { conditionLanguageOf, conditionLanguages } from "./syntax/condition/languages.ts";
export type { ConditionScope, ParseWarning } from "./syntax/condition/reader.ts";
export { isParseError, type ParseError } from "./syntax/cursor.ts";
export { type JqContext, readJq } from "./syntax/jq/lower.ts";
export type { NameError } from "./syntax/jq/names.ts";
export { parseJq } from "./syntax/jq/parse.ts";
export type { Jq } from "./syntax/jq/syntax.ts";
export { childrenOf as jqChildren } from "./syntax/jq/walk.ts";
export { parseJsonata } from "./syntax/jsonata/parse.ts";
export { statesFunctions } from "./syntax/jsonata/states-functions.ts";
export type { Jsonata } from "./syntax/jsonata/syntax.ts";
export { childrenOf as jsonataChildren } from "./syntax/jsonata/walk.ts";
export { type JsonPath, parseJsonPath } from "./syntax/jsonpath/jsonpath.ts";
export { type JavaDifference, javaDifferences, javaOnlySyntax } from "./syntax/regex/java.ts";
export { portableRegex } from "./syntax/regex/portable.ts";
export { translatePattern } from "./syntax/regex/translate.ts";
export { compileTemplate, type TemplateDiagnostic } from "./syntax/template.ts";
export { expandUri, uriTemplateNames } from "./syntax/uri-template.ts";
