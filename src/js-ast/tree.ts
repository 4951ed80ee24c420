import type { Block, Statement } from "./statements.ts";
import type { TypeMember, TypeNode, TypeParameter } from "./types.ts";

/**
 * JavaScript and TypeScript as one tree: what all targets make code of. It has no node for raw text; what is not in here is not emitted. `print.ts`
 * writes it with types or without, `names.ts` finds what it names, `build.ts` makes it.
 */
export type JsNode =
  | Statement
  | JsExpression
  | ObjectMember
  | BindingPattern
  | TypeNode
  | TypeMember
  | ParameterDeclaration;

/** An expression. How tightly its operator binds is the printer's affair: trees have no parentheses. */
export type JsExpression =
  | Literal
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
  | Assignment
  | AwaitExpression
  | YieldExpression
  | SpreadElement
  | TypeAssertion
  | NonNullExpression;

/** A text, a number (any, `-0`, `NaN` and infinities included), a truth value or null. */
export interface Literal {
  readonly kind: "literal";
  readonly value: string | number | boolean | null;
}

/** A template literal: texts as they are to be in the result, and expressions. */
export interface TemplateLiteral {
  readonly kind: "template";
  readonly parts: readonly (string | JsExpression)[];
}

/** A regular expression, as `new RegExp(source, flags)` takes it. */
export interface RegexLiteral {
  readonly kind: "regex";
  readonly source: string;
  readonly flags: string;
}

/** A name, and where it is imported from if it is: `importsOf` makes the declarations of imports from that. */
export interface Identifier {
  readonly kind: "identifier";
  readonly name: string;
  readonly from?: ImportSource | undefined;
}

/** What a name stands for in another module. */
export interface ImportSource {
  /** The specifier of the module. */
  readonly module: string;
  /** The name that the module exports it by, where that is another one. */
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

/** `name: value`, printed in the short form where the value is the name of its key. */
export interface Property {
  readonly kind: "property";
  /** A text is a name as it is, `__proto__` included; an expression is computed. */
  readonly key: string | JsExpression;
  readonly value: JsExpression;
  readonly doc?: string | undefined;
}

/** `object.name`; any text is a name. */
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

/** An arrow function, or a function with a `this` of its own. */
export interface FunctionExpression extends FunctionSignature {
  readonly kind: "function";
  readonly style: "arrow" | "function";
  readonly name?: string | undefined;
  /** An expression is what an arrow function returns. */
  readonly body: JsExpression | Block;
}

/** What functions have in common. */
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

/** Two operands and an operator between. */
export interface BinaryExpression {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: JsExpression;
  readonly right: JsExpression;
}

/** Operators between two operands. */
export type BinaryOperator =
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
export interface Assignment {
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

/** `...operand`, among elements, arguments and members. */
export interface SpreadElement {
  readonly kind: "spread";
  readonly operand: JsExpression;
}

/** `operand as type`, `operand satisfies type`: the operand alone where types are left out. */
export interface TypeAssertion {
  readonly kind: "assertion";
  readonly operator: "as" | "satisfies";
  readonly operand: JsExpression;
  readonly type: TypeNode;
}

/** `operand!`: the operand alone where types are left out. */
export interface NonNullExpression {
  readonly kind: "nonNull";
  readonly operand: JsExpression;
}

/** What a value is bound to: a name, or names for parts of it. */
export type BindingPattern = Identifier | ObjectPattern | ArrayPattern;

/** `{ key: target = initial, ...rest }` */
export interface ObjectPattern {
  readonly kind: "objectPattern";
  readonly members: readonly BindingProperty[];
  readonly rest?: Identifier | undefined;
}

/** One member of an object that is taken apart. */
export interface BindingProperty {
  readonly key: string;
  readonly target: BindingPattern;
  readonly initial?: JsExpression | undefined;
}

/** `[a, , b, ...rest]` */
export interface ArrayPattern {
  readonly kind: "arrayPattern";
  /** Undefined leaves an element out. */
  readonly elements: readonly (BindingPattern | undefined)[];
  readonly rest?: Identifier | undefined;
}
