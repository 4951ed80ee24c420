import {
  type Call,
  canFail,
  type Expression,
  type Fold,
  outputs,
  type Query,
} from "../../../../src/expressions/index.ts";
import { childOf, memberOf, type Type, typeNameOf } from "../../../../src/types/index.ts";
import { type Code, code, equal, infix, nothing, objectCode, precedence, stringText, ternary } from "../code.ts";
import { bindName, constantOf, freshName, inferredType, type JsonataPrinter, mayBe, typeNameIn } from "../context.ts";
import { firstOutput } from "../printer.ts";

/**
 * Prints `assignEvent(target, event, key, token)` as `$merge([attribute, target, data])`, if the target and the event
 * are objects.
 */
export function assignedEvent(
  [into, event, key, token]: EventArguments,
  target: Code,
  printer: JsonataPrinter,
): Code | undefined {
  const [name, attribute] = [constantOf(key), constantOf(token)];
  const source = withoutNull(event);
  const type = inferredType(source, printer);
  if (typeof name !== "string" || typeof attribute !== "string" || typeNameOf(type) !== "object") return undefined;
  if (typeNameIn(into, printer) !== "object" || outputs(event) !== "one") return undefined;
  const made = bindName(firstOutput(source, printer), printer, "event", ({ text }) => {
    const data = code(`${text}.data`);
    const member = memberOf(type, "data");
    const added = member.presence === "never" ? [] : [addedData(data, member.type, objectCode([[name, data]]))];
    return merged(
      attributeOf((each) => `$each(${text}, ${each})`, attribute, into, printer),
      target,
      added,
    );
  });
  return { ...made, definitions: [...target.definitions, ...made.definitions] };
}

/**
 * Prints a `reduce` that assigns each of several received events as `$merge([attribute, initial, events.(data)])`.
 *
 *   reduce $events[] as $each ($data; assignEvent(.; $each.event; $each.name; "token"))
 */
export function assignedEvents(
  { source, name, initial, update, extract }: Fold,
  printer: JsonataPrinter,
): Code | undefined {
  const list = listOf(source);
  if (extract || !list || outputs(list) === "many" || !isAssignEvent(update) || canFail(initial)) return undefined;
  const [into, event, key, token] = update.args;
  const attribute = constantOf(token);
  if (into.kind !== "identity" || typeof attribute !== "string") return undefined;
  if (!isMemberOf(withoutNull(event), name, "event") || !isMemberOf(withoutNull(key), name, "name")) return undefined;
  const element = childOf(inferredType(list, printer));
  const [known, label] = [memberOf(element, "event").type, memberOf(element, "name").type];
  const areKnown = typeNameOf(known) === "object" && typeNameOf(label) === "string";
  if (!areKnown || typeNameIn(initial, printer) !== "object") return undefined;
  const start = firstOutput(initial, printer);
  const made = bindName(firstOutput(list, printer), printer, "events", ({ text }) => {
    const data = addedData(code("event.data"), memberOf(known, "data").type, code("{name: event.data}"));
    const attributes = (each: string) => `(${text}.event.$each($, ${each}))`;
    return merged(attributeOf(attributes, attribute, initial, printer), start, [code(`${text}.(${data.text})`)]);
  });
  return { ...made, definitions: [...start.definitions, ...made.definitions] };
}

/** The arguments of `assignEvent`. */
export type EventArguments = readonly [Expression, Expression, Expression, Expression];

const isAssignEvent = (expression: Expression): expression is Call & { readonly args: EventArguments } =>
  expression.kind === "call" && expression.name === "assignEvent" && expression.args.length === 4;

/** `$x` for `$x[]`. */
function listOf(source: Expression): Expression | undefined {
  if (source.kind !== "query") return undefined;
  const last = source.segments.at(-1);
  if (last?.descend || last?.selectors.length !== 1 || last.selectors[0]!.kind !== "wildcard") return undefined;
  return source.segments.length === 1
    ? source.source
    : ({ ...source, segments: source.segments.slice(0, -1) } as Query);
}

/** `E` for `first(E, null)`. */
export function withoutNull(expression: Expression): Expression {
  if (expression.kind !== "call" || expression.name !== "first" || expression.args.length !== 1) return expression;
  const [items] = expression.args as readonly [Expression];
  if (items.kind !== "comma" || items.items.length !== 2) return expression;
  const [value, otherwise] = items.items as readonly [Expression, Expression];
  return value.kind === "query" && constantOf(otherwise) === null ? value : expression;
}

function isMemberOf(expression: Expression, variable: string, name: string): boolean {
  if (expression.kind !== "query" || expression.segments.length !== 1) return false;
  const { source, segments } = expression;
  const [selector, ...others] = segments[0]!.selectors;
  const isName = selector?.kind === "name" && selector.name === name && others.length === 0 && !segments[0]!.descend;
  return isName && source.kind === "variable" && source.name === variable;
}

const merged = (attribute: readonly Code[], target: Code, added: readonly Code[]): Code => {
  const parts = [...attribute, ...(target.members?.length === 0 ? [] : [target]), ...added];
  return code(`$merge([${parts.map(({ text }) => text).join(", ")}])`);
};

/** Objects are merged, and other values become a member, except null. A missing value adds nothing. */
function addedData(data: Code, type: Type, named: Code): Code {
  if (typeNameOf(type) === "object") return data;
  const other = mayBe(type, "null")
    ? ternary(infix("!=", precedence.comparison, data, code("null")), named, nothing)
    : named;
  const isObject = equal(code(`$type(${data.text})`), code('"object"'));
  return mayBe(type, "object") ? ternary(isObject, data, other) : other;
}

/** The first attribute of this name, in whatever case, unless the target surely has such a member. */
function attributeOf(
  attributes: (each: string) => string,
  attribute: string,
  target: Expression,
  printer: JsonataPrinter,
): readonly Code[] {
  const name = attribute.toLowerCase();
  if (name === "data" || memberOf(inferredType(target, printer), attribute).presence === "always") return [];
  const [value, key] = [freshName(printer, "v"), freshName(printer, "k")];
  const member = objectCode([[attribute, code(value)]]).text;
  const found = `$lowercase(${key}) = ${stringText(name)} ? ${member}`;
  return [code(`${attributes(`function(${value}, ${key}) { ${found} }`)}[0]`)];
}
