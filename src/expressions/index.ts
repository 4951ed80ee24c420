export { canFail, effectsOf, errorNameOf, freeVariables, isTotal, outputs } from "./analysis/effects.ts";
export { mayThrow } from "./analysis/may-throw.ts";
export { isDestructuring } from "./analysis/path-mode.ts";
export { minJsonBytes } from "./analysis/size.ts";
export { substitute, withInput } from "./analysis/substitute.ts";
export {
  inferType,
  inferTypeName,
  inferTypeWithin,
  type PathObserver,
  type PathStep,
  type TypeEnvironment,
  type VariableTypes,
  withVariable,
} from "./analysis/types.ts";
export { type Builtin, builtinOf, builtins, comparisonOf, negatedCondition } from "./builtins/builtins.ts";
export { numberOf, orderOf, timeOf } from "./builtins/dialect/conditions.ts";
export { dataMergeError, outputError } from "./builtins/dialect/data.ts";
export {
  isLargeRegexp,
  type RegexpMember,
  type RegexpPart,
  readRegexp,
  regexpSource,
} from "./builtins/dialect/jsonpath.ts";
export type {
  Access,
  Alternative,
  Apply,
  ArrayConstruction,
  Binary,
  Break,
  Call,
  Conditional,
  Define,
  Expression,
  Foreach,
  Interpolation,
  Iterate,
  Label,
  Let,
  Logic,
  ObjectConstruction,
  Pipe,
  Query,
  Recurse,
  Reduce,
  Segment,
  Selector,
  Try,
  Update,
} from "./core/ast.ts";
export {
  access,
  and,
  balanced,
  binary,
  bind,
  call,
  collect,
  comma,
  conditional,
  firstOr,
  foldBalanced,
  identity,
  literal,
  member,
  object,
  pipe,
  query,
  slice,
  variable,
} from "./core/build.ts";
export { equalExpressions } from "./core/equal.ts";
export { errorOf } from "./core/failure.ts";
export { printExpression } from "./core/print.ts";
export { sliceBounds } from "./core/views.ts";
export { childrenOf, withChildren } from "./core/walk.ts";
export { evaluate, evaluateAll, evaluateOne } from "./interpreter/evaluate.ts";
export {
  compileJavaScript,
  functionName,
  isRefusal,
  type JavaScriptProgram,
  operatorName,
  runtimeNames,
  runtimeParts,
  runtimeText,
  standaloneText,
} from "./js/index.ts";
export { EvaluationError } from "./library/failure.ts";
export { excerpt, toJson } from "./library/json-text.ts";
export { equalValues } from "./library/order.ts";
export type { RegexPattern } from "./library/regex.ts";
export { type JqTypeName, typeOf } from "./library/types.ts";
export { simplify } from "./simplify/simplify.ts";
export { type ConditionScope, parseCondition } from "./syntax/condition/conditions.ts";
export { alternativesOf, type EventAlternative, parseEvents } from "./syntax/condition/events.ts";
export type { ParseWarning } from "./syntax/condition/operands.ts";
export { conditionLanguageOf, conditionLanguages } from "./syntax/condition/tokens.ts";
export { isParseError, type ParseError } from "./syntax/cursor.ts";
export { type JqContext, readJq } from "./syntax/jq/lower.ts";
export type { NameError } from "./syntax/jq/names.ts";
export { type JsonPath, parseJsonPath } from "./syntax/jsonpath/jsonpath.ts";
export { patternError } from "./syntax/pattern.ts";
export { compileTemplate, type TemplateDiagnostic } from "./syntax/template.ts";
