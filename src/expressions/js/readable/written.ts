import type { JsExpression as Code, Identifier, Statement } from "../../../js-ast/index.ts";
import { js } from "../../../js-ast/index.ts";
import type { Json } from "../../../json.ts";
import type { Type } from "../../../types/index.ts";
import type { JqTypeName } from "../../library/types.ts";
import type { Use } from "./use.ts";

/** An expression as TypeScript: its tree, and what is known of the value. */
export interface PrintedExpression {
  readonly code: Code;
  /** Whether it may be undefined, which means no output. */
  readonly isOptional?: boolean | undefined;
  /** The code with a type assertion, if the type allows undefined but the value always exists here. */
  readonly sure?: Code | undefined;
  /** Whether it cannot be null or undefined, so that members are read with a dot alone. */
  readonly isPresent?: boolean | undefined;
  /** Whether, where it is undefined, the optional chain ends before it: members of it are read with a dot alone. */
  readonly isChained?: boolean | undefined;
  /** The members that are read from it, if its type consists of these. */
  readonly use?: Use | undefined;
  /** Its type, if known. */
  readonly type?: "boolean" | "number" | "string" | "array" | "object" | "null" | undefined;
  /** Its type as inferred: TypeScript may infer it too, and reject comparisons with other types. */
  readonly inferred?: JqTypeName | undefined;
  /** The proven type of the value, whatever its declared type is. */
  readonly proven?: Type | undefined;
  /** What functions of it return, if a loop reduces the array that it would be. */
  readonly reduced?: ReadonlyMap<string, Code> | undefined;
  /** Whether it is a number that counts, and so never NaN: JavaScript compares it as jq does. */
  readonly isCount?: boolean | undefined;
}

/** A tree, with what is known of its value. */
export const printedExpression = (tree: Code, more: Omit<PrintedExpression, "code"> = {}): PrintedExpression => ({
  ...more,
  code: tree,
});

/** A tree that gives a truth value. */
export const truth = (tree: Code): PrintedExpression => ({ code: tree, type: "boolean" });

/** The surroundings of a printed expression. */
export interface Scope {
  /** What `.` is; absent: null. */
  readonly input?: PrintedExpression | undefined;
  /** Returns the code of a variable; undefined for an unknown one. */
  variable(name: string): PrintedExpression | undefined;
  /** Collects the values that must exist for this one to exist, if there is a substitute. Absent: all must exist. */
  readonly guards?: Code[] | undefined;
  /** Collects constants before the expression, as long as nothing was evaluated and nothing is conditional. */
  readonly lines?: Lines | undefined;
  /** Whether what has no form here becomes statements. Arrays that loops compute better have none then. */
  readonly hasLoops?: boolean | undefined;
  /** Whether the code is JavaScript, where objects can be spread without regard to types. */
  readonly isUntyped?: boolean | undefined;
  /** Makes a name for a value, the wanted one if it is free where the name is visible. Default: names that nothing in the expression has. */
  readonly fresh?: ((wanted: string | undefined) => string) | undefined;
  /**
   * A function that reads the member of a name that no array or string has; `isTotal`: undefined where that fails.
   * Default: one for all names.
   */
  readonly accessor?: ((key: string, isTotal?: boolean) => Identifier) | undefined;
  /** What makes code fast at the expense of reading. With it, several outputs have no form in an expression: loops are faster. */
  readonly engine?: Engine | undefined;
  /** A function of the expressions' runtime, by the name that the module knows it by. */
  helper(name: string): Identifier;
}

/** Declarations outside of a function that engines run faster with. */
export interface Engine {
  /** A constant that is made once. */
  constant(code: Code): Identifier;
}

/** Statements before an expression, and the names that what they declare is not to have. */
export interface Lines {
  readonly statements: Statement[];
  readonly names: Set<string>;
}

/** No statements yet, where these names are taken. */
export const noLines = (names: Iterable<string>): Lines => ({ statements: [], names: new Set(names) });

/** The same scope without substitutes for missing values and without statements before the expression. */
export const unguarded = (scope: Scope): Scope =>
  scope.guards || scope.lines ? { ...scope, guards: undefined, lines: undefined } : scope;

/** The same scope without statements before the expression. */
export const withoutLines = (scope: Scope): Scope => (scope.lines ? { ...scope, lines: undefined } : scope);

/** The same with another `.`. */
export const withInput = (scope: Scope, input: PrintedExpression): Scope => ({ ...scope, input });

/** The same with one more variable. */
export const withVariable = (scope: Scope, name: string, meaning: PrintedExpression): Scope => ({
  ...scope,
  variable: (asked) => (asked === name ? meaning : scope.variable(asked)),
});

/** A call of a function of the expressions' runtime. */
export const helped = (scope: Scope, helper: string, args: readonly Code[]): Code =>
  js.call(scope.helper(helper), args);

/** Whether a tree is a name, members of one, or one looked up, and short: it may be written several times. */
export const isSimple = (tree: Code): boolean => (isPath(tree) || isLookUp(tree)) && lengthOf(tree) <= longestCopied;

/** How many characters may be written several times. */
export const longestCopied = 60;

/** A name or a number, and members and elements of it. */
function isPath(tree: Code): boolean {
  switch (tree.kind) {
    case "identifier":
      return true;
    case "literal":
      return typeof tree.value !== "string" && !(typeof tree.value === "number" && tree.value < 0);
    case "member":
      return isPath(tree.object);
    case "element":
      return isPath(tree.object) && tree.index.kind === "literal";
    case "nonNull":
      return isPath(tree.operand);
    default:
      return false;
  }
}

/** `helper(path, "name")`, `helper(path, 0)` */
function isLookUp(tree: Code): boolean {
  if (tree.kind !== "call" || tree.callee.kind !== "identifier" || tree.args.length !== 2) return false;
  const [value, name] = tree.args;
  return isPath(value!) && name!.kind === "literal" && (typeof name!.value === "string" || isIndex(name!.value));
}

const isIndex = (value: Json): boolean => typeof value === "number" && Number.isInteger(value) && value >= 0;

/** A simple tree that has been compared with undefined: the type checker remembers that of members, but not of what a function gives. */
export const narrowed = (tree: Code): Code => (isLookUp(tree) ? js.nonNull(tree) : tree);

/** About how many characters a simple tree takes. */
export function lengthOf(tree: Code): number {
  switch (tree.kind) {
    case "identifier":
      return tree.name.length;
    case "literal":
      return JSON.stringify(tree.value).length;
    case "member":
      return lengthOf(tree.object) + tree.name.length + (tree.optional ? 2 : 1);
    case "element":
      return lengthOf(tree.object) + lengthOf(tree.index) + (tree.optional ? 4 : 2);
    case "nonNull":
      return lengthOf(tree.operand) + 1;
    case "call":
      return [tree.callee, ...tree.args].reduce((sum, part) => sum + lengthOf(part) + 2, 0);
    default:
      return longestCopied + 1;
  }
}
