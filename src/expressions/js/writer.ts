import { type Block, type CallExpression, type Identifier, type JsExpression, js } from "../../js-ast/index.ts";
import type { Expression } from "../core/ast.ts";
import type { JqTypeName } from "../library/types.ts";
import { type Temporary, type TemporaryKind, temporaryOf } from "./temporaries.ts";

/** What is collected while a program is written. */
export interface Writer {
  /** The name of the program's function. */
  readonly name: string;
  /** A reference to a function of the runtime. */
  readonly helper: (name: string) => Identifier;
  /** A reference to a function that reads one member, if the program's module has such. */
  readonly accessor: ((key: string, isTotal?: boolean) => Identifier) | undefined;
  /** Whether the program has the policy `readable`. */
  readonly isReadable: boolean;
  /** The functions of the runtime that are called. */
  readonly helpers: Set<string>;
  /** Expressions that are known to need statements. */
  readonly withoutValue: Set<Expression>;
  /** The types of values that temporaries hold, where these are known. */
  readonly types: Map<string, JqTypeName | undefined>;
  /** What functions of an array return, by the name of the object that reduces it in place of the array. */
  readonly reductions: Map<string, ReadonlyMap<string, JsExpression>>;
  /** Constants before the program's function. */
  readonly constants: { readonly name: string; readonly value: JsExpression }[];
  /** The functions among them that give the member under a key. */
  readonly accessors: Map<string, string>;
  /** The names that have been made up. */
  readonly temporaries: Map<string, Temporary>;
  /** Whether functions that are passed as arguments track paths, too. */
  readonly tracking: boolean;
  /** Whether a function that is given to a function may break to a label around it. */
  readonly argumentsBreak: boolean;
  /** Whether the program can see the messages of its own failures. */
  readonly seesMessages: boolean;
  /** Whether the rounds of its loops are counted, as they may be very many. */
  readonly counts: boolean;
}

/** So many rounds are made by all loops of a program together, in about as many steps as the evaluator takes at most. */
export const mostRounds = 5_000_000;

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

/** Where statements are written. */
export interface Site {
  readonly frame: Frame;
  /** Whether nothing comes after them in their function. */
  readonly tail: boolean;
}

/** A new name, of the word that is wanted if that is free where the name is visible. */
export function fresh(writer: Writer, kind: TemporaryKind, wanted?: string): string {
  const name = `${kind}${wanted === undefined ? "" : `:${wanted}`}#${writer.temporaries.size + 1}`;
  writer.temporaries.set(name, temporaryOf(kind, wanted));
  return name;
}

/** The name of a constant before the program's function: `program_1_`. */
export function constantFor(writer: Writer, value: JsExpression): string {
  const name = `${writer.name}_${writer.constants.length + 1}_`;
  writer.constants.push({ name, value });
  return name;
}

/** A call of a function of the runtime, which is taken along: `plus(a, b)`. */
export function helped(writer: Writer, name: string, ...args: readonly JsExpression[]): CallExpression {
  return js.call(helperNamed(writer, name), args);
}

/** A function of the runtime, which is taken along. */
export function helperNamed(writer: Writer, name: string): Identifier {
  writer.helpers.add(name);
  return writer.helper(name);
}

/** What begins each round of a loop: `if ((steps += 1) > 5000000) endSteps();`, where rounds are counted. */
export function counted(writer: Writer): Block {
  if (!writer.counts) return [];
  const steps = js.assignment(js.name("steps"), js.literal(1), "+=");
  return [
    js.ifStatement(js.binary(steps, ">", js.literal(mostRounds)), [js.expressionStatement(helped(writer, "endSteps"))]),
  ];
}

/** A function inside of another one. */
export const frameIn = (outer: Frame): Frame => ({ outer, exits: new Set() });

/** The same place, but not the last one in its function. */
export const notLast = (site: Site): Site => (site.tail ? { frame: site.frame, tail: false } : site);

/** A block that can be left. */
export const exitOf = (writer: Writer, site: Site): Exit => ({
  frame: site.frame,
  name: fresh(writer, "label"),
  used: false,
  crossed: false,
});

/** Leaves a block: `break l1;`, or from inside of another function `return l1;`. */
export const leave = (exit: Exit, site: Site): Block => [
  mark(exit, site) ? js.returnStatement(js.name(exit.name)) : js.breakStatement(exit.name),
];

/** A block that is left by `leave`: `l1: { … }`. */
export function block(exit: Exit, body: Block): Block {
  if (!exit.used) return body;
  const labelled = js.labeled(exit.name, body);
  return exit.crossed ? [js.constant(exit.name, js.object([])), labelled] : [labelled];
}

/** A call of a function that returns the name of an exit where it is left to; nothing or undefined otherwise. */
export function callStatement(writer: Writer, call: JsExpression, exits: Iterable<Exit>, site: Site): Block {
  const local: Exit[] = [];
  let outward = false;
  for (const exit of exits) {
    if (mark(exit, site)) outward = true;
    else local.push(exit);
  }
  if (local.length === 0) return outward ? returned(writer, call, site) : [js.expressionStatement(call)];
  if (local.length === 1 && !outward) return [js.ifStatement(call, [js.breakStatement(local[0]!.name)])];
  const name = fresh(writer, "exit");
  const checks = local.map((exit) =>
    js.ifStatement(js.binary(js.name(name), "===", js.name(exit.name)), [js.breakStatement(exit.name)]),
  );
  return [js.constant(name, call), ...checks, ...(outward ? [givenIfAny(name)] : [])];
}

function returned(writer: Writer, call: JsExpression, site: Site): Block {
  if (site.tail) return [js.returnStatement(call)];
  const name = fresh(writer, "exit");
  return [js.constant(name, call), givenIfAny(name)];
}

/** `if (s1) return s1;` */
const givenIfAny = (name: string): Block[number] => js.ifStatement(js.name(name), [js.returnStatement(js.name(name))]);

/** Notes that an exit is used; whether it is outside of the function. */
function mark(exit: Exit, { frame }: Site): boolean {
  exit.used = true;
  if (exit.frame === frame) return false;
  exit.crossed = true;
  for (let inner: Frame | undefined = frame; inner && inner !== exit.frame; inner = inner.outer) inner.exits.add(exit);
  return true;
}
