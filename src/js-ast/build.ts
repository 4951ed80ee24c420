import { isObject, type Json } from "../json.ts";
import type {
  Block,
  Comment,
  Export,
  ExpressionStatement,
  ForOf,
  FunctionDeclaration,
  If,
  Jump,
  Labelled,
  Return,
  Statement,
  Throw,
  Try,
  VariableDeclaration,
  While,
} from "./statements.ts";
import type {
  Assignment,
  Binary,
  BinaryOperator,
  Call,
  Conditional,
  Expression,
  FunctionExpression,
  Identifier,
  Literal,
  Member,
  New,
  NonNull,
  ObjectLiteral,
  ObjectPattern,
  Origin,
  Parameter,
  Pattern,
  Property,
  PropertyAccess,
  Signature,
  Spread,
  Template,
  TypeAssertion,
  Unary,
} from "./tree.ts";
import type { TypeNode } from "./types.ts";

export * from "./build-types.ts";

/** `name` */
export const name = (text: string, from?: Origin): Identifier => ({ kind: "identifier", name: text, from });

/** A name that a module exports, by which it is imported: `local` where that is to be another one. */
export const imported = (exported: string, module: string, local = exported): Identifier =>
  name(local, exported === local ? { module } : { module, exported });

/** `"text"`, `1`, `true`, `null` */
export const literal = (value: Literal["value"]): Literal => ({ kind: "literal", value });

/** `undefined` */
export const nothing: Identifier = name("undefined");

/** A value of JSON: `{ a: [1, "b"] }`. */
export function value(json: Json): Expression {
  if (Array.isArray(json)) return array((json as readonly Json[]).map(value));
  if (!isObject(json)) return literal(json as Literal["value"]);
  return object(Object.keys(json).map((key) => property(key, value(json[key]!))));
}

/** `` `text ${expression}` `` */
export const template = (parts: readonly (string | Expression)[]): Template => ({ kind: "template", parts });

/** `[a, b]` */
export const array = (elements: readonly Expression[]): Expression => ({ kind: "array", elements });

/** `{ a: 1, ...b }` */
export const object = (members: readonly Member[]): ObjectLiteral => ({ kind: "object", members });

/** The same with members by their names; undefined ones are left out. */
export const record = (members: { readonly [name: string]: Expression | undefined }): ObjectLiteral =>
  object(Object.entries(members).flatMap(([key, each]) => (each === undefined ? [] : [property(key, each)])));

/** `key: value`, `[key]: value` */
export const property = (key: string | Expression, each: Expression, doc?: string): Property => ({
  kind: "property",
  key,
  value: each,
  doc,
});

/** `...operand` */
export const spread = (operand: Expression): Spread => ({ kind: "spread", operand });

/** `object.name` */
export const member = (of: Expression, text: string): PropertyAccess => ({
  kind: "member",
  object: of,
  name: text,
  optional: false,
});

/** `object?.name` */
export const optionalMember = (of: Expression, text: string): PropertyAccess => ({
  ...member(of, text),
  optional: true,
});

/** `object[index]` */
export const element = (of: Expression, index: Expression, optional = false): Expression => ({
  kind: "element",
  object: of,
  index,
  optional,
});

/** `callee(args)`; a text is a name. */
export const call = (
  callee: Expression | string,
  args: readonly Expression[] = [],
  types: readonly TypeNode[] = [],
): Call => ({
  kind: "call",
  callee: typeof callee === "string" ? name(callee) : callee,
  types,
  args,
  optional: false,
});

/** `object.name(args)` */
export const method = (of: Expression, text: string, args: readonly Expression[] = []): Call =>
  call(member(of, text), args);

/** `new callee(args)` */
export const construct = (callee: Expression | string, args: readonly Expression[] = []): New => ({
  kind: "new",
  callee: typeof callee === "string" ? name(callee) : callee,
  types: [],
  args,
});

/** What a function is, but for its parameters and its body. */
export type FunctionOptions = Partial<Pick<Signature, "async" | "generator" | "returns" | "typeParameters">>;

/** `(parameters) => body` */
export const arrow = (
  parameters: readonly (Parameter | string)[],
  body: Expression | Block,
  options: FunctionOptions = {},
): FunctionExpression => ({ kind: "function", style: "arrow", ...signature(parameters, options), body });

/** `function (parameters) { body }` */
export const functionExpression = (
  parameters: readonly (Parameter | string)[],
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
  parameters: readonly (Parameter | string)[],
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

function signature(parameters: readonly (Parameter | string)[], options: FunctionOptions): Signature {
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
  target: Pattern | string,
  type?: TypeNode,
  options: Partial<Pick<Parameter, "optional" | "rest" | "initial">> = {},
): Parameter => ({
  kind: "parameter",
  target: patternOf(target),
  type,
  optional: options.optional ?? false,
  rest: options.rest ?? false,
  initial: options.initial,
});

/** `{ a, b }`, taken apart into variables of the same names. */
export const membersPattern = (names: readonly string[]): ObjectPattern => ({
  kind: "objectPattern",
  members: names.map((key) => ({ key, target: name(key) })),
});

const patternOf = (target: Pattern | string): Pattern => (typeof target === "string" ? name(target) : target);

/** `-operand` */
export const unary = (operator: Unary["operator"], operand: Expression): Unary => ({
  kind: "unary",
  operator,
  operand,
});

/** `left operator right` */
export const binary = (left: Expression, operator: BinaryOperator, right: Expression): Binary => ({
  kind: "binary",
  operator,
  left,
  right,
});

/** `a && b && c`; `true` of none. */
export const and = (...operands: readonly Expression[]): Expression => joined("&&", operands, true);

/** `a || b || c`; `false` of none. */
export const or = (...operands: readonly Expression[]): Expression => joined("||", operands, false);

function joined(operator: "&&" | "||", [first, ...rest]: readonly Expression[], neutral: boolean): Expression {
  return rest.reduce((left, right) => binary(left, operator, right), first ?? literal(neutral));
}

/** `condition ? then : otherwise` */
export const conditional = (condition: Expression, then: Expression, otherwise: Expression): Conditional => ({
  kind: "conditional",
  condition,
  then,
  otherwise,
});

/** `target = value`, as an expression. */
export const assignment = (
  target: Expression | Pattern,
  to: Expression,
  operator: Assignment["operator"] = "=",
): Assignment => ({ kind: "assign", operator, target, value: to });

/** `await operand` */
export const awaited = (operand: Expression): Expression => ({ kind: "await", operand });

/** `operand as type` */
export const as = (operand: Expression, type: TypeNode): TypeAssertion => ({
  kind: "assertion",
  operator: "as",
  operand,
  type,
});

/** `operand satisfies type` */
export const satisfies = (operand: Expression, type: TypeNode): TypeAssertion => ({
  kind: "assertion",
  operator: "satisfies",
  operand,
  type,
});

/** `operand!` */
export const nonNull = (operand: Expression): NonNull => ({ kind: "nonNull", operand });

/** What a declaration of a variable has besides. */
export type VariableOptions = Partial<Pick<VariableDeclaration, "type" | "exported" | "doc" | "definite">>;

/** `const target = value;` */
export const constant = (
  target: Pattern | string,
  to: Expression,
  options: VariableOptions = {},
): VariableDeclaration => ({ kind: "variable", keyword: "const", target: patternOf(target), value: to, ...options });

/** `let target = value;` */
export const variable = (
  target: Pattern | string,
  to?: Expression,
  options: VariableOptions = {},
): VariableDeclaration => ({ kind: "variable", keyword: "let", target: patternOf(target), value: to, ...options });

/** `target = value;` */
export const assign = (
  target: Expression | Pattern | string,
  to: Expression,
  operator: Assignment["operator"] = "=",
): ExpressionStatement => statement(assignment(typeof target === "string" ? name(target) : target, to, operator));

/** `expression;` */
export const statement = (expression: Expression): ExpressionStatement => ({ kind: "expression", expression });

/** `if (test) { then } else { otherwise }` */
export const when = (test: Expression, then: Block, otherwise?: Block): If => ({ kind: "if", test, then, otherwise });

/** `while (test) { body }` */
export const whileLoop = (test: Expression, body: Block): While => ({ kind: "while", test, body });

/** `for (const target of values) { body }` */
export const forOf = (target: Pattern | string, values: Expression, body: Block): ForOf => ({
  kind: "forOf",
  keyword: "const",
  target: patternOf(target),
  values,
  await: false,
  body,
});

/** `label: body`; a list is a block. */
export const labelled = (label: string, body: Statement | Block): Labelled => ({
  kind: "labelled",
  label,
  body: "kind" in body ? body : block(body),
});

/** `{ body }` */
export const block = (body: Block): Statement => ({ kind: "block", body });

/** `break label;` */
export const leave = (label?: string): Jump => ({ kind: "jump", keyword: "break", label });

/** `continue label;` */
export const again = (label?: string): Jump => ({ kind: "jump", keyword: "continue", label });

/** `return value;` */
export const give = (result?: Expression): Return => ({ kind: "return", value: result });

/** `throw value;` */
export const raise = (error: Expression): Throw => ({ kind: "throw", value: error });

/** `try { body } catch (caught) { handler }` */
export const attempt = (body: Block, caught: Pattern | string | undefined, handler: Block): Try => ({
  kind: "try",
  body,
  handler: { caught: caught === undefined ? undefined : patternOf(caught), body: handler },
});

/** `export { a, b } from "module";` */
export const exported = (names: readonly string[], module?: string): Export => ({
  kind: "export",
  names: names.map((each) => ({ name: each })),
  module,
});

/** `// text` */
export const comment = (text: string): Comment => ({ kind: "comment", text });
