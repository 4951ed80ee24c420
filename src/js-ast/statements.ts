import type { Expression, Pattern, Signature } from "./tree.ts";
import type { TypeMember, TypeNode, TypeParameter } from "./types.ts";

/** A list of statements. */
export type Block = readonly Statement[];

/** A statement, or a declaration. */
export type Statement =
  | VariableDeclaration
  | ExpressionStatement
  | If
  | While
  | DoWhile
  | For
  | ForOf
  | Labelled
  | BlockStatement
  | Jump
  | Switch
  | Try
  | Throw
  | Return
  | FunctionDeclaration
  | Import
  | Export
  | InterfaceDeclaration
  | TypeDeclaration
  | Comment;

/** What declarations have in common. */
export interface Declared {
  readonly exported?: boolean | undefined;
  /** The words of the comment before it, in lines; what would end the comment is escaped. */
  readonly doc?: string | undefined;
}

/** `const target: type = value;` */
export interface VariableDeclaration extends Declared {
  readonly kind: "variable";
  readonly keyword: "const" | "let";
  readonly target: Pattern;
  readonly type?: TypeNode | undefined;
  /** `let name!: type`: the type checker is not to ask whether it has a value. */
  readonly definite?: boolean | undefined;
  readonly value?: Expression | undefined;
}

/** An expression that is evaluated for what it does. */
export interface ExpressionStatement {
  readonly kind: "expression";
  readonly expression: Expression;
}

/** `if (test) { … } else { … }` */
export interface If {
  readonly kind: "if";
  readonly test: Expression;
  readonly then: Block;
  /** Absent or empty: nothing. A single `if` is an `else if`. */
  readonly otherwise?: Block | undefined;
}

/** `while (test) { … }` */
export interface While {
  readonly kind: "while";
  readonly test: Expression;
  readonly body: Block;
}

/** `do { … } while (test);` */
export interface DoWhile {
  readonly kind: "doWhile";
  readonly body: Block;
  readonly test: Expression;
}

/** `for (initial; test; update) { … }` */
export interface For {
  readonly kind: "for";
  readonly initial?: VariableDeclaration | undefined;
  readonly test?: Expression | undefined;
  readonly update?: Expression | undefined;
  readonly body: Block;
}

/** `for (const target of values) { … }` */
export interface ForOf {
  readonly kind: "forOf";
  readonly keyword: "const" | "let";
  readonly target: Pattern;
  readonly values: Expression;
  readonly await: boolean;
  readonly body: Block;
}

/** `label: statement`: a loop or a block. */
export interface Labelled {
  readonly kind: "labelled";
  readonly label: string;
  readonly body: Statement;
}

/** `{ … }` */
export interface BlockStatement {
  readonly kind: "block";
  readonly body: Block;
}

/** `break label;`, `continue label;` */
export interface Jump {
  readonly kind: "jump";
  readonly keyword: "break" | "continue";
  readonly label?: string | undefined;
}

/** `switch (subject) { … }` */
export interface Switch {
  readonly kind: "switch";
  readonly subject: Expression;
  readonly cases: readonly SwitchCase[];
}

/** `case a: case b: …`; without tests `default: …`. */
export interface SwitchCase {
  readonly tests: readonly Expression[];
  readonly body: Block;
}

/** `try { … } catch (caught) { … } finally { … }` */
export interface Try {
  readonly kind: "try";
  readonly body: Block;
  readonly handler?: { readonly caught?: Pattern | undefined; readonly body: Block } | undefined;
  readonly finalizer?: Block | undefined;
}

/** `throw value;` */
export interface Throw {
  readonly kind: "throw";
  readonly value: Expression;
}

/** `return value;` */
export interface Return {
  readonly kind: "return";
  readonly value?: Expression | undefined;
}

/** `function name(parameters) { … }` */
export interface FunctionDeclaration extends Signature, Declared {
  readonly kind: "functionDeclaration";
  readonly name: string;
  readonly body: Block;
}

/** `import { exported as name } from "module";` */
export interface Import {
  readonly kind: "import";
  readonly names: readonly ImportedName[];
  readonly module: string;
  /** `import * as name`, in place of names. */
  readonly namespace?: string | undefined;
}

/** One name of an import. */
export interface ImportedName {
  readonly name: string;
  /** The name that the module exports it by, where that is another one. */
  readonly exported?: string | undefined;
  /** Whether it is a type only. */
  readonly isType: boolean;
}

/** `export { name as exported } from "module";` */
export interface Export {
  readonly kind: "export";
  readonly names: readonly { readonly name: string; readonly exported?: string | undefined }[];
  readonly module?: string | undefined;
}

/** `interface name<parameters> extends … { … }`: nothing where types are left out. */
export interface InterfaceDeclaration extends Declared {
  readonly kind: "interface";
  readonly name: string;
  readonly typeParameters: readonly TypeParameter[];
  readonly extends: readonly TypeNode[];
  readonly members: readonly TypeMember[];
}

/** `type name<parameters> = type;`: nothing where types are left out. */
export interface TypeDeclaration extends Declared {
  readonly kind: "typeDeclaration";
  readonly name: string;
  readonly typeParameters: readonly TypeParameter[];
  readonly type: TypeNode;
}

/** A line comment; line breaks make several. */
export interface Comment {
  readonly kind: "comment";
  readonly text: string;
}
