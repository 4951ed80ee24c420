import fc from "fast-check";
import { type Json, setOwn } from "../../src/json.ts";

/** A schema and values that it allows. */
export interface Typed {
  readonly schema: Json;
  readonly value: fc.Arbitrary<Json>;
}

const names = ["a", "b", "k", "a b", "__proto__", "list", "items"];
const text = fc.constantFrom<Json>("", "a", "b", "10.5", "2020-01-01T00:00:00Z", "ü");
const plain = (schema: Json, value: fc.Arbitrary<Json>): fc.Arbitrary<Typed> => fc.constant({ schema, value });

const leaves: fc.Arbitrary<Typed> = fc.oneof(
  plain({ type: "string" }, text),
  plain({ type: "integer" }, fc.integer({ min: -3, max: 9 })),
  plain({ type: "number" }, fc.constantFrom<Json>(0, 1, -2, 0.5, 1e308)),
  plain({ type: "boolean" }, fc.boolean()),
  plain({ type: ["null", "string"] }, fc.option(text, { nil: null })),
  plain({ const: 3 }, fc.constant<Json>(3)),
  plain({ enum: ["a", 1, null, [1], { a: true }] }, fc.constantFrom<Json>("a", 1, null, [1], { a: true })),
  plain(true, fc.constantFrom<Json>(null, 1, "x", [1, "a"], { a: { b: 1 } })),
  plain({ $ref: "#/$defs/tree" }, tree()),
);

/** Values of the definition `tree`, which all schemas have. */
function tree(depth = 2): fc.Arbitrary<Json> {
  const items = depth === 0 ? fc.constant([]) : fc.array(tree(depth - 1), { maxLength: 2 });
  return fc.record({ k: text, items }, { requiredKeys: ["k"], noNullPrototype: true }).map((value) => value as Json);
}

const definitions: Json = {
  tree: {
    type: "object",
    properties: { k: { type: "string" }, items: { items: { $ref: "#/$defs/tree" }, type: "array" } },
    required: ["k"],
    additionalProperties: false,
  },
};

/** Schemas with all keywords that types can express, and valid values. */
export const typed: fc.Arbitrary<Typed> = fc
  .letrec<{ any: Typed }>((tie) => ({
    any: fc.oneof(
      { depthSize: "small", maxDepth: 3 },
      leaves,
      lists(tie("any")),
      records(tie("any")),
      records(tie("any")),
      choices(tie("any")),
      both(tie("any")),
    ),
  }))
  .any.map(({ schema, value }) => ({
    schema: { allOf: [schema], $defs: definitions, $schema: "https://json-schema.org/draft/2020-12/schema" },
    value,
  }));

function lists(inner: fc.Arbitrary<Typed>): fc.Arbitrary<Typed> {
  return fc.oneof(
    inner.map(({ schema, value }) => ({
      schema: { type: "array", items: schema },
      value: fc.array(value, { maxLength: 3 }),
    })),
    fc.tuple(inner, inner).map(([first, rest]) => ({
      schema: { type: "array", prefixItems: [first.schema], items: rest.schema },
      value: fc.tuple(first.value, fc.array(rest.value, { maxLength: 2 })).map(([item, items]) => [item, ...items]),
    })),
  );
}

function records(inner: fc.Arbitrary<Typed>): fc.Arbitrary<Typed> {
  const members = fc.uniqueArray(fc.tuple(fc.constantFrom(...names), inner, fc.boolean()), {
    selector: ([name]) => name,
    maxLength: 3,
  });
  return fc
    .tuple(members, fc.option(inner, { nil: undefined }), fc.boolean())
    .map(([list, rest, isClosed]) => recordOf(list, rest, isClosed));
}

type Listed = readonly (readonly [string, Typed, boolean])[];

function recordOf(list: Listed, rest: Typed | undefined, isClosed: boolean): Typed {
  const properties: { [name: string]: Json } = {};
  for (const [name, { schema }] of list) setOwn(properties, name, schema);
  const required = list.filter(([, , isRequired]) => isRequired).map(([name]) => name);
  const others = isClosed ? { additionalProperties: false } : rest ? { additionalProperties: rest.schema } : {};
  const parts = list.map(([name, { value }, isRequired]) =>
    (isRequired ? value : fc.option(value, { nil: undefined })).map((part) => [name, part] as const),
  );
  const more =
    !isClosed && rest ? rest.value.map((part) => ["other", part] as const) : fc.constant(["other", undefined] as const);
  return {
    schema: { type: "object", properties, required, ...others },
    value: fc.tuple(...parts, more).map((entries) => {
      const value: { [name: string]: Json } = {};
      for (const [name, part] of entries) if (part !== undefined) setOwn(value, name, part);
      return value;
    }),
  };
}

function choices(inner: fc.Arbitrary<Typed>): fc.Arbitrary<Typed> {
  return fc.tuple(inner, inner).map(([left, right]) => ({
    schema: { anyOf: [left.schema, right.schema] },
    value: fc.oneof(left.value, right.value),
  }));
}

/** Combines two equivalent schemas. */
function both(inner: fc.Arbitrary<Typed>): fc.Arbitrary<Typed> {
  return inner.map(({ schema, value }) => ({
    schema: { allOf: [{ anyOf: [schema, { type: "null" }] }, schema] },
    value,
  }));
}
