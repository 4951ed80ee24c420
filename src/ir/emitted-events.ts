import {
  balanced,
  binary,
  bind,
  call,
  conditional,
  type Expression,
  effectsOf,
  freeVariables,
  literal,
  object,
  simplify,
  variable,
} from "../expressions/index.ts";
import type { Emit, Workflow } from "./workflow.ts";

/** Attributes that an `Emit` does not give: the version of the format, and the data. */
export const reservedAttributes: ReadonlySet<string> = new Set(["specversion", "data"]);

/** The source of emitted events whose definition has none. */
export const defaultSource = ({ id }: Pick<Workflow, "id">): string => `/waybill/${id}`;

/** The attributes of an emitted event by name, if all of them are constant strings. */
export function constantAttributes({ attributes = {} }: Emit): { readonly [name: string]: string } | undefined {
  const values = Object.entries(attributes).map(([name, value]) => [name, constantText(value)] as const);
  return values.every((each) => typeof each[1] === "string")
    ? (Object.fromEntries(values) as { readonly [name: string]: string })
    : undefined;
}

/** The attributes of an emitted event, as far as they are given, as an object. */
export function givenAttributes({ attributes = {} }: Emit): Expression {
  const parts = Object.entries(attributes).map(([name, value]) => attributePart(name, simplify(value)));
  const sure = parts.flatMap((part) => ("value" in part ? [[part.name, part.value] as const] : []));
  return parts.reduce<Expression>((all, part) => ("whole" in part ? binary("+", all, part.whole) : all), object(sure));
}

/** The value of an attribute that an event always has, or the object with it, which may be empty. */
type AttributePart =
  | { readonly name: string; readonly value: Expression }
  | { readonly name: string; readonly whole: Expression };

function attributePart(name: string, value: Expression): AttributePart {
  const accepted = textAttributes.has(name) ? textTypes : scalarTypes;
  const { type } = effectsOf(value);
  if (type !== undefined) return accepted.includes(type) ? { name, value } : { name, whole: object([]) };
  const taken = freeVariables(value);
  let own = "attribute";
  while (taken.has(own)) own += "_";
  const given = variable(own);
  const isGiven = balanced(
    "or",
    accepted.map((each) => binary("==", call("type", given), literal(each))),
  );
  return { name, whole: bind(own, value, conditional(isGiven, object([[name, given]]), object([]))) };
}

/** Attributes that CloudEvents defines, which are strings. */
const textAttributes: ReadonlySet<string> = new Set(
  "id source type subject time datacontenttype dataschema".split(" "),
);

const textTypes: readonly string[] = ["string"];
const scalarTypes: readonly string[] = ["string", "number", "boolean"];

/** A constant attribute, if it is given; null if not; undefined if it is not constant. */
export function constantText(value: Expression): string | null | undefined {
  if (value.kind !== "literal") return undefined;
  return typeof value.value === "string" ? value.value : null;
}
