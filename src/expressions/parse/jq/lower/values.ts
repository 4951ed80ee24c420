import type { Expression } from "../../../core/ast.ts";
import { bind, call, identity, literal, variable } from "../../../core/build.ts";
import type { Interpolation, Jq, ObjectConstruction, ObjectEntry } from "../syntax.ts";
import { type Environment, freshName, type Lowering } from "./environment.ts";
import { lower } from "./query.ts";

/** A text with queries in it: what they give is made text by the format. */
export function lowerInterpolation(
  { format, parts }: Interpolation,
  environment: Environment,
  lowering: Lowering,
): Expression {
  const text = (value: Expression) =>
    format === undefined ? call("tostring", value) : call("format", value, literal(format));
  return {
    kind: "interpolation",
    parts: parts.map((part) => (typeof part === "string" ? part : text(lower(part, environment, lowering)))),
  };
}

/** An object. Where a key is computed and stands without a value, all keys and values get names in turn, as that member is looked up under its key. */
export function lowerObject({ entries }: ObjectConstruction, environment: Environment, lowering: Lowering): Expression {
  const part = (query: Jq) => lower(query, environment, lowering);
  const plain = entries.every((entry) => entry.value !== undefined || entry.key.kind === "string");
  if (!plain) return namedMembers(entries, part, lowering);
  const members = entries.map((entry) => {
    const key = part(entry.key);
    return { key, value: entry.value ? part(entry.value) : memberOf(key) };
  });
  return { kind: "object", entries: members };
}

const memberOf = (key: Expression): Expression => ({ kind: "access", source: identity, key, optional: false });

function namedMembers(
  entries: readonly ObjectEntry[],
  part: (query: Jq) => Expression,
  lowering: Lowering,
): Expression {
  const members = entries.map((entry) => {
    const [key, value] = [freshName("key", lowering), freshName("value", lowering)];
    return { key, value, keys: part(entry.key), values: entry.value ? part(entry.value) : memberOf(variable(key)) };
  });
  const object: Expression = {
    kind: "object",
    entries: members.map(({ key, value }) => ({ key: variable(key), value: variable(value) })),
  };
  return members.reduceRight<Expression>(
    (body, { key, value, keys, values }) => bind(key, keys, bind(value, values, body)),
    object,
  );
}
