/** What is collected while a program is written. */
export interface Writer {
  /** The name of the program's function. */
  readonly name: string;
  /** The functions of the runtime that are called. */
  readonly helpers: Set<string>;
  /** Statements that make constants, before the program's function. */
  readonly constants: string[];
  /** The functions among them that give the member under a key. */
  readonly accessors: Map<string, string>;
  /** How many names have been made up. */
  count: number;
  /** Whether functions are given to functions in a form that tells paths too. */
  readonly tracking: boolean;
  /** Whether a function that is given to a function may break to a label around it. */
  readonly argumentsBreak: boolean;
  /** Whether the program can see the messages of its own failures. */
  readonly seesMessages: boolean;
}

/** A function of the program that is being written. */
export interface Frame {
  readonly outer: Frame | undefined;
  /** The exits around it that it may leave to, by returning their names. */
  readonly exits: Set<Exit>;
}

/** Something that can be left from inside: a labelled block, whose name also is a constant where a function returns it to say that it is left. */
export interface Exit {
  /** The function that it is in; undefined: one unknown around all. */
  readonly frame: Frame | undefined;
  readonly name: string;
  used: boolean;
  /** Whether it is left from inside of another function. */
  crossed: boolean;
}

/** Where text is written. */
export interface Site {
  readonly frame: Frame;
  /** Whether nothing comes after it in its function. */
  readonly tail: boolean;
}

/** A new name. */
export const fresh = (writer: Writer, stem: string): string => `${stem}${++writer.count}`;

/** The name of a function of the runtime, which is taken along. */
export function helper(writer: Writer, name: string): string {
  writer.helpers.add(name);
  return name;
}

/** A function inside of another one. */
export const frameIn = (outer: Frame): Frame => ({ outer, exits: new Set() });

/** The same place, but not the last one in its function. */
export const notLast = (site: Site): Site => (site.tail ? { frame: site.frame, tail: false } : site);

/** A block that can be left. */
export const exitOf = (writer: Writer, site: Site): Exit => ({
  frame: site.frame,
  name: fresh(writer, "l"),
  used: false,
  crossed: false,
});

/** Leaves a block. */
export function leave(exit: Exit, site: Site): string {
  if (!mark(exit, site)) return `break ${exit.name};\n`;
  return `return ${exit.name};\n`;
}

/** A block that is left by `leave`. */
export function block(exit: Exit, body: string): string {
  if (!exit.used) return body;
  return `${exit.crossed ? `const ${exit.name} = {};\n` : ""}${exit.name}: {\n${body}}\n`;
}

/** A call of a function that returns the name of an exit where it is left to; nothing or undefined otherwise. */
export function callStatement(writer: Writer, code: string, exits: Iterable<Exit>, site: Site): string {
  const local: Exit[] = [];
  let outward = false;
  for (const exit of exits) {
    if (mark(exit, site)) outward = true;
    else local.push(exit);
  }
  if (local.length === 0) return outward ? returned(writer, code, site) : `${code};\n`;
  if (local.length === 1 && !outward) return `if (${code}) break ${local[0]!.name};\n`;
  const name = fresh(writer, "s");
  const checks = local.map((exit) => `if (${name} === ${exit.name}) break ${exit.name};\n`);
  return `const ${name} = ${code};\n${checks.join("")}${outward ? `if (${name}) return ${name};\n` : ""}`;
}

function returned(writer: Writer, code: string, site: Site): string {
  if (site.tail) return `return ${code};\n`;
  const name = fresh(writer, "s");
  return `const ${name} = ${code};\nif (${name}) return ${name};\n`;
}

/** Notes that an exit is used; whether it is outside of the function. */
function mark(exit: Exit, { frame }: Site): boolean {
  exit.used = true;
  if (exit.frame === frame) return false;
  exit.crossed = true;
  for (let inner: Frame | undefined = frame; inner && inner !== exit.frame; inner = inner.outer) inner.exits.add(exit);
  return true;
}
