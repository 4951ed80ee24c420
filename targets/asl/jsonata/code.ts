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
  readonly path?: { readonly guard: string; readonly text: string };
  /** For a list that is written out: its parts. */
  readonly parts?: readonly Code[];
}

export const code = (text: string, own: Level = level.primary): Code => ({ before: [], text, level: own });

/** What gives nothing. */
export const nothing: Code = code("()");

/** Whether a piece is nothing for certain. */
export const isNothing = ({ before, text }: Code): boolean => before.length === 0 && text === "()";

/** A piece where any expression may stand. */
export const whole = ({ before, text }: Code): string => (before.length === 0 ? text : `(${[...before, text].join("; ")})`);

/** A piece as an operand: in parentheses where it would fall apart. */
export const operand = (piece: Code, around: Level): string =>
  piece.before.length === 0 && piece.level < around ? `(${piece.text})` : whole(piece);

/** A call of a function. */
export const apply = (name: string, ...args: readonly Code[]): Code => code(`$${name}(${args.map(whole).join(", ")})`);

/** Two pieces with an operator between them. */
export const infix = (operator: string, own: Level, left: Code, right: Code): Code =>
  code(`${operand(left, own === level.comparison ? level.sum : own)} ${operator} ${operand(right, (own + 1) as Level)}`, own);

/** A piece after definitions. */
export const after = (definitions: readonly string[], piece: Code): Code => ({
  ...code(piece.text, piece.level),
  before: [...definitions, ...piece.before],
});

/** `condition ? then : otherwise`; without `otherwise` where that is nothing. */
export function choice(condition: Code, then: Code, otherwise: Code): Code {
  const rest = isNothing(otherwise) ? "" : ` : ${whole(otherwise)}`;
  return code(`${operand(condition, level.or)} ? ${operand(then, level.or)}${rest}`, level.choice);
}

/** A function of one expression. */
export const lambda = (parameters: readonly string[], body: Code): string => `function(${parameters.join(", ")}) { ${whole(body)} }`;

/** Whether a piece can be written twice: a name, a path from one, or a short constant. */
export const isAtom = ({ before, text }: Code): boolean =>
  before.length === 0 && /^(?:\$[A-Za-z_][\w.]*|value|-?\d{1,15}|true|false|null|"[^"\\]{0,20}"|\[\]|\{\})$/.test(text);
