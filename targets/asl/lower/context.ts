import type { Types } from "../../../src/analysis/types/index.ts";
import {
  type Expression,
  factsOf,
  literal,
  object,
  shapeWithin,
  simplify,
  substitute,
  variable,
} from "../../../src/expressions/index.ts";
import { countersOf, errorsOf, type HiddenReads, type Live, liveness, pointsOf } from "../../../src/flow/index.ts";
import { freshNames, type Names, type WorkflowNames, wordStyle } from "../../../src/ir/names.ts";
import { type BuiltIn, builtInOf } from "../../../src/ir/protocols.ts";
import { successors } from "../../../src/ir/walk.ts";
import type { Call, EventDefinition, Reference, Workflow } from "../../../src/ir/workflow.ts";
import { isObject, type Json } from "../../../src/json.ts";
import type { FlatScope, FlatStep, Guards } from "../../../src/lower/index.ts";
import { any, integer, type Shape, string, typeOfShape } from "../../../src/shapes/index.ts";
import type { Span } from "../../../src/text/source.ts";
import {
  failedElsewhere,
  functionNames,
  jsonataString,
  jsonataTemplate,
  type Knowledge,
  printJsonata,
  refusals,
  type VariableText,
} from "../jsonata/index.ts";
import type { State } from "../machine.ts";
import type { Services } from "../services.ts";
import { errorData, keptError, keptShapes, plainErrorName, readMembers } from "./caught.ts";
import type { RaisedNames } from "./raised.ts";

/**
 * Names of what Step Functions itself provides, as variables of resolved expressions. Variables of a machine are letters, digits and underscores: none
 * has a quote in its name, whatever variables a workflow has.
 */
export const provided = {
  input: "input'",
  result: "result'",
  errorOrigin: "error origin'",
  errorName: "error name'",
  errorMessage: "error message'",
  errorData: "error data'",
  carried: "carried'",
  element: "element'",
  index: "index'",
  turnElement: "element of a turn'",
  turn: "turn'",
  given: "given'",
  uuid: "uuid'",
  millis: "millis'",
  random: "random'",
  now: "now'",
  run: "run'",
  failed: "failed'",
  failureName: failedElsewhere.name,
  failureMessage: failedElsewhere.message,
  computed: "computed'",
} as const;

/**
 * What variables are worth at one point, as expressions over what is there when a state is entered: first what has changed since, then what
 * the scope has, then the scopes around it.
 */
export interface Symbols {
  readonly own: ReadonlyMap<string, Expression>;
  readonly outer: Symbols | undefined;
  /** Whether `own` holds what has changed, not what a scope has. */
  readonly changing: boolean;
}

/** What a variable is worth; undefined where no scope has it. */
export function worth(symbols: Symbols, name: string): Expression | undefined {
  for (let layer: Symbols | undefined = symbols; layer; layer = layer.outer) {
    const value = layer.own.get(name);
    if (value) return value;
  }
  return undefined;
}

/** An expression over variables, as one over what is there. */
export function resolve(expression: Expression, symbols: Symbols): Expression {
  const replacements = new Map<string, Expression>();
  for (const name of factsOf(expression).free.keys()) {
    const value = worth(symbols, name);
    if (value) replacements.set(name, value);
  }
  return simplify(substitute(expression, replacements));
}

/** The symbols after variables have been given new values, all computed from the old ones. */
export function assign(
  symbols: Symbols,
  values: readonly { readonly variable: string; readonly value: Expression }[],
): Symbols {
  return withValues(symbols, new Map(values.map(({ variable: name, value }) => [name, resolve(value, symbols)])));
}

/** The symbols with some variables standing for expressions that are there. */
export const withValues = (symbols: Symbols, values: ReadonlyMap<string, Expression>): Symbols =>
  symbols.changing
    ? { ...symbols, own: new Map([...symbols.own, ...values]) }
    : { own: values, outer: symbols, changing: true };

/** What the variables of a scope are worth, in front of those of the scope around it. */
export const inScope = (own: ReadonlyMap<string, Expression>, outer: Symbols | undefined): Symbols => ({
  own,
  outer,
  changing: false,
});

/** The symbols with one variable standing for an expression that is there. */
export const withValue = (symbols: Symbols, name: string | undefined, value: Expression): Symbols =>
  name === undefined ? symbols : withValues(symbols, new Map([[name, value]]));

/** What a branch of the Parallel state that is being left has given. */
export const resultOf = (branch: number): Expression => variable(`${provided.result}${branch}`);

/** What an iteration that is given several values has under a key, which is a plain word. */
export const givenUnder = (key: string): Expression => variable(`${provided.given}${key}`);

/** Whether an expression just is what is provided under a name. */
export const isProvided = (expression: Expression | undefined, name: string): boolean =>
  expression?.kind === "variable" && expression.name === name;

/** The error in a catcher, as an object of its members; without data these are null. */
export const caughtError: Expression = object([
  ["origin", variable(provided.errorOrigin)],
  ["name", variable(provided.errorName)],
  ["message", variable(provided.errorMessage)],
  ["data", variable(provided.errorData)],
]);

/** An error of ours in a catcher: nothing but the value that it carries. */
export const caughtValue: Expression = object([["data", variable(provided.carried)]]);

/** What the function that computes expressions has answered, as an object: whether the expression failed, with what, and else its value. */
export const answer: Expression = object([
  ["failed", variable(provided.failed)],
  ["name", variable(provided.failureName)],
  ["message", variable(provided.failureMessage)],
  ["value", variable(provided.computed)],
]);

/** The document as a state is entered with it. */
export const inputDocument: Expression = variable(provided.input);

/** How much an expression holds: what is folded into one field must stay readable, and under the depth that Step Functions allows. */
export function isLarge(expression: Expression, { machine }: ScopeContext): boolean {
  const { size, depth } = factsOf(expression).weight;
  return size > 200 || depth > 30 || (size > 40 && !isPrintable(expression, machine));
}

function isPrintable(expression: Expression, { printable }: MachineContext): boolean {
  const known = printable.get(expression) ?? refusals(expression).length === 0;
  printable.set(expression, known);
  return known;
}

/** The text of each thing that Step Functions provides. */
const texts: ReadonlyMap<string, ReturnType<VariableText>> = new Map<string, ReturnType<VariableText>>([
  [provided.input, "$states.input"],
  [provided.result, "$states.result"],
  [provided.errorOrigin, "$failure.origin"],
  [provided.errorName, "$failure.name"],
  [provided.errorMessage, "$failure.message"],
  [provided.errorData, "$failure.data"],
  [provided.carried, "$parse($states.errorOutput.Cause).value"],
  [provided.element, "$states.context.Map.Item.Value"],
  [provided.index, "$states.context.Map.Item.Index"],
  [provided.turnElement, "$states.context.Map.Item.Value.item"],
  [provided.turn, "$states.context.Map.Item.Value.turn"],
  [provided.uuid, { call: "$uuid()" }],
  [provided.millis, { call: "$millis()" }],
  [provided.random, { call: "$random()" }],
  [provided.now, { call: "$now()" }],
  [provided.run, "$states.context.Execution.Name"],
  [provided.failed, { call: "$exists($states.result.error)" }],
  [provided.failureName, "$states.result.error.name"],
  [provided.failureMessage, "$states.result.error.message"],
  [provided.computed, "$states.result.value"],
]);

/** How variables of resolved expressions are written: what is provided by its text, everything else is a variable of the machine. */
const environment: VariableText = (name) => texts.get(name) ?? partText(name) ?? `$${name}`;

/** The same where the name of a caught error stands for itself. */
const plainly: VariableText = (name) => (name === provided.errorName ? plainErrorName : environment(name));

const environmentOf = ({ isPlainError }: ScopeContext): VariableText => (isPlainError ? plainly : environment);

/** The text for what a branch has given, or an iteration is given. */
function partText(name: string): string | undefined {
  if (name.startsWith(provided.result)) return `$states.result[${name.slice(provided.result.length)}]`;
  return name.startsWith(provided.given) ? `$states.input.${name.slice(provided.given.length)}` : undefined;
}

/** An expression as the value of a field: JSON with expressions in it where that can be read, else one expression. */
export const field = (expression: Expression, context: ScopeContext): Json =>
  jsonataTemplate(expression, environmentOf(context), knowledgeOf(context));

/** An expression as `Output` or `Arguments`: an object, or one expression. */
export function payload(expression: Expression, context: ScopeContext): Json {
  const written = field(expression, context);
  return isObject(written) || (typeof written === "string" && written.startsWith("{%"))
    ? written
    : single(expression, context);
}

/**
 * An expression as the value of a field that AWS takes as JSON text where it is a text, and for left out where it is null: these two are written as
 * JSON text.
 */
export function jsonField(expression: Expression, context: ScopeContext): Json {
  const shape = shapeWithin(expression, { input: any, variables: context.shapes });
  const type = factsOf(expression).type ?? typeOfShape(shape);
  if (type !== undefined && type !== "string" && type !== "null") return field(expression, context);
  const printed = text(expression, context);
  const [data, head] = /^\$[\w.]+$/.test(printed) ? [printed, ""] : ["$data", `$data := ${printed}; `];
  const encoded = `${head}$type(${data}) in ["string", "null"] ? $replace($string([${data}]), /^\\[|\\]$/, "") : ${data}`;
  return jsonataString(head === "" ? encoded : `(${encoded})`);
}

/** An expression as a single `{% … %}`. */
export const single = (expression: Expression, context: ScopeContext): Json => jsonataString(text(expression, context));

/** An expression as the text of JSONata. */
export const text = (expression: Expression, context: ScopeContext): string =>
  printJsonata(expression, environmentOf(context), knowledgeOf(context));

/** What is known of the variables of resolved expressions in a state. */
export const knowledgeOf = ({ counts, shapes }: ScopeContext): Knowledge => ({
  isCount: (name) => counts.has(name),
  shapes,
});

/** The scope in a state that is entered before a step, where variables are worth something: what is known of them is known of what they are worth. */
export function entered(context: ScopeContext, step: FlatStep, symbols: Symbols): ScopeContext {
  const shapes = new Map(context.always);
  const known = context.machine.proven.get(step.id);
  for (const name of context.live.get(step.id) ?? []) {
    const [value, shape] = [worth(symbols, name), known?.get(name)];
    if (shape && value?.kind === "variable") shapes.set(value.name, shape);
  }
  return { ...context, shapes };
}

/** What is known of what Step Functions provides. */
const providedShapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  [provided.index, integer],
  [provided.millis, integer],
  [provided.errorOrigin, string],
  [provided.errorName, string],
  [provided.errorMessage, string],
  [provided.errorData, errorData],
  [provided.uuid, string],
  [provided.now, string],
  [provided.run, string],
]);

/** Where a step is in a run: the indexes of the branches around it, and the variables that hold those of the iterations, outermost first. */
export type Position = readonly (number | string)[];

/** What is the same in a whole machine. */
export interface MachineContext {
  readonly workflow: Workflow;
  readonly services: Services;
  /** The events of the workflow, by name. */
  readonly events: ReadonlyMap<string, EventDefinition>;
  /** The variable that holds the run's correlation value. */
  readonly correlation: string;
  /** Emitting an event whose definition carries the correlation value reads that. */
  readonly hidden: HiddenReads;
  /** Where each wait for events is in a run. */
  readonly positions: ReadonlyMap<string, Position>;
  /** Whether events that are emitted carry a correlation value that events have given the run. */
  readonly carriesTaken: boolean;
  /** The function that computes what the machine cannot. */
  readonly expressions: string | undefined;
  /** What takes the errors of data of its steps. */
  readonly guards: Guards;
  /** The names that an error of an expression may have, under which no Catch finds it. */
  readonly disguised: ReadonlySet<string>;
  readonly names: WorkflowNames;
  /** What errors of ours are called. */
  readonly raised: RaisedNames;
  /** What is known of the variables before each step, whatever the input is. */
  readonly proven: Types["before"];
  readonly problems: Problem[];
  /** Whether large expressions can be printed, of those that were asked about. */
  readonly printable: Map<Expression, boolean>;
}

/** A construct that turned out to have no exact form on Step Functions. */
export interface Problem {
  readonly span: Span;
  readonly construct: string;
  /** What may help: to compute expressions elsewhere; those of a step too that could be printed, as its errors are to be caught. */
  readonly remedy?: { readonly kind: "compute" } | { readonly kind: "catch"; readonly step: string } | undefined;
}

/** A scope while its states are made. */
export interface ScopeContext {
  readonly machine: MachineContext;
  readonly scope: FlatScope;
  readonly outer: ScopeContext | undefined;
  readonly steps: ReadonlyMap<string, FlatStep>;
  /** From how many places a step is reached. */
  readonly entries: ReadonlyMap<string, number>;
  readonly live: Live;
  /** The variables that only count. */
  readonly counters: ReadonlySet<string>;
  /** The names under which Step Functions knows these and those of the scopes around. */
  readonly counts: ReadonlySet<string>;
  /** What is known wherever in the scope. */
  readonly always: ReadonlyMap<string, Shape>;
  /** Whether the name of the error that is caught is what Step Functions has for it. */
  readonly isPlainError?: true | undefined;
  /** Of variables that hold errors: the members that are read. */
  readonly errorMembers: ReadonlyMap<string, ReadonlySet<string>>;
  /** What is known, in the state that is being made, of what there is when it is entered. */
  readonly shapes: ReadonlyMap<string, Shape>;
  /** The names under which Step Functions knows the variables of the scope. */
  readonly names: ReadonlyMap<string, string>;
  /** These names, and those of the scopes around. */
  readonly taken: Names;
  /** What the variables are worth whenever a state is entered. */
  readonly canonical: Symbols;
  readonly states: State[];
  /** Steps that a state has to begin with, in the order in which they were asked for. */
  readonly pending: string[];
  readonly asked: Set<string>;
}

/** Prepares a scope. */
export function openScope(
  scope: FlatScope,
  machine: MachineContext,
  outer: ScopeContext | undefined,
  extra: readonly string[],
): ScopeContext {
  const steps = new Map(scope.steps.map((step) => [step.id, step]));
  const taken = outer ? outer.taken.inner() : freshNames(reserved, wordStyle);
  const variables = new Set([...scope.variables.map(({ name }) => name), ...extra]);
  const names = new Map([...variables].map((name) => [name, taken.fresh(plainName(name))]));
  const live = liveness(pointsOf(scope, machine.hidden));
  const early = live.get(scope.entry.name)!;
  const counters = countersOf(scope.steps, early);
  const errors = errorsOf(scope.steps, early);
  const symbols = symbolsOf(names, errors).set(machine.workflow.input, inputDocument);
  const always = new Map([
    ...(outer?.always ?? providedShapes),
    ...[...errors].flatMap((name) => (names.has(name) ? keptShapes(names.get(name)!) : [])),
  ]);
  return {
    machine,
    scope,
    outer,
    steps,
    counters,
    counts: new Set([...(outer?.counts ?? [provided.index]), ...[...counters].map((name) => names.get(name)!)]),
    always,
    errorMembers: readMembers(scope, errors, machine.hidden),
    shapes: always,
    names,
    taken,
    entries: countEntries(scope, steps),
    live,
    canonical: inScope(symbols, outer?.canonical),
    states: [],
    pending: [],
    asked: new Set(),
  };
}

/** What the variables of a scope are worth under the names that Step Functions knows them by; errors are known to have their members. */
const symbolsOf = (names: ReadonlyMap<string, string>, errors: ReadonlySet<string>): Map<string, Expression> =>
  new Map([...names].map(([name, known]) => [name, errors.has(name) ? keptError(known) : variable(known)]));

/** The step that a reference means. */
export const target = (context: Pick<ScopeContext, "steps">, reference: Reference): FlatStep =>
  context.steps.get(reference.name)!;

/** Asks for a state that begins with a step; its key. */
export function ask(context: ScopeContext, step: FlatStep): string {
  if (!context.asked.has(step.id)) {
    context.asked.add(step.id);
    context.pending.push(step.id);
  }
  return step.id;
}

/** The variables other than the document that are wanted when a step is reached. */
export function wanted({ live, machine, names }: ScopeContext, step: FlatStep): readonly string[] {
  const read = live.get(step.id);
  return [...names.keys()].filter((name) => name !== machine.workflow.input && read?.has(name));
}

/** Whether a variable is worth what Step Functions has under its name already. */
export function isKept({ canonical, names }: ScopeContext, symbols: Symbols, name: string): boolean {
  if (symbols === canonical || (symbols.changing && symbols.outer === canonical && !symbols.own.has(name))) return true;
  const value = worth(symbols, name);
  return value === worth(canonical, name) || isProvided(value, names.get(name)!);
}

/** The built-in function of JSONata that a call is, if it is one. */
export const builtInCall = (step: Call, { functions }: Workflow): BuiltIn | undefined =>
  builtInOf(functions.find(({ name }) => name === step.function.name)?.protocol);

/** The value of a variable that has none: every variable of the IR is null at first. */
export const unset: Expression = literal(null);

function countEntries(scope: FlatScope, steps: ReadonlyMap<string, FlatStep>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const seen = new Set<FlatStep>();
  const pending = [target({ steps }, scope.entry)];
  counts.set(pending[0]!.id, 0);
  for (let step = pending.pop(); step; step = pending.pop()) {
    if (seen.has(step)) continue;
    seen.add(step);
    for (const reference of successors(step)) {
      const next = target({ steps }, reference);
      counts.set(next.id, (counts.get(next.id) ?? 0) + 1);
      pending.push(next);
    }
  }
  return counts;
}

/** Names that variables of a machine do not have: what catchers call the error, and functions. */
const reserved: readonly string[] = ["states", "failure", ...functionNames];

/**
 * A name as Step Functions takes it: letters, digits and underscores, at most 80 characters with a number; and none that all objects have, which
 * executors written in JavaScript stumble over.
 */
export function plainName(name: string): string {
  const plain =
    name
      .replace(/[^A-Za-z0-9_]+/g, "_")
      .replace(/^[^A-Za-z]+/, "")
      .replace(/_+$/, "")
      .slice(0, 60) || "value";
  return functionNames.has(plain) || plain in {} ? `${plain}Value` : plain;
}
