import type { Block, Statement } from "./statements.ts";
import type { TypeMember, TypeNode, TypeParameter } from "./types.ts";

/** The syntax tree of emitted JavaScript and TypeScript. Nodes cannot contain raw code. */
export type JsNode =
  | Statement
  | JsExpression
  | ObjectMember
  | BindingPattern
  | TypeNode
  | TypeMember
  | ParameterDeclaration;

/** An expression; the printer adds parentheses. */
export type JsExpression =
  | LiteralExpression
  | TemplateLiteral
  | RegexLiteral
  | Identifier
  | ArrayLiteral
  | ObjectLiteral
  | PropertyAccess
  | ElementAccess
  | CallExpression
  | NewExpression
  | FunctionExpression
  | UnaryExpression
  | BinaryExpression
  | ConditionalExpression
  | AssignmentExpression
  | AwaitExpression
  | YieldExpression
  | SpreadElement
  | TypeAssertion
  | NonNullExpression;

/** A string, number, Boolean or null, also `-0`, `NaN` and infinity. */
export interface LiteralExpression {
  readonly kind: "literal";
  readonly value: string | number | boolean | null;
}

/** A template literal. */
export interface TemplateLiteral {
  readonly kind: "template";
  readonly parts: readonly (string | JsExpression)[];
}

/** The arguments of `new RegExp(source, flags)`. */
export interface RegexLiteral {
  readonly kind: "regex";
  readonly source: string;
  readonly flags: string;
}

/** A name; `collectImports` declares its import. */
export interface Identifier {
  readonly kind: "identifier";
  readonly name: string;
  readonly from?: ImportSource | undefined;
}

/** The import of a name. */
export interface ImportSource {
  readonly module: string;
  readonly exported?: string | undefined;
}

/** `[a, ...b]` */
export interface ArrayLiteral {
  readonly kind: "array";
  readonly elements: readonly JsExpression[];
}

/** `{ a: 1, [b]: 2, ...c }` */
export interface ObjectLiteral {
  readonly kind: "object";
  readonly members: readonly ObjectMember[];
}

/** A member of an object literal. */
export type ObjectMember = Property | SpreadElement;

/** `name: value`, or a shorthand. */
export interface Property {
  readonly kind: "property";
  /** A string is literal, even `__proto__`; an expression is computed. */
  readonly key: string | JsExpression;
  readonly value: JsExpression;
  readonly doc?: string | undefined;
}

/** `object.name`; any string is a name. */
export interface PropertyAccess {
  readonly kind: "member";
  readonly object: JsExpression;
  readonly name: string;
  readonly optional: boolean;
}

/** `object[index]` */
export interface ElementAccess {
  readonly kind: "element";
  readonly object: JsExpression;
  readonly index: JsExpression;
  readonly optional: boolean;
}

/** `callee<types>(args)` */
export interface CallExpression {
  readonly kind: "call";
  readonly callee: JsExpression;
  readonly types: readonly TypeNode[];
  readonly args: readonly JsExpression[];
  readonly optional: boolean;
}

/** `new callee<types>(args)` */
export interface NewExpression {
  readonly kind: "new";
  readonly callee: JsExpression;
  readonly types: readonly TypeNode[];
  readonly args: readonly JsExpression[];
}

/** An arrow function or a function expression. */
export interface FunctionExpression extends FunctionSignature {
  readonly kind: "function";
  readonly style: "arrow" | "function";
  readonly name?: string | undefined;
  /** An expression is an arrow function's result. */
  readonly body: JsExpression | Block;
}

/** The members of functions. */
export interface FunctionSignature {
  readonly async: boolean;
  readonly generator: boolean;
  readonly typeParameters: readonly TypeParameter[];
  readonly parameters: readonly ParameterDeclaration[];
  readonly returns?: TypeNode | undefined;
}

/** `...name?: type = value` */
export interface ParameterDeclaration {
  readonly kind: "parameter";
  readonly target: BindingPattern;
  readonly type?: TypeNode | undefined;
  readonly optional: boolean;
  readonly rest: boolean;
  readonly initial?: JsExpression | undefined;
}

/** `-operand`, `typeof operand`, … */
export interface UnaryExpression {
  readonly kind: "unary";
  readonly operator: "!" | "-" | "+" | "~" | "typeof" | "void" | "delete";
  readonly operand: JsExpression;
}

/** A binary operation. */
export interface BinaryExpression {
  readonly kind: "binary";
  readonly operator: JsBinaryOperator;
  readonly left: JsExpression;
  readonly right: JsExpression;
}

/** The binary operators. */
export type JsBinaryOperator =
  | "??"
  | "||"
  | "&&"
  | "|"
  | "^"
  | "&"
  | "==="
  | "!=="
  | "=="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "in"
  | "instanceof"
  | "<<"
  | ">>"
  | ">>>"
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "**";

/** `condition ? then : otherwise` */
export interface ConditionalExpression {
  readonly kind: "conditional";
  readonly condition: JsExpression;
  readonly then: JsExpression;
  readonly otherwise: JsExpression;
}

/** `target = value`, `target += value`, … */
export interface AssignmentExpression {
  readonly kind: "assign";
  readonly operator: "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "??=" | "||=" | "&&=";
  readonly target: JsExpression | BindingPattern;
  readonly value: JsExpression;
}

/** `await operand` */
export interface AwaitExpression {
  readonly kind: "await";
  readonly operand: JsExpression;
}

/** `yield operand`; `yield* operand` with `delegates`. */
export interface YieldExpression {
  readonly kind: "yield";
  readonly operand?: JsExpression | undefined;
  readonly delegates: boolean;
}

/** `...operand` */
export interface SpreadElement {
  readonly kind: "spread";
  readonly operand: JsExpression;
}

/** `operand as type`, `operand satisfies type` */
export interface TypeAssertion {
  readonly kind: "assertion";
  readonly operator: "as" | "satisfies";
  readonly operand: JsExpression;
  readonly type: TypeNode;
}

/** `operand!` */
export interface NonNullExpression {
  readonly kind: "nonNull";
  readonly operand: JsExpression;
}

/** The target of a binding. */
export type BindingPattern = Identifier | ObjectBindingPattern | ArrayBindingPattern;

/** `{ key: target = initial, ...rest }` */
export interface ObjectBindingPattern {
  readonly kind: "objectPattern";
  readonly members: readonly BindingProperty[];
  readonly rest?: Identifier | undefined;
}

/** A property of an object pattern. */
export interface BindingProperty {
  readonly key: string;
  readonly target: BindingPattern;
  readonly initial?: JsExpression | undefined;
}

/** `[a, , b, ...rest]` */
export interface ArrayBindingPattern {
  readonly kind: "arrayPattern";
  /** Undefined skips an element. */
  readonly elements: readonly (BindingPattern | undefined)[];
  readonly rest?: Identifier | undefined;
}
