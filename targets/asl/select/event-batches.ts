import {
  binary,
  bind,
  call,
  conditional,
  type Expression,
  literal,
  object,
  variable,
} from "../../../src/expressions/index.ts";
import { isAlwaysCorrelated, scalarOr } from "../../../src/ir/correlation.ts";
import { constantAttributes, constantText, defaultSource, givenAttributes } from "../../../src/ir/emitted-events.ts";
import type { Emit } from "../../../src/ir/workflow.ts";
import type { Json } from "../../../src/json.ts";
import { byteLength } from "../../../src/text/source.ts";
import { eventBridgeLimits, reservedSource } from "../event-entries.ts";
import { intrinsics } from "../intrinsics.ts";
import { currentToken } from "../legalize/query-tokens.ts";
import type { MachineState } from "../machine.ts";
import { type ScopeContext, stepAt } from "./context.ts";
import { field } from "./fields.ts";
import { resolve, type SymbolTable, symbolValue } from "./symbols.ts";

interface EventEntry {
  readonly step: Emit;
  readonly bus: string | undefined;
  readonly source: Expression;
  readonly type: Expression;
  readonly detail: Expression;
}

/** Step Functions' limit on the arguments of a Task, which is below that of EventBridge. */
const maxBytes = 262_144;

/**
 * The fields of a Task that emits events: consecutive events share a request if they surely fit. `first` changes the
 * first event's detail.
 */
export function emitFields(
  context: ScopeContext,
  step: Emit,
  symbols: SymbolTable,
  first: (detail: Expression) => Expression = (detail) => detail,
): MachineState["fields"] {
  const entries = batchOf(context, step, symbols).map((entry, i) =>
    entryField(i === 0 ? { ...entry, detail: first(entry.detail) } : entry, context),
  );
  return [
    ["Resource", context.machine.services.actionOf("events:putEvents")],
    ["Arguments", { Entries: entries }],
  ];
}

/** The step and those after it whose events share its request. */
export const batchOf = (context: ScopeContext, step: Emit, symbols: SymbolTable): readonly EventEntry[] =>
  batchEvents(context, step, (each) => ({
    ...cloudEvent(context, each, symbols),
    step: each,
    bus: context.machine.services.eventBinding(each.event.name).bus,
  }));

const entryField = ({ bus, source, type, detail }: EventEntry, context: ScopeContext): Json => ({
  ...(bus === undefined ? {} : { EventBusName: bus }),
  Source: field(source, context),
  DetailType: field(type, context),
  Detail: field(detail, context),
});

/** A CloudEvent in structured mode, as the detail of an EventBridge event. */
function cloudEvent(
  { machine }: ScopeContext,
  step: Emit,
  symbols: SymbolTable,
): Pick<EventEntry, "source" | "type" | "detail"> {
  const { workflow } = machine;
  const definition = machine.events.get(step.event.name)!;
  const constant = constantAttributes(step);
  const source = definition.source ?? defaultSource(workflow);
  const type = definition.type ?? definition.name;
  const attributes: (readonly [string, Expression])[] = [
    ["specversion", literal("1.0")],
    ["id", variable(intrinsics.uuid)],
    ["source", literal(source)],
    ["type", literal(type)],
    ...(definition.subject === undefined ? [] : ([["subject", literal(definition.subject)]] as const)),
    ["time", variable(intrinsics.now)],
    ["datacontenttype", literal("application/json")],
    ...Object.entries(constant ?? {}).map(([name, value]) => [name, literal(value)] as const),
  ];
  const data = ["data", resolve(step.data, symbols)] as const;
  const whole = (...members: readonly (readonly [string, Expression])[]): Expression =>
    constant ? object(members) : binary("+", object(members), resolve(givenAttributes(step), symbols));
  const entry = { source: entryPart(step, "source", source, symbols), type: entryPart(step, "type", type, symbols) };
  const carrier = definition.correlationAttribute;
  const queried = machine.tokenVariables.get(step.id);
  const hasValue = workflow.correlation !== undefined || machine.carriesReceivedToken || queried !== undefined;
  if (carrier === undefined || !(hasValue || step.correlation)) return { ...entry, detail: whole(...attributes, data) };
  const first = (hasValue ? symbolValue(symbols, machine.correlation) : undefined) ?? literal(null);
  const value = queried === undefined ? first : currentToken(symbolValue(symbols, queried)!, first);
  const token = step.correlation ? scalarOr(resolve(step.correlation, symbols), value) : value;
  const surely = isAlwaysCorrelated(workflow);
  if (surely && constant) return { ...entry, detail: object([...attributes, [carrier, token], data]) };
  const carried = conditional(binary("==", token, literal(null)), object([]), object([[carrier, token]]));
  return { ...entry, detail: binary("+", whole(...attributes, data), carried) };
}

/**
 * The source or the type of an entry: that of the event if EventBridge accepts it, otherwise the default. The detail has
 * that of the event.
 */
function entryPart(
  { attributes = {} }: Emit,
  name: "source" | "type",
  standard: string,
  symbols: SymbolTable,
): Expression {
  const given = attributes[name];
  if (given === undefined) return literal(standard);
  const constant = constantText(given);
  if (constant !== undefined) return literal(constant ?? standard);
  const text = "given";
  return bind(text, resolve(given, symbols), acceptedPart(name, variable(text), literal(standard)));
}

function acceptedPart(name: "source" | "type", given: Expression, standard: Expression): Expression {
  const accepted =
    name === "type"
      ? conditional(binary("<=", call("length", given), literal(eventBridgeLimits.detailType)), given, standard)
      : conditional(call("startswith", given, literal(reservedSource)), standard, given);
  const isEmpty = binary("==", given, literal(""));
  const isText = binary("==", call("type", given), literal("string"));
  return conditional(isText, conditional(isEmpty, standard, accepted), standard);
}

/** Events that surely fit into the same request and cannot fail. */
function batchEvents(context: ScopeContext, first: Emit, entryOf: (step: Emit) => EventEntry): readonly EventEntry[] {
  const entries = [entryOf(first)];
  let bytes = maxEntryBytes(entries[0]!);
  while (bytes !== undefined && entries.length < eventBridgeLimits.entries) {
    const next = stepAt(context, entries.at(-1)!.step.next);
    if (next.kind !== "emit" || next === first || context.predecessors.get(next.id) !== 1) break;
    const entry = entryOf(next);
    const size = maxEntryBytes(entry);
    if (size === undefined || bytes + size > maxBytes) break;
    entries.push(entry);
    bytes += size;
  }
  return entries;
}

function maxEntryBytes({ source, type, detail }: EventEntry): number | undefined {
  const size = maxJsonBytes(detail);
  const [sourceSize, typeSize] = [maxJsonBytes(source), maxJsonBytes(type)];
  return size === undefined || sourceSize === undefined || typeSize === undefined
    ? undefined
    : size + sourceSize + typeSize;
}

/** Undefined if it is unknown or the expression may fail. */
function maxJsonBytes(expression: Expression): number | undefined {
  switch (expression.kind) {
    case "literal":
      return jsonSize(expression.value);
    case "variable":
      return maxProvidedBytes.get(expression.name);
    case "object":
      return expression.entries.reduce<number | undefined>((sum, { key, value }) => {
        const [name, size] = [maxJsonBytes(key), maxJsonBytes(value)];
        return sum === undefined || name === undefined || size === undefined ? undefined : sum + name + size + 2;
      }, 2);
    default:
      return undefined;
  }
}

/** The maximum size of intrinsics. */
const maxProvidedBytes: ReadonlyMap<string, number> = new Map([
  [intrinsics.uuid, 38],
  [intrinsics.now, 26],
  [intrinsics.millis, 25],
]);

const jsonSize = (value: Json): number => byteLength(JSON.stringify(value));
