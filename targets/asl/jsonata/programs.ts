import {
  childrenOf,
  containsKind,
  type DialectProgram,
  drawnCalls,
  type Expression,
  isParseError,
  type Jsonata,
  jsonataChildren,
  jsonataType,
  jsonataYieldsNothing,
  outputs,
  parseJsonata,
  queryEvaluationError,
  statesJsonata,
  statesReads,
} from "../../../src/expressions/index.ts";
import { blockText, type Code, callCode, code, precedence, referenceCode, ternary, withDefinitions } from "./code.ts";
import { freshName, type JsonataPrinter, reject } from "./context.ts";
import { fixedError } from "./errors.ts";

/** Whether an expression is a program of a state. */
export const isProgram = (expression: Expression): expression is DialectProgram =>
  expression.kind === "dialect" && expression.dialect === statesJsonata;

/** Whether an expression contains one. */
export const containsProgram = (expression: Expression): boolean =>
  containsKind(expression, "dialect") &&
  (isProgram(expression) || childrenOf(expression).some((child) => containsProgram(child.expression)));

/** Prints an expression of the core with one output. */
type Print = (expression: Expression) => Code;

/** Prints a program that is a part of an expression: it fails if it yields nothing. */
export function programCode(program: DialectProgram, printer: JsonataPrinter, print: Print): Code {
  const whole = wholeProgramCode(program, printer, print);
  const tree = treeOf(program);
  if (jsonataType(tree) === "function") return reject("a function as a value", program);
  if (!jsonataYieldsNothing(tree)) return { ...whole, text: `(${whole.text})`, precedence: precedence.primary };
  const name = freshName(printer, "given");
  const found = referenceCode(name);
  const [field = "", state = ""] = program.place ?? [];
  const message = `The JSONata expression of the field '${field}' of the state '${state}' returned nothing (undefined).`;
  const result = ternary(callCode("exists", found), found, code(fixedError(queryEvaluationError, message)));
  return withDefinitions([...whole.definitions, `${name} := (${whole.text})`], result);
}

/** Prints a program that is a whole field: its text, with other names where its inputs have other names. */
export function wholeProgramCode(program: DialectProgram, printer: JsonataPrinter, print: Print): Code {
  if (printer.catchesFailures) return reject("a program whose failure another part takes", program);
  const tree = treeOf(program);
  const locals = new Set<string>();
  for (const node of nodesIn(tree)) {
    for (const name of boundBy(node)) locals.add(name);
    if (node.kind === "variable") printer.usedNames.add(node.name);
  }
  const definitions: string[] = [];
  const named = (expression: Expression, written?: string): string => {
    if (outputs(expression) !== "one") return reject("a program with inputs that may be missing", program);
    const printed = print(expression);
    const [, root] = /^\$(?:(\w+)|states\.(?:input|result|errorOutput))$/.exec(printed.text) ?? [];
    const isName = /^\$(?:\w+|states\.(?:input|result|errorOutput))$/.test(printed.text);
    const isSame = written !== undefined && printed.text === written;
    if ((isName || isSame) && printed.definitions.length === 0 && !locals.has(root ?? "states")) return printed.text;
    const name = freshName(printer, "value");
    definitions.push(...printed.definitions, `${name} := ${blockText({ ...printed, definitions: [] })}`);
    return name;
  };
  const edits = program.inputs.flatMap(({ name, value }) => editsOf({ program, tree, locals, name, value, named }));
  let text = program.text;
  for (const { start, end, replacement } of edits.toSorted((a, b) => b.start - a.start))
    text = text.slice(0, start) + replacement + text.slice(end);
  return withDefinitions(definitions, code(text, precedence.choice));
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

interface ProgramInput {
  readonly program: DialectProgram;
  readonly tree: Jsonata;
  /** The names that the program binds itself. */
  readonly locals: ReadonlySet<string>;
  readonly name: string;
  readonly value: Expression;
  /** The name under which the machine, or a definition before the program, has a value. `written`: as in the program. */
  readonly named: (expression: Expression, written?: string) => string;
}

/** What replaces the reads of an input. */
function editsOf(input: ProgramInput): readonly Edit[] {
  const { program, tree, locals, name, value, named } = input;
  if (name === "now()") return reject("a program that reads the recorded time", program);
  if (name === "uuid()" || name === "random()") {
    const items = value.kind === "array" ? (value.items?.kind === "comma" ? value.items.items : [value.items]) : [];
    const calls = drawnCalls(tree).filter((call) => `${call.name}()` === name);
    return calls.map(({ start, end }, i) => {
      const item = items[i] ?? reject("a program whose random values are not recorded", program);
      return { start, end, replacement: named(item) };
    });
  }
  if (name === "states") return statesEdits(input);
  const plain = name.replace(/\[\]$/, "");
  if (locals.has(plain)) return reject("a program that binds the name of a variable of the machine", program);
  const reads = nodesIn(tree).filter((node) => node.kind === "variable" && node.name === plain);
  const known = named(value);
  const replacement = plain === name ? known : `(${known}[0])`;
  return reads.map(({ start, end }) => ({ start, end, replacement }));
}

function statesEdits({ program, tree, locals, value, named }: ProgramInput): readonly Edit[] {
  if (locals.has("states")) return reject("a program that binds `$states`", program);
  return statesReads(tree).flatMap(({ names, ends, start }): readonly Edit[] => {
    let part = value;
    let count = 0;
    while (part.kind === "object" && count < names.length) {
      const entry = part.entries.find(({ key }) => key.kind === "literal" && key.value === names[count]);
      // What is not there is not there in the machine either.
      if (!entry) return [];
      part = entry.value;
      count += 1;
    }
    const end = ends[count]!;
    return [{ start, end, replacement: named(part, program.text.slice(start, end)) }];
  });
}

function treeOf({ text }: DialectProgram): Jsonata {
  const tree = parseJsonata(text);
  if (isParseError(tree)) throw new Error(`A program of JSONata is invalid: ${tree.message}`);
  return tree;
}

const nodesIn = (node: Jsonata): readonly Jsonata[] => [node, ...jsonataChildren(node).flatMap(nodesIn)];

function boundBy(node: Jsonata): readonly string[] {
  switch (node.kind) {
    case "assign":
    case "focus":
    case "index":
      return [node.variable.name];
    case "lambda":
      return node.parameters.map(({ name }) => name);
    default:
      return [];
  }
}
