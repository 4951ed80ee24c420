import {
  collect,
  comma,
  drawnCalls,
  type Expression,
  isParseError,
  type Jsonata,
  javaDifferences,
  javaOnlySyntax,
  jsonataChildren,
  jsonataDocumentReads,
  jsonataFreeVariables,
  literal,
  object,
  parseJsonata,
  queryEvaluationError,
  readsTime,
  riskyDivisions,
  statesFunctions,
  statesProgram,
  statesReads,
  variable,
} from "../../expressions/index.ts";
import type { Report } from "../../text/diagnostics.ts";
import type { Span } from "../../text/source.ts";
import { inputName } from "./context.ts";
import { checkContextNames, contextObject, partOfContext } from "./context-object.ts";
import {
  differentCharacters,
  differentPattern,
  divisionByZero,
  emptyStatesMember,
  hiddenVariable,
  javaOnlyPattern,
  jsonataSyntax,
  newerJsonata,
  noDocument,
  unknownFunction,
  unknownVariable,
  unsupportedField,
} from "./diagnostics/kinds.ts";
import type { PathRoots } from "./paths.ts";
import { reportComputed, reportUnreadable } from "./placeholders.ts";
import { type Field, valueAt } from "./templates.ts";

/** What the expressions of a field read. */
export interface ProgramRoots extends Pick<PathRoots, "writer" | "item" | "token"> {
  /** The value of `$states.result`. */
  readonly result?: Expression | undefined;
  /** The value of `$states.errorOutput`. */
  readonly errorOutput?: Expression | undefined;
}

/** An expression in the source. */
interface Program {
  readonly roots: ProgramRoots;
  readonly tree: Jsonata;
  readonly text: string;
  spanAt(range: { readonly start: number; readonly end: number }): Span;
}

type Input = readonly [name: string, value: Expression];

/** The value of a field that is an expression of JSONata; reports errors. `label` names the field in messages. */
export function programAt(roots: ProgramRoots, field: Field, label: string): Expression {
  const { name: state } = roots.writer;
  const program = readProgram(roots, field);
  if (!program) return literal(null);
  checkProgram(program);
  return statesProgram(program.text, { field: label, state }, [
    ...statesInput(program),
    ...variableInputs(program),
    ...recordedInputs(program, field),
  ]);
}

function readProgram(roots: ProgramRoots, field: Field): Program | undefined {
  const { context } = roots.writer;
  const whole = String(valueAt(field)).slice(2, -2);
  const text = whole.trim();
  const skipped = 2 + whole.length - whole.trimStart().length;
  const spanAt: Program["spanAt"] = ({ start, end }) =>
    context.document.spanWithin(field.owner, field.key, start + skipped, end + skipped);
  const tree = parseJsonata(text);
  if (!isParseError(tree)) return { roots, tree, text, spanAt };
  const { message, hint, code, from: start, to: end } = tree;
  const isRead = !reportUnreadable({ text, spanAt: (from, to) => spanAt({ start: from, end: to }) }, context.report);
  const syntax = code === "S0303" ? javaOnlySyntax(text.slice(start, end)) : undefined;
  if (syntax !== undefined) context.report(javaOnlyPattern(spanAt({ start, end }), { syntax }));
  else if (isRead) context.report(jsonataSyntax(spanAt({ start, end }), { message, hint }));
  return undefined;
}

/** Reports what expressions of states do not have. */
function checkProgram({ roots, tree, text, spanAt }: Program): void {
  const { report } = roots.writer.context;
  for (const read of jsonataDocumentReads(tree))
    report(noDocument(spanAt(read), { text: text.slice(read.start, read.end) }));
  const visit = (node: Jsonata): void => {
    if (node.kind === "fallback") report(newerJsonata(spanAt(node), { operator: node.operator }));
    if (node.kind === "call" && node.procedure.kind === "variable") checkFunction(node.procedure);
    if (node.kind === "regex") checkPattern(node, spanAt, report);
    if (node.kind === "string" || node.kind === "regex") {
      const part = text.slice(node.start, node.end);
      const within = (from: number, to: number) => spanAt({ start: node.start + from, end: node.start + to });
      reportComputed({ text: part, spanAt: within }, report);
    }
    for (const child of jsonataChildren(node)) visit(child);
  };
  const free = new Set(jsonataFreeVariables(tree));
  const checkFunction = (called: Jsonata & { readonly kind: "variable" }): void => {
    const { name } = called;
    if (!free.has(name) || roots.writer.scope.assigned.has(name)) return;
    if (!statesFunctions.has(name)) report(unknownFunction(spanAt(called), { name, known: [...statesFunctions] }));
    if (name === "hash" || name === "shuffle")
      report(unsupportedField(spanAt(called), { what: `The function \`$${name}\`` }));
  };
  visit(tree);
  for (const { isZero, ...range } of riskyDivisions(tree, text)) report(divisionByZero(spanAt(range), { isZero }));
}

/** Reports what Java, in which Step Functions evaluates regular expressions, reads differently. */
function checkPattern(node: Jsonata & { readonly kind: "regex" }, spanAt: Program["spanAt"], report: Report): void {
  const { pattern, flags, start } = node;
  const differences = javaDifferences(pattern, flags);
  const rare = differences.filter(({ isRare }) => isRare);
  for (const each of differences)
    if (!each.isRare) {
      const range = { start: start + 1 + each.start, end: start + 1 + each.end };
      report(differentPattern(spanAt(range), { reading: each.reading }));
    }
  if (rare.length > 0)
    report(differentCharacters(spanAt(node), { readings: [...new Set(rare.map(({ reading }) => reading))] }));
}

/** The members of `$states` that an expression reads. */
function statesInput({ roots, tree, spanAt }: Program): readonly Input[] {
  const reads = statesReads(tree);
  if (reads.length === 0) return [];
  const { result, errorOutput } = roots;
  const context = contextObject(roots);
  const given: readonly Input[] = [
    ["input", variable(inputName)],
    ["context", context],
    ...(result ? [["result", result] as const] : []),
    ...(errorOutput ? [["errorOutput", errorOutput] as const] : []),
  ];
  const known = given.map(([name]) => name);
  const fields: (readonly string[])[] = [];
  for (const { names, ...range } of reads) {
    const [name = "context", ...rest] = names;
    if (!known.includes(name)) roots.writer.context.report(emptyStatesMember(spanAt(range), { name, known }));
    if (name !== "context") continue;
    fields.push(rest);
    checkContextNames(roots, rest, spanAt(range), "$states.context");
  }
  const isRead = (name: string): boolean => reads.some(({ names: [first = name] }) => first === name);
  const members = given.filter(([name]) => isRead(name));
  return [
    [
      "states",
      object(members.map(([name, value]) => [name, name === "context" ? partOfContext(context, fields) : value])),
    ],
  ];
}

/** The variables of the machine that an expression reads; one that may have no value is an array of at most one. */
function variableInputs({ roots, tree, spanAt }: Program): readonly Input[] {
  const { scope, context } = roots.writer;
  return jsonataFreeVariables(tree).flatMap((name): readonly Input[] => {
    const found = scope.assigned.get(name);
    if (found) return [[found.isBoxed ? `${name}[]` : name, variable(found.name)]];
    if (name === "states" || statesFunctions.has(name)) return [];
    const known = [...scope.assigned.keys()];
    const read = findVariable(tree, name);
    if (read && scope.hidden?.has(name)) {
      context.report(hiddenVariable(spanAt(read.node), { name }));
      return [];
    }
    if (read && !read.isCalled)
      context.report(unknownVariable(spanAt(read.node), { name, known, error: queryEvaluationError }));
    return [];
  });
}

/** The time and the values of `$uuid()` and `$random()`, which the state has recorded before. */
function recordedInputs({ roots, tree, spanAt }: Program, field: Field): readonly Input[] {
  const { context, preparation } = roots.writer;
  const { queried } = preparation;
  const draws = drawnCalls(tree);
  for (const { name, isRepeated, ...range } of draws)
    if (isRepeated || roots.item)
      context.report(unsupportedField(spanAt(range), { what: `\`$${name}()\` that may be evaluated several times` }));
  const drawn = queried?.draws.get(field.owner)?.get(field.key) ?? [];
  const listOf = (wanted: string): Input => {
    const names = drawn.filter((_, i) => draws[i]?.name === wanted).map((name) => variable(name));
    return [`${wanted}()`, collect(names.length === 1 ? names[0] : comma(...names))];
  };
  return [
    ...(queried?.clock !== undefined && readsTime(tree) ? [["now()", variable(queried.clock)] as const] : []),
    ...[...new Set(draws.map(({ name }) => name))].map(listOf),
  ];
}

/** The first variable of a name in an expression, and whether it is called there. */
function findVariable(node: Jsonata, name: string): { readonly node: Jsonata; readonly isCalled: boolean } | undefined {
  if (node.kind === "variable") return node.name === name ? { node, isCalled: false } : undefined;
  if (node.kind === "call" && node.procedure.kind === "variable" && node.procedure.name === name)
    return { node: node.procedure, isCalled: true };
  for (const child of jsonataChildren(node)) {
    const found = findVariable(child, name);
    if (found) return found;
  }
  return undefined;
}
