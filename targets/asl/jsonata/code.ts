/** How tightly JSONata binds, loosest first. */
export const level = { choice: 0, or: 1, and: 2, comparison: 3, sum: 4, product: 5, primary: 6 } as const;

/** How tightly a text holds together. */
export type Level = (typeof level)[keyof typeof level];

/** A piece of JSONata: definitions, and the text that gives its value. */
export interface Code {
  readonly before: readonly string[];
  readonly text: string;
  readonly level: Level;
  /** For a path that is written out: what has to hold for it to be followed, and the path. */
  readonly path?: Path | undefined;
  /** For what `and` links, after no definitions: that. */
  readonly and?: readonly string[] | undefined;
  /** For `$merge` of objects: these. */
  readonly objects?: readonly Code[] | undefined;
  /** For an object that is made of what has to be one, else nothing is made: the object, and the question around it. */
  readonly checked?: Checked | undefined;
  /** For what is only there under a condition: both. `isSure`: under the condition it surely is. */
  readonly open?: { readonly condition: Code; readonly then: Code; readonly isSure: boolean };
  /** For a list that is written out: its parts. */
  readonly parts?: readonly Code[];
  /** Whether it is an array in brackets: as an element of another array it stays whole. */
  readonly isBracketed?: boolean;
}

/** A path as JSONata writes it, which is right where all of `guard` holds: everything on it is an object or an array, as its name or index wants. */
export interface Path {
  readonly guard: readonly string[];
  readonly text: string;
}

/** An object, and what asks first whether it can be made. */
export interface Checked {
  readonly object: Code;
  readonly around: (object: Code) => Code;
}

export const code = (text: string, own: Level = level.primary): Code => ({ before: [], text, level: own });

/** An array in brackets. */
export const bracketed = (text: string): Code => ({ ...code(text), isBracketed: true });

/** What gives nothing. */
export const nothing: Code = code("()");

/** Whether a piece is nothing for certain. */
export const isNothing = ({ before, text }: Code): boolean => before.length === 0 && text === "()";

/** A piece where any expression may stand. */
export const whole = ({ before, text }: Code): string =>
  before.length === 0 ? text : `(${[...before, text].join("; ")})`;

/** A piece as an operand: in parentheses where it would fall apart. */
export const operand = (piece: Code, around: Level): string =>
  piece.before.length === 0 && piece.level < around ? `(${piece.text})` : whole(piece);

/** A call of a function. What the first argument defines stands before the call. */
export function apply(name: string, ...args: readonly Code[]): Code {
  const [first, ...rest] = args as readonly [Code, ...Code[]];
  return after(first.before, code(`$${name}(${[first.text, ...rest.map(whole)].join(", ")})`));
}

/** Two pieces with an operator between them. */
export function infix(operator: string, own: Level, left: Code, right: Code): Code {
  const first = operand({ ...left, before: [] }, own === level.comparison ? level.sum : own);
  return after(left.before, code(`${first} ${operator} ${operand(right, (own + 1) as Level)}`, own));
}

/** Pieces linked by `and` or `or`, without parentheses between them. What `and` has asked of a type is not asked again. */
export function linked(operator: "and" | "or", pieces: readonly Code[]): Code {
  const [first, ...rest] = pieces as readonly [Code, ...Code[]];
  const own = level[operator];
  const parts = [{ ...first, before: [] }, ...rest].flatMap(
    (piece) => (operator === "and" && piece.and) || [operand(piece, own)],
  );
  const asked = parts.filter((part, i) => !(part.startsWith("$type(") && parts.indexOf(part) < i));
  const result = code(asked.join(` ${operator} `), asked.length > 1 ? own : first.level);
  return after(first.before, operator === "and" && asked.length > 1 ? { ...result, and: asked } : result);
}

/** A piece after definitions. */
export const after = (definitions: readonly string[], piece: Code): Code => ({
  ...code(piece.text, piece.level),
  path: piece.path,
  and: piece.before.length + definitions.length > 0 ? undefined : piece.and,
  objects: piece.objects,
  checked: piece.checked,
  before: [...definitions, ...piece.before],
});

/** A piece after another whose value is not wanted, only whether it fails. */
export const discarding = (unwanted: Code, piece: Code): Code =>
  isAtom(unwanted) ? piece : after([...unwanted.before, unwanted.text], piece);

/** `condition ? then : otherwise`; without `otherwise` where that is nothing. */
export function choice(condition: Code, then: Code, otherwise: Code): Code {
  const rest = isNothing(otherwise) ? "" : ` : ${whole(otherwise)}`;
  const test = operand({ ...condition, before: [] }, level.or);
  const text = code(`${test} ? ${operand(then, level.or)}${rest}`, level.choice);
  return isNothing(otherwise)
    ? { ...after(condition.before, text), open: { condition, then, isSure: false } }
    : after(condition.before, text);
}

/** Code for a path that is written out. */
export function pathCode(path: Path, before: readonly string[] = []): Code {
  return { before, text: `${path.guard.join(" and ")} ? ${path.text}`, level: level.choice, path };
}

/** What holds where a path can be followed, and a test of what is at its end holds. */
export const guarded = ({ before, path }: Code & { readonly path: Path }, test: Code): Code =>
  after(before, linked("and", [...path.guard.map((question) => code(question, level.comparison)), test]));

/** Whether a piece is a path that is written out. */
export const isPath = (piece: Code): piece is Code & { readonly path: Path } => piece.path !== undefined;

/** A function of one expression. */
export const lambda = (parameters: readonly string[], body: Code): string =>
  `function(${parameters.join(", ")}) { ${whole(body)} }`;

/** Whether a piece can be written twice: a name, a path from one, or a short constant. */
export const isAtom = ({ before, text }: Code): boolean =>
  before.length === 0 &&
  /^(?:\$[A-Za-z_](?:[\w.]|\[\d+\])*|value|-?\d{1,15}|true|false|null|"[^"\\]{0,20}"|\[\]|\{\})$/.test(text);
