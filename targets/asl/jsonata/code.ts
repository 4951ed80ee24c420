import { isObject, type Json, type JsonObject } from "../../../src/json.ts";

/** How tightly JSONata binds, loosest first. */
export const precedence = { choice: 0, or: 1, and: 2, comparison: 3, sum: 4, product: 5, primary: 6 } as const;

/** How tightly a text holds together. */
type Precedence = (typeof precedence)[keyof typeof precedence];

/** A piece of JSONata: definitions, and the text that gives its value. */
export interface Code {
  readonly before: readonly string[];
  readonly text: string;
  readonly precedence: Precedence;
  /**
   * What it is where it can be written twice: a reference, which is a name or a path from one, so that a longer path may begin with it; or a short constant.
   * Absent: something that is computed.
   */
  readonly short?: "reference" | "constant" | undefined;
  /** For a path that is written out: what has to hold for it to be followed, and the path. */
  readonly path?: Path | undefined;
  /** For a question about a type: that. */
  readonly asks?: Question | undefined;
  /** For what `and` links, after no definitions: that. */
  readonly and?: readonly Operand[] | undefined;
  /** For `$merge` of objects: these. */
  readonly objects?: readonly Code[] | undefined;
  /** For an object that is written out: its members. */
  readonly members?: readonly (readonly [string, Code])[] | undefined;
  /** For an object that is made of what has to be one, else nothing is made: the object, and the question around it. */
  readonly checked?: Checked | undefined;
  /** For what is only there under a condition: both. `isSure`: under the condition it surely is. */
  readonly open?: { readonly condition: Code; readonly then: Code; readonly isSure: boolean };
  /** For a list that is written out: its parts. */
  readonly parts?: readonly Code[];
  /** For a path of constant keys: these. */
  readonly keys?: readonly Code[];
  /** For values in boxes: whether none of them is an array. */
  readonly areNoArrays?: boolean;
  /** Whether it is an array in brackets: as an element of another array it stays whole. */
  readonly isBracketed?: boolean;
}

/** Whether a value is of a type. */
export interface Question {
  /** The value, as it is written. */
  readonly of: string;
  readonly type: string;
}

/** An operand as it is written between others, and what it asks if it is a question. */
interface Operand {
  readonly text: string;
  readonly asks?: Question | undefined;
}

/**
 * A path as JSONata writes it, which is right where all of `guard` holds: everything on it is an object or an array, as
 * its name or index wants.
 */
export interface Path {
  readonly guard: readonly Question[];
  readonly text: string;
  /** Whether all names on it are plain words: then it is short. */
  readonly isPlain: boolean;
  /** Whether there surely is a value at its end. */
  readonly isSure: boolean;
}

/** An object, and what asks first whether it can be made. */
export interface Checked {
  readonly object: Code;
  readonly around: (object: Code) => Code;
}

export const code = (text: string, own: Precedence = precedence.primary): Code => ({
  before: [],
  text,
  precedence: own,
});

/** A name, or a path from one. */
export const referenceCode = (text: string): Code => ({ ...code(text), short: "reference" });

/** A short constant. */
export const constantCode = (text: string): Code => ({ ...code(text), short: "constant" });

/** An array in brackets. */
export const bracketed = (text: string): Code => ({ ...code(text), isBracketed: true });

/** A list of nothing. */
export const emptyList: Code = { ...bracketed("[]"), short: "constant" };

/** What gives nothing. */
export const nothing: Code = code("()");

/** Whether a piece is nothing for certain. */
export const isNothing = ({ before, text }: Code): boolean => before.length === 0 && text === "()";

/** A piece where any expression may stand. */
export const whole = ({ before, text }: Code): string =>
  before.length === 0 ? text : `(${[...before, text].join("; ")})`;

/** A piece as an operand: in parentheses where it would fall apart. */
export const operand = (piece: Code, around: Precedence): string =>
  piece.before.length === 0 && piece.precedence < around ? `(${piece.text})` : whole(piece);

/** A call of a function. What the first argument defines stands before the call. */
export function apply(name: string, ...args: readonly Code[]): Code {
  const [first, ...rest] = args as readonly [Code, ...Code[]];
  return after(first.before, code(`$${name}(${[first.text, ...rest.map(whole)].join(", ")})`));
}

/** Two pieces with an operator between them. */
export function infix(operator: string, own: Precedence, left: Code, right: Code): Code {
  const first = operand({ ...left, before: [] }, own === precedence.comparison ? precedence.sum : own);
  return after(left.before, code(`${first} ${operator} ${operand(right, (own + 1) as Precedence)}`, own));
}

/**
 * Pieces linked by `and` or `or`, without parentheses between them. What `and` has asked of a type is not asked again.
 */
export function linked(operator: "and" | "or", pieces: readonly Code[]): Code {
  const [first, ...rest] = pieces as readonly [Code, ...Code[]];
  const own = precedence[operator];
  const parts = [{ ...first, before: [] }, ...rest].flatMap(
    (piece) => (operator === "and" && piece.and) || [operandOf(piece, own)],
  );
  const asked = parts.filter(({ asks }, i) => !asks || !parts.slice(0, i).some((part) => isSame(part.asks, asks)));
  const text = asked.map((part) => part.text).join(` ${operator} `);
  const result = code(text, asked.length > 1 ? own : first.precedence);
  return after(first.before, operator === "and" && asked.length > 1 ? { ...result, and: asked } : result);
}

const operandOf = (piece: Code, around: Precedence): Operand => ({
  text: operand(piece, around),
  asks: piece.before.length > 0 ? undefined : piece.asks,
});

const isSame = (a: Question | undefined, b: Question): boolean => a?.of === b.of && a.type === b.type;

/** `$type(value) = "object"` */
export const question = (asks: Question): Code => ({ ...code(questionText(asks), precedence.comparison), asks });

const questionText = ({ of, type }: Question): string => `$type(${of}) = "${type}"`;

/** A piece after definitions. */
export const after = (definitions: readonly string[], piece: Code): Code => ({
  ...code(piece.text, piece.precedence),
  short: definitions.length > 0 ? undefined : piece.short,
  path: piece.path,
  asks: piece.asks,
  and: piece.before.length + definitions.length > 0 ? undefined : piece.and,
  objects: piece.objects,
  members: definitions.length > 0 ? undefined : piece.members,
  checked: piece.checked,
  before: [...definitions, ...piece.before],
});

/** A piece after another whose value is not wanted, only whether it fails. */
export const discarding = (unwanted: Code, piece: Code): Code =>
  isAtom(unwanted) ? piece : after([...unwanted.before, unwanted.text], piece);

/** `condition ? then : otherwise`; without `otherwise` where that is nothing. */
export function choice(condition: Code, then: Code, otherwise: Code): Code {
  const rest = isNothing(otherwise) ? "" : ` : ${whole(otherwise)}`;
  const test = operand({ ...condition, before: [] }, precedence.or);
  const text = code(`${test} ? ${operand(then, precedence.or)}${rest}`, precedence.choice);
  return isNothing(otherwise)
    ? { ...after(condition.before, text), open: { condition, then, isSure: false } }
    : after(condition.before, text);
}

/** What is at the end of a path that is followed. */
export const endOf = ({ text, isPlain }: Path): Code => (isPlain ? referenceCode(text) : code(text));

/** Code for a path that is written out. */
export function pathCode(path: Path, before: readonly string[] = []): Code {
  if (path.guard.length === 0) return { ...endOf(path), before, path };
  return {
    before,
    text: `${path.guard.map(questionText).join(" and ")} ? ${path.text}`,
    precedence: precedence.choice,
    path,
  };
}

/** What holds where a path can be followed, and a test of what is at its end holds. */
export const guarded = ({ before, path }: Code & { readonly path: Path }, test: Code): Code =>
  after(before, linked("and", [...path.guard.map(question), test]));

/** Whether a piece is a path that is written out. */
export const isPath = (piece: Code): piece is Code & { readonly path: Path } => piece.path !== undefined;

/** A function of one expression. */
export const lambda = (parameters: readonly string[], body: Code): string =>
  `function(${parameters.join(", ")}) { ${whole(body)} }`;

/** Whether a piece can be written twice. */
export const isAtom = ({ before, short }: Code): boolean => before.length === 0 && short !== undefined;

/** Whether a value equals another: false where one is missing. */
export const equal = (left: Code, right: Code): Code => compared(left, "=", right);

/** `=` or `!=`: both false where a value is missing. */
export function compared(left: Code, operator: "=" | "!=" | "in", right: Code): Code {
  if (!isPath(left)) return infix(operator, precedence.comparison, left, right);
  return guarded(left, infix(operator, precedence.comparison, endOf(left.path), right));
}

/**
 * A JSON value as JSONata that gives exactly it. JSONata cannot make a member named `__proto__`: values that have one
 * are parsed.
 */
export function valueText(value: Json): Code {
  if (hasProto(value)) return code(`$parse(${stringText(JSON.stringify(value))})`);
  const short = isShort(value) ? "constant" : undefined;
  if (isObject(value))
    return { ...objectCode(Object.entries(value).map(([key, item]) => [key, valueText(item)] as const)), short };
  const text = plainText(value);
  return { ...(Array.isArray(value) ? bracketed(text) : code(text)), short };
}

/** Whether a constant is short: a whole number, a few letters of which none needs a code, or what holds nothing. */
function isShort(value: Json): boolean {
  if (typeof value === "number") return Number.isInteger(value) && Math.abs(value) < 1e15;
  if (typeof value === "string") return value.length <= 20 && stringText(value).length === value.length + 2;
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}

/**
 * A string literal. Nothing in it ends the expression or looks like the beginning of another, and no text of a user
 * looks like the mark of an error where Step Functions quotes the expression.
 */
export function stringText(text: string): string {
  return JSON.stringify(text).replace(
    /%(?=\})|(?<=\{)%|(?<=waybill):|[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * The regular expression literal of an ECMAScript pattern. JSONata finds its end by counting brackets, so those that
 * only stand for themselves are written as codes.
 */
export function patternText(pattern: string): string {
  let text = "";
  let inClass = false;
  for (const [part] of pattern.matchAll(/\\.|\{\d+(?:,\d*)?\}|./gs)) {
    const opens: boolean = part === "[" && !inClass;
    const closes: boolean = part === "]" && inClass;
    const groups = !inClass && (part.length > 2 || part === "(" || part === ")");
    text += opens || closes || groups ? part : part.length > 2 ? part.replace(/./gs, coded) : coded(part);
    inClass = opens || (inClass && !closes);
  }
  return `/${text === "" ? "(?:)" : text.replaceAll("waybill:", "waybill\\u003a")}/`;
}

/** Whether a text can follow a dot as it is: a name that is no word of JSONata. */
export const isName = (text: string): boolean =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && !/^(?:and|or|in|true|false|null|function)$/.test(text);

/** A member's name after a dot, between back-ticks where it needs them; undefined where it cannot stand there. */
export function nameText(name: string): string | undefined {
  if (isName(name)) return name;
  return /^[\p{L}\p{N}_ .:@/-]+$/u.test(name) && !name.includes("waybill:") ? `\`${name}\`` : undefined;
}

function plainText(value: Json): string {
  if (typeof value === "string") return stringText(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(plainText).join(", ")}]`;
  return membersText(Object.entries(value as JsonObject).map(([key, item]) => [key, plainText(item)] as const));
}

/** An object that is written out: `{"a": 1}`. */
export const objectCode = (members: readonly (readonly [string, Code])[]): Code => ({
  ...code(membersText(members.map(([key, item]) => [key, whole(item)] as const))),
  members,
});

/**
 * An object construction with these members, in their order. JSONata asks the names that it has so far by their own
 * `hasOwnProperty`, so that name has to be the last of its construction.
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

/** A character of a pattern, perhaps escaped: as a code where JSONata would count it or a line could not hold it. */
function coded(part: string): string {
  const character = part.slice(-1);
  if (part === "\\" || !/[()[\]{}/\\%\p{Cc}\u007f-\uffff]/u.test(character)) return part;
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
