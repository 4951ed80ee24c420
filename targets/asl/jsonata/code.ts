import { isObject, type Json, type JsonObject } from "../../../src/json.ts";

/** JSONata's operator precedence, loosest first. */
export const precedence = { choice: 0, or: 1, and: 2, comparison: 3, sum: 4, product: 5, primary: 6 } as const;

type JsonataPrecedence = (typeof precedence)[keyof typeof precedence];

/** A JSONata fragment: definitions and an expression. Optional members help later fragments to improve on it. */
export interface Code {
  readonly definitions: readonly string[];
  readonly text: string;
  readonly precedence: JsonataPrecedence;
  /** It may be repeated: a name or a path from one, or a short literal. */
  readonly atom?: "reference" | "constant" | undefined;
  readonly path?: PrintedPath | undefined;
  readonly typeTest?: TypeTest | undefined;
  readonly conjuncts?: readonly Conjunct[] | undefined;
  readonly merged?: readonly Code[] | undefined;
  readonly members?: readonly (readonly [string, Code])[] | undefined;
  readonly checked?: CheckedObject | undefined;
  /** Gives nothing unless a condition holds. `isPresent`: it surely gives a value then. */
  readonly conditional?: { readonly condition: Code; readonly then: Code; readonly isPresent: boolean };
  readonly elements?: readonly Code[];
  readonly keys?: readonly Code[];
  readonly holdsNoArrays?: boolean;
  /** An array literal stays one element of another. */
  readonly isBracketed?: boolean;
}

/** A test of a value's type. */
export interface TypeTest {
  readonly subject: string;
  readonly type: string;
}

interface Conjunct {
  readonly text: string;
  readonly typeTest?: TypeTest | undefined;
}

/** A JSONata path, valid only if all guards hold: parents are objects or arrays. */
export interface PrintedPath {
  readonly guards: readonly TypeTest[];
  readonly text: string;
  readonly isPlain: boolean;
  readonly isPresent: boolean;
}

/** An object under construction, and the check to wrap around it. */
export interface CheckedObject {
  readonly object: Code;
  readonly wrap: (object: Code) => Code;
}

/** An expression without definitions. */
export const code = (text: string, own: JsonataPrecedence = precedence.primary): Code => ({
  definitions: [],
  text,
  precedence: own,
});

/** A piece that is a name, or a path from one. */
export const referenceCode = (text: string): Code => ({ ...code(text), atom: "reference" });

/** A short literal. */
export const constantCode = (text: string): Code => ({ ...code(text), atom: "constant" });

/** An array literal. */
export const arrayLiteral = (text: string): Code => ({ ...code(text), isBracketed: true });

/** The literal `[]`. */
export const emptyArray: Code = { ...arrayLiteral("[]"), atom: "constant" };

/** The expression that gives nothing. */
export const nothing: Code = code("()");

/** Whether a piece surely gives nothing. */
export const isNothing = ({ definitions, text }: Code): boolean => definitions.length === 0 && text === "()";

/** Prints a piece where any expression is allowed. */
export const blockText = ({ definitions, text }: Code): string =>
  definitions.length === 0 ? text : `(${[...definitions, text].join("; ")})`;

/** Prints a piece as an operand, parenthesized if it binds more loosely. */
export const operandText = (piece: Code, around: JsonataPrecedence): string =>
  piece.definitions.length === 0 && piece.precedence < around ? `(${piece.text})` : blockText(piece);

/** A function call. Definitions of the first argument move in front of it. */
export function callCode(name: string, ...args: readonly Code[]): Code {
  const [first, ...rest] = args as readonly [Code, ...Code[]];
  return withDefinitions(first.definitions, code(`$${name}(${[first.text, ...rest.map(blockText)].join(", ")})`));
}

/** A binary operation. */
export function infix(operator: string, own: JsonataPrecedence, left: Code, right: Code): Code {
  const first = operandText({ ...left, definitions: [] }, own === precedence.comparison ? precedence.sum : own);
  return withDefinitions(
    left.definitions,
    code(`${first} ${operator} ${operandText(right, (own + 1) as JsonataPrecedence)}`, own),
  );
}

/** A chain of `and` or `or` without inner parentheses. `and` drops repeated type tests. */
export function logical(operator: "and" | "or", pieces: readonly Code[]): Code {
  const [first, ...rest] = pieces as readonly [Code, ...Code[]];
  const own = precedence[operator];
  const parts = [{ ...first, definitions: [] }, ...rest].flatMap(
    (piece) => (operator === "and" && piece.conjuncts) || [conjunctOf(piece, own)],
  );
  const distinct = parts.filter(
    ({ typeTest }, i) => !typeTest || !parts.slice(0, i).some((part) => isSame(part.typeTest, typeTest)),
  );
  const text = distinct.map((part) => part.text).join(` ${operator} `);
  const result = code(text, distinct.length > 1 ? own : first.precedence);
  return withDefinitions(
    first.definitions,
    operator === "and" && distinct.length > 1 ? { ...result, conjuncts: distinct } : result,
  );
}

const conjunctOf = (piece: Code, around: JsonataPrecedence): Conjunct => ({
  text: operandText(piece, around),
  typeTest: piece.definitions.length > 0 ? undefined : piece.typeTest,
});

const isSame = (a: TypeTest | undefined, b: TypeTest): boolean => a?.subject === b.subject && a.type === b.type;

/** The test `$type(value) = "object"`. */
export const typeTest = (test: TypeTest): Code => ({
  ...code(typeTestText(test), precedence.comparison),
  typeTest: test,
});

const typeTestText = ({ subject, type }: TypeTest): string => `$type(${subject}) = "${type}"`;

/** Puts definitions in front of a piece. */
export const withDefinitions = (definitions: readonly string[], piece: Code): Code => ({
  ...code(piece.text, piece.precedence),
  atom: definitions.length > 0 ? undefined : piece.atom,
  path: piece.path,
  typeTest: piece.typeTest,
  conjuncts: piece.definitions.length + definitions.length > 0 ? undefined : piece.conjuncts,
  merged: piece.merged,
  members: definitions.length > 0 ? undefined : piece.members,
  checked: piece.checked,
  definitions: [...definitions, ...piece.definitions],
});

/** Evaluates a piece only because it may fail, then another. */
export const evaluateThen = (unwanted: Code, piece: Code): Code =>
  isAtom(unwanted) ? piece : withDefinitions([...unwanted.definitions, unwanted.text], piece);

/** `condition ? then : otherwise`, without `otherwise` if that gives nothing. */
export function ternary(condition: Code, then: Code, otherwise: Code): Code {
  const rest = isNothing(otherwise) ? "" : ` : ${blockText(otherwise)}`;
  const test = operandText({ ...condition, definitions: [] }, precedence.or);
  const text = code(`${test} ? ${operandText(then, precedence.or)}${rest}`, precedence.choice);
  return isNothing(otherwise)
    ? { ...withDefinitions(condition.definitions, text), conditional: { condition, then, isPresent: false } }
    : withDefinitions(condition.definitions, text);
}

/** The value at the end of a path whose guards hold. */
export const endOf = ({ text, isPlain }: PrintedPath): Code => (isPlain ? referenceCode(text) : code(text));

/** A piece that follows a path if its guards hold. */
export function pathCode(path: PrintedPath, definitions: readonly string[] = []): Code {
  if (path.guards.length === 0) return { ...endOf(path), definitions, path };
  return {
    definitions,
    text: `${path.guards.map(typeTestText).join(" and ")} ? ${path.text}`,
    precedence: precedence.choice,
    path,
  };
}

/** A test of the value at the end of a path, false if a guard fails. */
export const guardedTest = ({ definitions, path }: Code & { readonly path: PrintedPath }, test: Code): Code =>
  withDefinitions(definitions, logical("and", [...path.guards.map(typeTest), test]));

/** Whether a piece is a printed path. */
export const isPath = (piece: Code): piece is Code & { readonly path: PrintedPath } => piece.path !== undefined;

/** A JSONata function. */
export const lambda = (parameters: readonly string[], body: Code): string =>
  `function(${parameters.join(", ")}) { ${blockText(body)} }`;

/** Whether a piece may be repeated. */
export const isAtom = ({ definitions, atom }: Code): boolean => definitions.length === 0 && atom !== undefined;

/** `left = right`; false if a side is missing. */
export const equal = (left: Code, right: Code): Code => comparison(left, "=", right);

/** A comparison, false if a side is missing. */
export function comparison(left: Code, operator: "=" | "!=" | "in", right: Code): Code {
  if (!isPath(left)) return infix(operator, precedence.comparison, left, right);
  return guardedTest(left, infix(operator, precedence.comparison, endOf(left.path), right));
}

/** A literal for a JSON value. JSONata cannot construct a member `__proto__`, so such values are parsed. */
export function valueCode(value: Json): Code {
  if (hasProto(value)) return code(`$parse(${stringText(JSON.stringify(value))})`);
  const atom = isShortConstant(value) ? "constant" : undefined;
  if (isObject(value))
    return { ...objectCode(Object.entries(value).map(([key, item]) => [key, valueCode(item)] as const)), atom };
  const text = literalText(value);
  return { ...(Array.isArray(value) ? arrayLiteral(text) : code(text)), atom };
}

function isShortConstant(value: Json): boolean {
  if (typeof value === "number") return Number.isInteger(value) && Math.abs(value) < 1e15;
  if (typeof value === "string") return value.length <= 20 && stringText(value).length === value.length + 2;
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}

/** A string literal that neither closes nor opens `{% … %}`, nor resembles the error marker when a Cause quotes it. */
export function stringText(text: string): string {
  return JSON.stringify(text).replace(
    /%(?=\})|(?<=\{)%|(?<=waybill):|[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A literal for a regular expression in the form of `portableRegex`. */
export const regexText = (pattern: string): string =>
  `/${pattern === "" ? "(?:)" : pattern.replaceAll("waybill:", "waybill\\u003a")}/`;

/** Whether a name may follow a dot unquoted. */
export const isName = (text: string): boolean =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && !/^(?:and|or|in|true|false|null|function)$/.test(text);

/** A member name after a dot, quoted if needed; undefined if JSONata cannot write it. */
export function nameText(name: string): string | undefined {
  if (isName(name)) return name;
  return /^[\p{L}\p{N}_ .:@/-]+$/u.test(name) && !name.includes("waybill:") ? `\`${name}\`` : undefined;
}

function literalText(value: Json): string {
  if (typeof value === "string") return stringText(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(literalText).join(", ")}]`;
  return membersText(Object.entries(value as JsonObject).map(([key, item]) => [key, literalText(item)] as const));
}

/** An object literal with `members` recorded. */
export const objectCode = (members: readonly (readonly [string, Code])[]): Code => ({
  ...code(membersText(members.map(([key, item]) => [key, blockText(item)] as const))),
  members,
});

/**
 * An object literal. JSONata calls the partial object's own `hasOwnProperty`, so a member of that name must come last.
 */
export function membersText(members: readonly (readonly [string, string])[]): string {
  const end = members.findIndex(([key]) => key === "hasOwnProperty") + 1;
  const written = (some: typeof members) => `{${some.map(([key, text]) => `${stringText(key)}: ${text}`).join(", ")}}`;
  if (end === 0 || end === members.length) return written(members);
  return `$merge([${written(members.slice(0, end))}, ${membersText(members.slice(end))}])`;
}

function hasProto(value: Json): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(hasProto);
}

/** For what JSONata counts as a bracket or does not fit on a line. */
