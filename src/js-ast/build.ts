import { isObject, type Json } from "../json.ts";
import type {
  Block,
  ExportDeclaration,
  ExpressionStatement,
  ForOfStatement,
  FunctionDeclaration,
  IfStatement,
  JumpStatement,
  LabeledStatement,
  LineComment,
  ReturnStatement,
  Statement,
  ThrowStatement,
  TryStatement,
  VariableDeclaration,
  WhileStatement,
} from "./statements.ts";
import type {
  AssignmentExpression,
  BinaryExpression,
  BindingPattern,
  CallExpression,
  ConditionalExpression,
  FunctionExpression,
  FunctionSignature,
  Identifier,
  ImportSource,
  JsBinaryOperator,
  JsExpression,
  LiteralExpression,
  NewExpression,
  NonNullExpression,
  ObjectBindingPattern,
  ObjectLiteral,
  ObjectMember,
  ParameterDeclaration,
  Property,
  PropertyAccess,
  SpreadElement,
  TemplateLiteral,
  TypeAssertion,
  UnaryExpression,
} from "./tree.ts";
import type { TypeNode } from "./types.ts";

export * from "./build-types.ts";

/** `name` */
export const name = (text: string, from?: ImportSource): Identifier => ({ kind: "identifier", name: text, from });

/** A value of a module, imported as `local`. */
export const imported = (exported: string, module: string, local = exported): Identifier =>
  name(local, exported === local ? { module } : { module, exported });

/** All exports of a module: `import * as name from "module"` */
export const importedNamespace = (local: string, module: string): Identifier => name(local, { module, exported: "*" });

/** `"text"`, `1`, `true`, `null` */
export const literal = (value: LiteralExpression["value"]): LiteralExpression => ({ kind: "literal", value });

/** `undefined` */
export const undefinedName: Identifier = name("undefined");

/** A JSON value: `{ a: [1, "b"] }`. */
export function value(json: Json): JsExpression {
  if (Array.isArray(json)) return array((json as readonly Json[]).map(value));
  if (!isObject(json)) return literal(json as LiteralExpression["value"]);
  return object(Object.keys(json).map((key) => property(key, value(json[key]!))));
}

/** `` `text ${expression}` `` */
export const template = (parts: readonly (string | JsExpression)[]): TemplateLiteral => ({ kind: "template", parts });

/** `[a, b]` */
export const array = (elements: readonly JsExpression[]): JsExpression => ({ kind: "array", elements });

/** `{ a: 1, ...b }` */
export const object = (members: readonly ObjectMember[]): ObjectLiteral => ({ kind: "object", members });

/** An object literal of the defined members. */
export const record = (members: { readonly [name: string]: JsExpression | undefined }): ObjectLiteral =>
  object(Object.entries(members).flatMap(([key, each]) => (each === undefined ? [] : [property(key, each)])));

/** `key: value`, `[key]: value` */
export const property = (key: string | JsExpression, each: JsExpression, doc?: string): Property => ({
  kind: "property",
  key,
  value: each,
  doc,
});

/** `...operand` */
export const spread = (operand: JsExpression): SpreadElement => ({ kind: "spread", operand });

/** `object.name` */
export const member = (of: JsExpression, text: string): PropertyAccess => ({
  kind: "member",
  object: of,
  name: text,
  optional: false,
});

/** `object?.name` */
export const optionalMember = (of: JsExpression, text: string): PropertyAccess => ({
  ...member(of, text),
  optional: true,
});

/** `object[index]` */
export const element = (of: JsExpression, index: JsExpression, optional = false): JsExpression => ({
  kind: "element",
  object: of,
  index,
  optional,
});

/** `callee(args)`; a string is a name. */
export const call = (
  callee: JsExpression | string,
  args: readonly JsExpression[] = [],
  types: readonly TypeNode[] = [],
): CallExpression => ({
  kind: "call",
  callee: typeof callee === "string" ? name(callee) : callee,
  types,
  args,
  optional: false,
});

/** `object.name(args)` */
export const method = (of: JsExpression, text: string, args: readonly JsExpression[] = []): CallExpression =>
  call(member(of, text), args);

/** `new callee(args)` */
export const newExpression = (callee: JsExpression | string, args: readonly JsExpression[] = []): NewExpression => ({
  kind: "new",
  callee: typeof callee === "string" ? name(callee) : callee,
  types: [],
  args,
});

/** Further properties of a function. */
export type FunctionOptions = Partial<Pick<FunctionSignature, "async" | "generator" | "returns" | "typeParameters">>;

/** `(parameters) => body` */
export const arrow = (
  parameters: readonly (ParameterDeclaration | string)[],
  body: JsExpression | Block,
  options: FunctionOptions = {},
): FunctionExpression => ({ kind: "function", style: "arrow", ...signature(parameters, options), body });

/** `function (parameters) { body }` */
export const functionExpression = (
  parameters: readonly (ParameterDeclaration | string)[],
  body: Block,
  options: FunctionOptions & { readonly name?: string } = {},
): FunctionExpression => ({
  kind: "function",
  style: "function",
  name: options.name,
  ...signature(parameters, options),
  body,
});

/** `function name(parameters) { body }` */
export const functionDeclaration = (
  text: string,
  parameters: readonly (ParameterDeclaration | string)[],
  body: Block,
  options: FunctionOptions & Pick<FunctionDeclaration, "exported" | "doc"> = {},
): FunctionDeclaration => ({
  kind: "functionDeclaration",
  name: text,
  ...signature(parameters, options),
  exported: options.exported,
  doc: options.doc,
  body,
});

function signature(
  parameters: readonly (ParameterDeclaration | string)[],
  options: FunctionOptions,
): FunctionSignature {
  return {
    async: options.async ?? false,
    generator: options.generator ?? false,
    typeParameters: options.typeParameters ?? [],
    parameters: parameters.map((each) => (typeof each === "string" ? parameter(each) : each)),
    returns: options.returns,
  };
}

/** `name: type` */
export const parameter = (
  target: BindingPattern | string,
  type?: TypeNode,
  options: Partial<Pick<ParameterDeclaration, "optional" | "rest" | "initial">> = {},
): ParameterDeclaration => ({
  kind: "parameter",
  target: patternOf(target),
  type,
  optional: options.optional ?? false,
  rest: options.rest ?? false,
  initial: options.initial,
});

/** `{ a, b }` */
export const membersPattern = (names: readonly string[]): ObjectBindingPattern => ({
  kind: "objectPattern",
  members: names.map((key) => ({ key, target: name(key) })),
});

const patternOf = (target: BindingPattern | string): BindingPattern =>
  typeof target === "string" ? name(target) : target;

/** `-operand` */
export const unary = (operator: UnaryExpression["operator"], operand: JsExpression): UnaryExpression => ({
  kind: "unary",
  operator,
  operand,
});

/** `left operator right` */
export const binary = (left: JsExpression, operator: JsBinaryOperator, right: JsExpression): BinaryExpression => ({
  kind: "binary",
  operator,
  left,
  right,
});

/** `a && b && c`; `true` if empty */
export const and = (...operands: readonly JsExpression[]): JsExpression => joinOperands("&&", operands, true);

/** `a || b || c`; `false` if empty. */
export const or = (...operands: readonly JsExpression[]): JsExpression => joinOperands("||", operands, false);

function joinOperands(
  operator: "&&" | "||",
  [first, ...rest]: readonly JsExpression[],
  neutral: boolean,
): JsExpression {
  return rest.reduce((left, right) => binary(left, operator, right), first ?? literal(neutral));
}

/** `condition ? then : otherwise` */
export const conditional = (
  condition: JsExpression,
  then: JsExpression,
  otherwise: JsExpression,
): ConditionalExpression => ({
  kind: "conditional",
  condition,
  then,
  otherwise,
});

/** `target = value` as an expression. */
export const assignment = (
  target: JsExpression | BindingPattern,
  to: JsExpression,
  operator: AssignmentExpression["operator"] = "=",
): AssignmentExpression => ({ kind: "assign", operator, target, value: to });

/** `await operand` */
export const awaitExpression = (operand: JsExpression): JsExpression => ({ kind: "await", operand });

/** `operand as type` */
export const as = (operand: JsExpression, type: TypeNode): TypeAssertion => ({
  kind: "assertion",
  operator: "as",
  operand,
  type,
});

/** `operand satisfies type` */
export const satisfies = (operand: JsExpression, type: TypeNode): TypeAssertion => ({
  kind: "assertion",
  operator: "satisfies",
  operand,
  type,
});

/** `operand!` */
export const nonNull = (operand: JsExpression): NonNullExpression => ({ kind: "nonNull", operand });

/** The optional properties of a variable declaration. */
export type VariableOptions = Partial<Pick<VariableDeclaration, "type" | "exported" | "doc" | "definite">>;

/** `const target = value;` */
export const constant = (
  target: BindingPattern | string,
  to: JsExpression,
  options: VariableOptions = {},
): VariableDeclaration => ({ kind: "variable", keyword: "const", target: patternOf(target), value: to, ...options });

/** `let target = value;` */
export const variable = (
  target: BindingPattern | string,
  to?: JsExpression,
  options: VariableOptions = {},
): VariableDeclaration => ({ kind: "variable", keyword: "let", target: patternOf(target), value: to, ...options });

/** `target = value;` */
export const assign = (
  target: JsExpression | BindingPattern | string,
  to: JsExpression,
  operator: AssignmentExpression["operator"] = "=",
): ExpressionStatement =>
  expressionStatement(assignment(typeof target === "string" ? name(target) : target, to, operator));

/** `expression;` */
export const expressionStatement = (expression: JsExpression): ExpressionStatement => ({
  kind: "expression",
  expression,
});

/** `if (test) { then } else { otherwise }` */
export const ifStatement = (test: JsExpression, then: Block, otherwise?: Block): IfStatement => ({
  kind: "if",
  test,
  then,
  otherwise,
});

/** `while (test) { body }` */
export const whileStatement = (test: JsExpression, body: Block): WhileStatement => ({ kind: "while", test, body });

/** `for (const target of values) { body }` */
export const forOf = (target: BindingPattern | string, values: JsExpression, body: Block): ForOfStatement => ({
  kind: "forOf",
  keyword: "const",
  target: patternOf(target),
  values,
  await: false,
  body,
});

/** `label: body` */
export const labeled = (label: string, body: Statement | Block): LabeledStatement => ({
  kind: "labeled",
  label,
  body: "kind" in body ? body : block(body),
});

/** `{ body }` */
export const block = (body: Block): Statement => ({ kind: "block", body });

/** `break label;` */
export const breakStatement = (label?: string): JumpStatement => ({ kind: "jump", keyword: "break", label });

/** `continue label;` */
export const continueStatement = (label?: string): JumpStatement => ({ kind: "jump", keyword: "continue", label });

/** `return value;` */
export const returnStatement = (result?: JsExpression): ReturnStatement => ({ kind: "return", value: result });

/** `throw value;` */
export const throwStatement = (error: JsExpression): ThrowStatement => ({ kind: "throw", value: error });

/** `try { body } catch (caught) { handler }` */
export const tryStatement = (
  body: Block,
  caught: BindingPattern | string | undefined,
  handler: Block,
): TryStatement => ({
  kind: "try",
  body,
  handler: { caught: caught === undefined ? undefined : patternOf(caught), body: handler },
});

/** `export { a, b } from "module";` */
export const exported = (names: readonly string[], module?: string): ExportDeclaration => ({
  kind: "export",
  names: names.map((each) => ({ name: each })),
  module,
});

/** `// text` */
export const comment = (text: string): LineComment => ({ kind: "comment", text });
