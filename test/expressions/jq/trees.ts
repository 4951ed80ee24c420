import fc from "fast-check";
import type { Jq, ObjectEntry, Pattern, PatternEntry } from "../../../src/expressions/syntax/jq/syntax.ts";

/** Trees like the parser's, of every kind of query, mostly with undefined names. Positions are 0. */
export const trees = (): fc.Arbitrary<Jq> =>
  fc.letrec<{ readonly query: Jq; readonly pattern: Pattern }>((tie) => ({
    query: fc.oneof(
      { maxDepth: 4, depthIdentifier: "query" },
      { weight: 5, arbitrary: leaves },
      { weight: 6, arbitrary: terms(tie("query")) },
      { weight: 6, arbitrary: operations(tie("query")) },
      { weight: 4, arbitrary: bindings(tie("query"), tie("pattern")) },
    ),
    pattern: fc.oneof(
      { maxDepth: 4, depthIdentifier: "query" },
      fc.record({ kind: fc.constant("variable" as const), name: variableNames, ...placed }),
      fc.record({ kind: fc.constant("array" as const), items: some(tie("pattern")), ...placed }),
      fc.record({
        kind: fc.constant("object" as const),
        entries: some(patternEntries(tie("query"), tie("pattern"))),
        ...placed,
      }),
    ),
  })).query;

const placed = { start: fc.constant(0), end: fc.constant(0) };
const some = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(item, { minLength: 1, maxLength: 3 });
const maybe = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(item, { nil: undefined });

const variableNames = fc.constantFrom("a", "b", "given", "_x1", "if", "null", "m::a");
const functionNames = fc.constantFrom("f", "g", "map", "not", "empty", "_x1", "m::f");
const texts = fc.oneof(
  fc.constantFrom("a", "b c", "if", "__loc__", '"\\/', "\n\u0000\u007f", "é😀\u2028", "\\(1)", "$" + "{a}`</script>"),
  fc.string({ minLength: 1, unit: "grapheme" }),
);
const formats = fc.constantFrom("base64", "text", "json", "1");

const strings = fc.record({ kind: fc.constant("string" as const), value: fc.oneof(fc.constant(""), texts), ...placed });

const leaves: fc.Arbitrary<Jq> = fc.oneof(
  fc.record({ kind: fc.constantFrom("identity" as const, "recursion" as const), ...placed }),
  fc.record({
    kind: fc.constant("number" as const),
    text: fc.constantFrom("0", "1", ".5", "1.", "2.50", "1e3", "1E-7", "12345678901234567890"),
    ...placed,
  }),
  strings,
  fc.record({ kind: fc.constant("constant" as const), value: fc.constantFrom(null, true, false), ...placed }),
  fc.record({ kind: fc.constant("format" as const), name: formats, ...placed }),
  fc.record({ kind: fc.constant("variable" as const), name: variableNames, ...placed }),
  fc.record({ kind: fc.constant("location" as const), line: fc.constant(1), ...placed }),
  fc.record({ kind: fc.constant("break" as const), name: variableNames, ...placed }),
  fc.record({ kind: fc.constant("call" as const), name: functionNames, args: fc.constant([]), ...placed }),
);

function interpolations(query: fc.Arbitrary<Jq>): fc.Arbitrary<Extract<Jq, { kind: "interpolation" }>> {
  const pieces = fc.tuple(fc.oneof(fc.constant(""), texts), query, fc.oneof(fc.constant(""), texts), fc.option(query));
  const parts = pieces.map(([before, first, between, second]) =>
    [before, first, between, second].filter((part): part is string | Jq => part !== "" && part !== null),
  );
  return fc.record({ kind: fc.constant("interpolation" as const), format: maybe(formats), parts, ...placed });
}

function terms(query: fc.Arbitrary<Jq>): fc.Arbitrary<Jq> {
  const access = { target: query, optional: fc.boolean(), ...placed };
  const bounds = fc.oneof(fc.tuple(query, maybe(query)), fc.tuple(fc.constant(undefined), query));
  return fc.oneof(
    interpolations(query),
    fc.record({ kind: fc.constant("index" as const), key: query, ...access }),
    fc.record({ kind: fc.constant("index" as const), key: strings, ...access }),
    fc
      .tuple(bounds, fc.record({ kind: fc.constant("slice" as const), ...access }))
      .map(([[from, upTo], slice]) => ({ ...slice, from, upTo })),
    fc.record({ kind: fc.constant("iteration" as const), ...access }),
    fc.record({ kind: fc.constant("array" as const), items: maybe(query), ...placed }),
    fc.record({ kind: fc.constant("object" as const), entries: fc.array(entries(query), { maxLength: 3 }), ...placed }),
    fc.record({ kind: fc.constant("negation" as const), operand: query, ...placed }),
    fc.record({ kind: fc.constant("call" as const), name: functionNames, args: some(query), ...placed }),
    fc.record({ kind: fc.constant("try" as const), body: query, handler: maybe(query), ...placed }),
  );
}

/** Keys whose values jq's compiler does not know. */
function entries(query: fc.Arbitrary<Jq>): fc.Arbitrary<ObjectEntry> {
  const strung: fc.Arbitrary<Jq> = fc.oneof(strings, interpolations(query));
  const computed = query.map((key): Jq => ({ kind: "call", name: "f", args: [key], start: 0, end: 0 }));
  return fc.oneof(
    fc.record({ key: strung, value: maybe(query), ...placed }),
    fc.record({
      key: fc.oneof(
        leaves.filter(({ kind }) => kind === "variable"),
        computed,
      ),
      value: query,
      ...placed,
    }),
  );
}

function operations(query: fc.Arbitrary<Jq>): fc.Arbitrary<Jq> {
  const both = { left: query, right: query, ...placed };
  const operators = fc.constantFrom(...(["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">="] as const));
  const assignments = fc.constantFrom(...(["=", "|=", "+=", "-=", "*=", "/=", "%=", "//="] as const));
  return fc.oneof(
    fc.record({ kind: fc.constant("binary" as const), operator: operators, ...both }),
    fc.record({
      kind: fc.constant("logic" as const),
      operator: fc.constantFrom("and" as const, "or" as const),
      ...both,
    }),
    fc.record({ kind: fc.constant("assignment" as const), operator: assignments, ...both }),
    fc.record({ kind: fc.constant("alternative" as const), ...both }),
    fc.record({ kind: fc.constant("pipe" as const), ...both }),
    fc.record({
      kind: fc.constant("comma" as const),
      items: fc.array(query, { minLength: 2, maxLength: 3 }),
      ...placed,
    }),
    fc.record({
      kind: fc.constant("if" as const),
      branches: some(fc.record({ condition: query, result: query })),
      otherwise: maybe(query),
      ...placed,
    }),
  );
}

function bindings(query: fc.Arbitrary<Jq>, pattern: fc.Arbitrary<Pattern>): fc.Arbitrary<Jq> {
  const patterns = some(pattern);
  const parameters = fc.array(
    fc.record({ name: fc.constantFrom("f", "g", "x", "null"), byValue: fc.boolean(), ...placed }),
    {
      maxLength: 2,
    },
  );
  const fold = { source: query, patterns, initial: query, update: query, ...placed };
  return fc.oneof(
    fc.record({ kind: fc.constant("reduce" as const), ...fold }),
    fc.record({ kind: fc.constant("foreach" as const), ...fold, extract: maybe(query) }),
    fc.record({ kind: fc.constant("binding" as const), source: query, patterns, body: query, ...placed }),
    fc.record({
      kind: fc.constant("definition" as const),
      name: functionNames,
      parameters,
      body: query,
      rest: query,
      ...placed,
    }),
    fc.record({ kind: fc.constant("label" as const), name: variableNames, body: query, ...placed }),
  );
}

function patternEntries(query: fc.Arbitrary<Jq>, pattern: fc.Arbitrary<Pattern>): fc.Arbitrary<PatternEntry> {
  const named = fc.tuple(variableNames, maybe(pattern)).map(([variable, inner]): PatternEntry => {
    const key: Jq = { kind: "string", value: variable, start: 0, end: 0 };
    return { key, variable, pattern: inner, start: 0, end: 0 };
  });
  const keyed: fc.Arbitrary<Jq> = entries(query).map(({ key }) => key);
  return fc.oneof(named, fc.record({ key: keyed, variable: fc.constant(undefined), pattern, ...placed }));
}
