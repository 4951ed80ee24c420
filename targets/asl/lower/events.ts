import {
  binary,
  conditional,
  type Expression,
  factsOf,
  literal,
  object,
  variable,
} from "../../../src/expressions/index.ts";
import type { Emit } from "../../../src/ir/workflow.ts";
import type { ScopeContext } from "./context.ts";
import { provided, resolve, type Symbols, worth } from "./environment.ts";
import { correlationVariable } from "./liveness.ts";

/** A CloudEvent in structured mode, for the detail of an EventBridge event. */
export function cloudEvent(
  { machine }: ScopeContext,
  step: Emit,
  symbols: Symbols,
): { source: string; type: string; detail: Expression } {
  const { workflow } = machine;
  const definition = machine.events.get(step.event.name)!;
  const source = definition.source ?? `/waybill/${workflow.id}`;
  const type = definition.type ?? definition.name;
  const attributes: (readonly [string, Expression])[] = [
    ["specversion", literal("1.0")],
    ["id", variable(provided.uuid)],
    ["source", literal(source)],
    ["type", literal(type)],
    ...(definition.subject === undefined ? [] : ([["subject", literal(definition.subject)]] as const)),
    ["time", variable(provided.now)],
    ["datacontenttype", literal("application/json")],
    ...Object.entries(step.attributes ?? {}).map(([name, value]) => [name, literal(value)] as const),
  ];
  const data = ["data", resolve(step.data, symbols)] as const;
  const carrier = definition.correlationAttribute;
  if (carrier === undefined || !workflow.correlation) return { source, type, detail: object([...attributes, data]) };
  const token = worth(symbols, correlationVariable) ?? variable("correlation");
  const surely = factsOf(workflow.correlation).type !== undefined && factsOf(workflow.correlation).type !== "null";
  if (surely) return { source, type, detail: object([...attributes, [carrier, token], data]) };
  const carried = conditional(binary("==", token, literal(null)), object([]), object([[carrier, token]]));
  return { source, type, detail: binary("+", object([...attributes, data]), carried) };
}
