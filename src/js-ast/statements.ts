import type { BindingPattern, FunctionSignature, JsExpression } from "./tree.ts";
import type { TypeMember, TypeNode, TypeParameter } from "./types.ts";

/** A sequence of statements. */
export type Block = readonly Statement[];

/** A statement or declaration. */
export type Statement =
  | VariableDeclaration
  | ExpressionStatement
  | IfStatement
  | WhileStatement
  | DoWhileStatement
  | ForStatement
  | ForOfStatement
  | LabeledStatement
  | BlockStatement
  | JumpStatement
  | SwitchStatement
  | TryStatement
  | ThrowStatement
  | ReturnStatement
  | FunctionDeclaration
  | ImportDeclaration
  | ExportDeclaration
  | InterfaceDeclaration
  | TypeDeclaration
  | LineComment;

/** The members of declarations. */
export interface DeclarationBase {
  readonly exported?: boolean | undefined;
  readonly doc?: string | undefined;
}

/** `const target: type = value;` */
export interface VariableDeclaration extends DeclarationBase {
  readonly kind: "variable";
  readonly keyword: "const" | "let";
  readonly target: BindingPattern;
  readonly type?: TypeNode | undefined;
  readonly definite?: boolean | undefined;
  readonly value?: JsExpression | undefined;
}

/** An expression statement. */
export interface ExpressionStatement {
  readonly kind: "expression";
  readonly expression: JsExpression;
}

/** `if (test) { … } else { … }` */
export interface IfStatement {
  readonly kind: "if";
  readonly test: JsExpression;
  readonly then: Block;
  /** A single `if` prints as `else if`. */
  readonly otherwise?: Block | undefined;
}

/** `while (test) { … }` */
export interface WhileStatement {
  readonly kind: "while";
  readonly test: JsExpression;
  readonly body: Block;
}

/** `do { … } while (test);` */
export interface DoWhileStatement {
  readonly kind: "doWhile";
  readonly body: Block;
  readonly test: JsExpression;
}

/** `for (initial; test; update) { … }` */
export interface ForStatement {
  readonly kind: "for";
  readonly initial?: VariableDeclaration | undefined;
  readonly test?: JsExpression | undefined;
  readonly update?: JsExpression | undefined;
  readonly body: Block;
}

/** `for (const target of values) { … }` */
export interface ForOfStatement {
  readonly kind: "forOf";
  readonly keyword: "const" | "let";
  readonly target: BindingPattern;
  readonly values: JsExpression;
  readonly await: boolean;
  readonly body: Block;
}

/** `label: statement`. */
export interface LabeledStatement {
  readonly kind: "labeled";
  readonly label: string;
  readonly body: Statement;
}

/** `{ … }` */
export interface BlockStatement {
  readonly kind: "block";
  readonly body: Block;
}

/** `break label;`, `continue label;` */
export interface JumpStatement {
  readonly kind: "jump";
  readonly keyword: "break" | "continue";
  readonly label?: string | undefined;
}

/** `switch (subject) { … }` */
export interface SwitchStatement {
  readonly kind: "switch";
  readonly subject: JsExpression;
  readonly cases: readonly SwitchCase[];
}

/** `case a: case b: …`; `default: …` without tests. */
export interface SwitchCase {
  readonly tests: readonly JsExpression[];
  readonly body: Block;
}

/** `try { … } catch (caught) { … } finally { … }` */
export interface TryStatement {
  readonly kind: "try";
  readonly body: Block;
  readonly handler?: { readonly caught?: BindingPattern | undefined; readonly body: Block } | undefined;
  readonly finalizer?: Block | undefined;
}

/** `throw value;` */
export interface ThrowStatement {
  readonly kind: "throw";
  readonly value: JsExpression;
}

/** `return value;` */
export interface ReturnStatement {
  readonly kind: "return";
  readonly value?: JsExpression | undefined;
}

/** `function name(parameters) { … }` */
export interface FunctionDeclaration extends FunctionSignature, DeclarationBase {
  readonly kind: "functionDeclaration";
  readonly name: string;
  readonly body: Block;
}

/** `import { exported as name } from "module";` */
export interface ImportDeclaration {
  readonly kind: "import";
  readonly names: readonly ImportedName[];
  readonly module: string;
  /** `import * as name` */
  readonly namespace?: string | undefined;
}

/** One imported name. */
export interface ImportedName {
  readonly name: string;
  readonly exported?: string | undefined;
  readonly isType: boolean;
}

/** `export { name as exported } from "module";` */
export interface ExportDeclaration {
  readonly kind: "export";
  readonly names: readonly { readonly name: string; readonly exported?: string | undefined }[];
  readonly module?: string | undefined;
}

/** `interface name<parameters> extends … { … }` */
export interface InterfaceDeclaration extends DeclarationBase {
  readonly kind: "interface";
  readonly name: string;
  readonly typeParameters: readonly TypeParameter[];
  readonly extends: readonly TypeNode[];
  readonly members: readonly TypeMember[];
}

/** `type name<parameters> = type;` */
export interface TypeDeclaration extends DeclarationBase {
  readonly kind: "typeDeclaration";
  readonly name: string;
  readonly typeParameters: readonly TypeParameter[];
  readonly type: TypeNode;
}

/** A line comment per line of `text`. */
export interface LineComment {
  readonly kind: "comment";
  readonly text: string;
}
