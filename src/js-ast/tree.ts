import type { Block, Statement } from "./statements.ts";
import type { TypeMember, TypeNode, TypeParameter } from "./types.ts";

/**
 * JavaScript and TypeScript as one tree: what all targets make code of. It has no node for raw text; what is not in here is not emitted. `print.ts`
 * writes it with types or without, `names.ts` finds what it names, `build.ts` makes it.
 */
export type Node = Statement | Expression | Member | Pattern | TypeNode | TypeMember | Parameter;

/** An expression. How tightly its operator binds is the printer's affair: trees have no parentheses. */
export type Expression =
  | Literal
  | Template
  | Regex
  | Identifier
  | ArrayLiteral
  | ObjectLiteral
  | PropertyAccess
  | ElementAccess
  | Call
  | New
  | FunctionExpression
  | Unary
  | Binary
  | Conditional
  | Assignment
  | Await
  | Yield
  | Spread
  | TypeAssertion
  | NonNull;

/** A text, a number (any, `-0`, `NaN` and infinities included), a truth value or null. */
export interface Literal {
  readonly kind: "literal";
  readonly value: string | number | boolean | null;
}

/** A template literal: texts as they are to be in the result, and expressions. */
export interface Template {
  readonly kind: "template";
  readonly parts: readonly (string | Expression)[];
}

/** A regular expression, as `new RegExp(source, flags)` takes it. */
export interface Regex {
  readonly kind: "regex";
  readonly source: string;
  readonly flags: string;
}

/** A name, and where it is imported from if it is: `importsOf` makes the declarations of imports from that. */
export interface Identifier {
  readonly kind: "identifier";
  readonly name: string;
  readonly from?: Origin | undefined;
}

/** What a name stands for in another module. */
export interface Origin {
  /** The specifier of the module. */
  readonly module: string;
  /** The name that the module exports it by, where that is another one. */
  readonly exported?: string | undefined;
}

/** `[a, ...b]` */
export interface ArrayLiteral {
  readonly kind: "array";
  readonly elements: readonly Expression[];
}

/** `{ a: 1, [b]: 2, ...c }` */
export interface ObjectLiteral {
  readonly kind: "object";
  readonly members: readonly Member[];
}

/** A member of an object literal. */
export type Member = Property | Spread;

/** `name: value`, printed in the short form where the value is the name of its key. */
export interface Property {
  readonly kind: "property";
  /** A text is a name as it is, `__proto__` included; an expression is computed. */
  readonly key: string | Expression;
  readonly value: Expression;
  readonly doc?: string | undefined;
}

/** `object.name`; any text is a name. */
export interface PropertyAccess {
  readonly kind: "member";
  readonly object: Expression;
  readonly name: string;
  readonly optional: boolean;
}

/** `object[index]` */
export interface ElementAccess {
  readonly kind: "element";
  readonly object: Expression;
  readonly index: Expression;
  readonly optional: boolean;
}

/** `callee<types>(args)` */
export interface Call {
  readonly kind: "call";
  readonly callee: Expression;
  readonly types: readonly TypeNode[];
  readonly args: readonly Expression[];
  readonly optional: boolean;
}

/** `new callee<types>(args)` */
export interface New {
  readonly kind: "new";
  readonly callee: Expression;
  readonly types: readonly TypeNode[];
  readonly args: readonly Expression[];
}

/** An arrow function, or a function with a `this` of its own. */
export interface FunctionExpression extends Signature {
  readonly kind: "function";
  readonly style: "arrow" | "function";
  readonly name?: string | undefined;
  /** An expression is what an arrow function returns. */
  readonly body: Expression | Block;
}

/** What functions have in common. */
export interface Signature {
  readonly async: boolean;
  readonly generator: boolean;
  readonly typeParameters: readonly TypeParameter[];
  readonly parameters: readonly Parameter[];
  readonly returns?: TypeNode | undefined;
}

/** `...name?: type = value` */
export interface Parameter {
  readonly kind: "parameter";
  readonly target: Pattern;
  readonly type?: TypeNode | undefined;
  readonly optional: boolean;
  readonly rest: boolean;
  readonly initial?: Expression | undefined;
}

/** `-operand`, `typeof operand`, … */
export interface Unary {
  readonly kind: "unary";
  readonly operator: "!" | "-" | "+" | "~" | "typeof" | "void" | "delete";
  readonly operand: Expression;
}

/** Two operands and an operator between. */
export interface Binary {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
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
export interface Conditional {
  readonly kind: "conditional";
  readonly condition: Expression;
  readonly then: Expression;
  readonly otherwise: Expression;
}

/** `target = value`, `target += value`, … */
export interface Assignment {
  readonly kind: "assign";
  readonly operator: "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "??=" | "||=" | "&&=";
  readonly target: Expression | Pattern;
  readonly value: Expression;
}

/** `await operand` */
export interface Await {
  readonly kind: "await";
  readonly operand: Expression;
}

/** `yield operand`; `yield* operand` with `delegates`. */
export interface Yield {
  readonly kind: "yield";
  readonly operand?: Expression | undefined;
  readonly delegates: boolean;
}

/** `...operand`, among elements, arguments and members. */
export interface Spread {
  readonly kind: "spread";
  readonly operand: Expression;
}

/** `operand as type`, `operand satisfies type`: the operand alone where types are left out. */
export interface TypeAssertion {
  readonly kind: "assertion";
  readonly operator: "as" | "satisfies";
  readonly operand: Expression;
  readonly type: TypeNode;
}

/** `operand!`: the operand alone where types are left out. */
export interface NonNull {
  readonly kind: "nonNull";
  readonly operand: Expression;
}

/** What a value is bound to: a name, or names for parts of it. */
export type Pattern = Identifier | ObjectPattern | ArrayPattern;

/** `{ key: target = initial, ...rest }` */
export interface ObjectPattern {
  readonly kind: "objectPattern";
  readonly members: readonly PatternMember[];
  readonly rest?: Identifier | undefined;
}

/** One member of an object that is taken apart. */
export interface PatternMember {
  readonly key: string;
  readonly target: Pattern;
  readonly initial?: Expression | undefined;
}

/** `[a, , b, ...rest]` */
export interface ArrayPattern {
  readonly kind: "arrayPattern";
  /** Undefined leaves an element out. */
  readonly elements: readonly (Pattern | undefined)[];
  readonly rest?: Identifier | undefined;
}
