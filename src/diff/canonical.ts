import { type Expression, effectsOf, simplify, substitute, variable } from "../expressions/index.ts";
import { argumentVariables } from "../ir/callbacks.ts";
import { stepsById, successors } from "../ir/walk.ts";
import type { Scope, Step, Workflow } from "../ir/workflow.ts";
import { printDefinitions, printType, type Type } from "../types/index.ts";
import { usedDefinitions } from "./definitions.ts";

/**
 * The canonical form of a workflow: if two are equal, the workflows behave alike and have the same names. It contains
 * neither positions, unreachable steps and unused definitions nor the language. Steps are numbered from the entry of
 * their scope, variables by first use; expressions are simplified; declarations are sorted.
 */
export function canonicalForm(workflow: Workflow): string {
  const { language: _, span: __, native: ___, input, body, functions: ____, events: _____, ...header } = workflow;
  const printer = new Printer(input);
  return JSON.stringify({
    header: printer.part(header, noNames),
    body: printer.scope(body, noNames),
    ...canonicalDefinitions(workflow),
  });
}

function canonicalDefinitions(workflow: Workflow): { readonly [kind: string]: unknown } {
  const printer = new Printer(workflow.input);
  const { functions, events } = usedDefinitions(workflow);
  return {
    functions: functions.map((each) => printer.part(each, noNames)),
    events: events.map((each) => printer.part(each, noNames)),
  };
}

/** The canonical form of a definition of a function or an event. */
export const canonicalDefinition = (definition: object): string =>
  JSON.stringify(new Printer("").part(definition, noNames));

/** The canonical form of an expression; its variables keep their names. */
export const canonicalExpression = (expression: Expression): string =>
  JSON.stringify(withoutSpans(simplify(expression)));

/** A variable, whose canonical name is given at its first use. */
interface CanonicalVariable {
  name?: string;
}

type Names = ReadonlyMap<string, CanonicalVariable>;

const noNames: Names = new Map();

class Printer {
  readonly #input: string;
  readonly #steps: ReadonlyMap<string, number>[] = [];
  #count = 0;

  /** `input`: the variable whose value a scope outside of its window returns. */
  constructor(input: string) {
    this.#input = input;
  }

  scope(scope: Scope, outer: Names, parameters: readonly string[] = []): unknown {
    const declared = [...scope.variables.map(({ name }) => name), ...parameters];
    const names = new Map([...outer, ...declared.map((name): [string, CanonicalVariable] => [name, {}])]);
    const order = stepsFromEntry(scope);
    this.#steps.push(new Map(order.map(({ id }, i) => [id, i])));
    const steps = order.map((step) => this.#step(step, names));
    this.#steps.pop();
    const initials = scope.variables.flatMap(({ name, initial }) =>
      initial ? [[this.#name(name, names), this.#expression(initial, outer)] as const] : [],
    );
    const input = this.#name(this.#input, names);
    return {
      steps,
      initials: initials.sort(([a], [b]) => (a < b ? -1 : 1)),
      parameters: parameters.map((name) => this.#name(name, names)),
      ...(outer === noNames ? { input } : {}),
      ...(scope.window ? { window: { ...scope.window, input } } : {}),
    };
  }

  #step(step: Step, names: Names): unknown {
    const { id: _, origin, ...own } = step;
    const bound = step.kind === "call" ? argumentVariables(step) : [];
    const inner = new Map([...names, ...bound.map((each): [string, CanonicalVariable] => [each, {}])]);
    const name = origin.entry ? origin.name : null;
    return { name, step: this.part(own, bound.length === 0 ? names : inner, parametersOf(step)) };
  }

  /** Sorts the members of objects, so that their order in the IR does not count. */
  part(value: unknown, names: Names, parameters: readonly string[] = []): unknown {
    if (Array.isArray(value)) return value.map((each: unknown) => this.part(each, names));
    if (typeof value !== "object" || value === null) return plain(value);
    const members = Object.entries(value).flatMap(([key, inner]): readonly (readonly [string, unknown])[] =>
      inner === undefined || skipped.has(key) ? [] : [[key, this.#member(key, inner, names, parameters)]],
    );
    return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #member(key: string, value: unknown, names: Names, parameters: readonly string[]): unknown {
    if (verbatim.has(key)) return plain(value);
    if (typed.has(key)) return printWhole(isParameterType(value) ? value.type : (value as Type));
    if (isScope(value)) return this.scope(value, names, parameters);
    if (isReference(value)) return jumps.has(key) ? (this.#steps.at(-1)?.get(value.name) ?? value.name) : value.name;
    if (isExpression(key, value)) return this.#expression(value, names);
    if (typeof value === "string") return variables.has(key) ? this.#name(value, names) : value;
    if (key === "restore") return (value as readonly string[]).map((name) => this.#name(name, names)).sort();
    return this.part(value, names);
  }

  #expression(expression: Expression, names: Names): unknown {
    const simple = simplify(expression);
    const free = [...effectsOf(simple).free.keys()].filter((name) => names.has(name));
    return withoutSpans(substitute(simple, new Map(free.map((name) => [name, variable(this.#name(name, names))]))));
  }

  /** Names without a declaration, such as `error`, remain. */
  #name(name: string, names: Names): string {
    const known = names.get(name);
    if (!known) return name;
    known.name ??= `#${this.#count++}`;
    return known.name;
  }
}

/** Positions, and the names of the variables of iterations, which the scope declares. */
const skipped = new Set(["span", "spans", "element", "index"]);
const verbatim = new Set(["attributes", "metadata", "inputRules"]);
const typed = new Set(["resultType", "parameterType", "dataType", "inputType", "outputType"]);
const jumps = new Set(["next", "otherwise"]);
const variables = new Set(["variable", "bind", "token"]);
const expressions = new Set([
  "argument",
  "value",
  "when",
  "items",
  "input",
  "data",
  "seconds",
  "instant",
  "correlation",
  "timeout",
  "heartbeat",
  "within",
  "base",
  "cap",
]);

const parametersOf = (step: Step): readonly string[] =>
  step.kind === "foreach" ? [step.element, ...(step.index === undefined ? [] : [step.index])] : [];

const hasKeys = (value: unknown, ...keys: readonly string[]): boolean =>
  typeof value === "object" && value !== null && keys.every((key) => key in value);

const isParameterType = (value: unknown): value is { readonly type: Type } => hasKeys(value, "type", "span");

const printWhole = (type: Type): readonly string[] => [printType(type), ...printDefinitions(type)];

const isScope = (value: unknown): value is Scope => hasKeys(value, "entry", "steps");

const isReference = (value: unknown): value is { readonly name: string } =>
  hasKeys(value, "name", "span") && Object.keys(value as object).length === 2;

const isExpression = (key: string, value: unknown): value is Expression =>
  expressions.has(key) && hasKeys(value, "kind") && !Array.isArray(value);

/** The reachable steps of a scope, in the order of a walk along their exits. */
export function stepsFromEntry(scope: Scope): readonly Step[] {
  const steps = stepsById(scope);
  const found = new Set<Step>();
  const pending = [scope.entry.name];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const step = steps.get(id);
    if (!step || found.has(step)) continue;
    found.add(step);
    for (const { name } of successors(step).toReversed()) pending.push(name);
  }
  return [...found];
}

/** An expression without positions. */
function withoutSpans(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutSpans);
  if (typeof node !== "object" || node === null) return plain(node);
  const isLiteral = "kind" in node && node.kind === "literal";
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, inner]) =>
      key === "span" || inner === undefined ? [] : [[key, isLiteral ? plain(inner) : withoutSpans(inner)]],
    ),
  );
}

/** Values as they are, except for the numbers that JSON does not have. */
function plain(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0) ? value : `\0${value}`;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}
