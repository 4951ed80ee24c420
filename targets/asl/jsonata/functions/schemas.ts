import {
  access,
  type Binary,
  balanced,
  binary,
  bind,
  type Call,
  call,
  comma,
  concatenate,
  conditional,
  type Expression,
  firstOr,
  identity,
  iterate,
  literal,
  member,
  or,
  pipe,
  simplify,
  variable,
} from "../../../../src/expressions/index.ts";
import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";
import type { Code } from "../code.ts";
import {
  bindName,
  constantOf,
  freshName,
  type JsonataPrinter,
  type Mode,
  type OutputContinuation,
  reject,
  withBinding,
} from "../context.ts";
import { eachOutput, firstOutput } from "../printer.ts";

// Checks against JSON Schemas whose rules JSONata can test one by one. The others are evaluated by the Lambda function.

/** Prints `schemaViolation(x, rules, noun)`: `$type($x) != "object" ? "the input is not an object" : …`. */
export function eachViolation(call: Call, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  const noun = call.args[2] ? constantOf(call.args[2]) : "the input";
  const place: Place = { call, path: literal(""), at: literal(noun ?? null), depth: 0 };
  return onValue(call, printer, mode, use, (value, schema) => simplify(clauseOf(rulesOf(value, schema, place))));
}

/** Prints `schemaViolation(x, rules) == null` or `!= null` as a condition; undefined for other comparisons. */
export function eachConformance(
  { name, args: [left, right] }: Binary,
  printer: JsonataPrinter,
  mode: Mode,
  use: OutputContinuation,
): Code | undefined {
  if (left.kind !== "call" || left.name !== "schemaViolation" || constantOf(right) !== null) return undefined;
  if (name !== "==" && name !== "!=") return undefined;
  return onValue(left, printer, mode, use, (value, schema) => {
    const fits = all(rulesOf(value, schema, { call: left, path: literal(""), at: literal(""), depth: 0 }));
    return simplify(name === "==" ? fits : not(fits));
  });
}

/** The check does not rely on what is known about the value: that may be what it has to establish. */
function onValue(
  check: Call,
  printer: JsonataPrinter,
  mode: Mode,
  use: OutputContinuation,
  expand: (value: Expression, schema: Json) => Expression,
): Code {
  const [value, rules] = check.args as readonly [Expression, Expression];
  const schemas = constantOf(rules);
  if (!Array.isArray(schemas)) return unsupported(check, "a computed schema");
  if (printer.catchesFailures || schemas.length > 1) return unsupported(check, "a schema with references");
  const schema = (schemas as readonly Json[])[0] ?? true;
  return bindName(firstOutput(value, printer), printer, "value", (code) => {
    const name = freshName(printer, "checked");
    return eachOutput(expand(variable(name), schema), withBinding(printer, name, code), mode, use);
  });
}

const unsupported = (check: Call, construct: string): never => reject(construct, check);

/** A rule of a schema for a value, and what `schemaViolation` says if it does not hold. */
interface Rule {
  readonly holds: Expression;
  readonly clause: Expression;
}

/** Where a value is. */
interface Place {
  readonly call: Call;
  /** Its JSON Pointer. */
  readonly path: Expression;
  /** What it is called. */
  readonly at: Expression;
  readonly depth: number;
}

const all = (rules: readonly Rule[]): Expression =>
  balanced(
    "and",
    rules.map(({ holds }) => holds),
  );

/** What the first rule says that does not hold, or null. */
const clauseOf = (rules: readonly Rule[]): Expression =>
  rules.reduceRight<Expression>((rest, { holds, clause }) => conditional(holds, rest, clause), literal(null));

/** The negation of a boolean. */
const not = (condition: Expression): Expression =>
  condition.kind === "call" && condition.name === "not" ? condition.args[0]! : call("not", condition);

function stepInto({ path: outer, ...place }: Place, key: Expression): Place {
  const path = concatenate([outer, literal("/"), key]);
  return { ...place, path, at: path, depth: place.depth + 1 };
}

const keyText = (name: string): Expression => literal(name.slice(0, 80).replace(/~/g, "~0").replace(/\//g, "~1"));

const rule = (holds: Expression, { at }: Pick<Place, "at">, says: string): Rule => ({
  holds,
  clause: concatenate([at, literal(` ${says}`)]),
});

/** The rules of a schema in the order in which `schemaViolation` tests them. The text of a violation nests as deep. */
function rulesOf(value: Expression, schema: Json, place: Place): readonly Rule[] {
  const rules = eachRuleOf(value, schema, place);
  return rules.length > maxRules ? unsupported(place.call, `a schema of more than ${maxRules} rules`) : rules;
}

const maxRules = 40;

function eachRuleOf(value: Expression, schema: Json, place: Place): readonly Rule[] {
  if (schema === true) return [];
  if (!isObject(schema)) return [rule(literal(false), place, "is not allowed")];
  for (const keyword of Object.keys(schema))
    if (!known.has(keyword)) unsupported(place.call, `\`${keyword}\` in a schema`);
  const types = own(schema, "type") as readonly string[] | undefined;
  const values = own(schema, "enum") as readonly Json[] | undefined;
  if (values?.some(mayEqualArray)) unsupported(place.call, "an array among the values of a schema");
  const when = (name: string, rules: readonly Rule[]) => rulesFor(name, value, types, rules);
  return [
    ...(types ? [rule(isOneOf(value, types), place, `is not ${types.map(nounOf).join(" or ")}`)] : []),
    ...(values ? [rule(isAmong(value, values), place, "is none of the listed values")] : []),
    ...when("number", numberRules(value, schema, place)),
    ...listOf(schema, "allOf").flatMap((each) => rulesOf(value, each, place)),
    ...alternativeRules(value, schema, place),
    ...when("string", textRules(value, schema, place)),
    ...when("array", itemRules(value, schema, place)),
    ...when("object", memberRules(value, schema, place)),
  ];
}

const known: ReadonlySet<string> = new Set([
  ...["type", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "allOf", "anyOf", "not"],
  ...["minLength", "maxLength", "pattern", "minItems", "maxItems", "items", "required", "properties"],
]);

const listOf = (schema: JsonObject, name: string): readonly Json[] => (own(schema, name) ?? []) as readonly Json[];

const nounOf = (type: string): string => (type === "null" ? type : `${/^[aio]/.test(type) ? "an" : "a"} ${type}`);

const isNamed = (value: Expression, type: string): Expression =>
  binary("==", call("type", value), literal(type === "integer" ? "number" : type));

const isOneOf = (value: Expression, types: readonly string[]): Expression =>
  balanced(
    "or",
    types.map((type) =>
      type === "integer"
        ? call("and", isNamed(value, type), binary("==", call("floor", value), value))
        : isNamed(value, type),
    ),
  );

/** In JSONata, `{"length": 0} = []`. */
const mayEqualArray = (value: Json): boolean =>
  Array.isArray(value) ||
  (isObject(value) &&
    (Object.hasOwn(value, "length") || Object.values(value).some((each) => mayEqualArray(each as Json))));

const isAmong = (value: Expression, values: readonly Json[]): Expression =>
  values.length === 0
    ? literal(false)
    : balanced(
        "or",
        values.map((each) => binary("==", value, literal(each))),
      );

/** Rules that concern only the values of a type. */
function rulesFor(
  name: string,
  value: Expression,
  types: readonly string[] | undefined,
  rules: readonly Rule[],
): readonly Rule[] {
  const names = types?.map((each) => (each === "integer" ? "number" : each));
  if (names && !names.includes(name)) return [];
  if (names?.every((each) => each === name)) return rules;
  const isOther = binary("!=", call("type", value), literal(name));
  return rules.map(({ holds, clause }) => ({ holds: or(isOther, holds), clause }));
}

const numberRules = (value: Expression, schema: JsonObject, place: Place): readonly Rule[] =>
  limits.flatMap(([keyword, operator, words]) => {
    const limit = own(schema, keyword);
    return typeof limit === "number"
      ? [rule(binary(operator, value, literal(limit)), place, `is not ${words} ${limit}`)]
      : [];
  });

const limits = [
  ["minimum", ">=", "at least"],
  ["maximum", "<=", "at most"],
  ["exclusiveMinimum", ">", "more than"],
  ["exclusiveMaximum", "<", "less than"],
] as const;

function alternativeRules(value: Expression, schema: JsonObject, place: Place): readonly Rule[] {
  const choices = listOf(schema, "anyOf").map((each) => all(rulesOf(value, each, place)));
  const excluded = own(schema, "not");
  return [
    ...(choices.length > 0 ? [rule(balanced("or", choices), place, "fits none of the alternatives")] : []),
    ...(excluded === undefined ? [] : [rule(not(all(rulesOf(value, excluded, place))), place, "is excluded")]),
  ];
}

function sizeRules(value: Expression, schema: JsonObject, unit: string, noun: string, place: Place): readonly Rule[] {
  const [least, most] = [own(schema, `min${unit}`), own(schema, `max${unit}`)];
  const size = call("length", value);
  return [
    ...(typeof least === "number"
      ? [rule(binary(">=", size, literal(least)), place, `has fewer than ${least} ${noun}`)]
      : []),
    ...(typeof most === "number"
      ? [rule(binary("<=", size, literal(most)), place, `has more than ${most} ${noun}`)]
      : []),
  ];
}

function textRules(value: Expression, schema: JsonObject, place: Place): readonly Rule[] {
  const pattern = own(schema, "pattern");
  const sizes = sizeRules(value, schema, "Length", "characters", place);
  if (typeof pattern !== "string") return sizes;
  const most = own(schema, "maxLength");
  if (mayBacktrack(pattern, typeof most === "number" ? most : Number.POSITIVE_INFINITY))
    unsupported(place.call, "a pattern that may take long");
  const holds = call("_test", value, literal({ source: pattern, flags: "u" }));
  return [...sizes, rule(holds, place, `does not match the pattern ${pattern.slice(0, 200)}`)];
}

/**
 * Whether an engine that backtracks may take long to match a pattern: it repeats a group, or several parts
 * without a limit. `schemaViolation` takes linear time.
 */
const mayBacktrack = (pattern: string, longest: number): boolean =>
  /\)[*+{]|\\[1-9k]/.test(pattern) || (longest > 200 && (pattern.match(/[*+]|,\}/g) ?? []).length > 2);

function itemRules(value: Expression, schema: JsonObject, place: Place): readonly Rule[] {
  const items = own(schema, "items");
  const sizes = sizeRules(value, schema, "Items", "elements", place);
  if (items === undefined || items === true) return sizes;
  const index = `index ${place.depth}`;
  const inside = stepInto(place, call("tostring", variable(index)));
  const clause = clauseOf(rulesOf(access(value, variable(index)), items, inside));
  const clauses = bind(index, call("range", literal(0), call("length", value), literal(1)), clause);
  const found = conditional(binary("==", identity, literal(null)), comma(), identity);
  return [
    ...sizes,
    {
      holds: not(call("truthy", pipe(iterate(value), not(all(rulesOf(identity, items, inside)))))),
      clause: firstOr(pipe(clauses, found), literal(null)),
    },
  ];
}

function memberRules(value: Expression, schema: JsonObject, place: Place): readonly Rule[] {
  const required = listOf(schema, "required") as readonly string[];
  const exists = (name: string): Expression => call("exists", member(value, name));
  const listed = Object.entries((own(schema, "properties") ?? {}) as JsonObject);
  return [
    ...required.map((name) => rule(exists(name), stepInto(place, keyText(name)), "is missing")),
    ...listed.flatMap(([name, each]) => {
      const rules = rulesOf(access(value, literal(name)), each, stepInto(place, keyText(name)));
      return required.includes(name)
        ? rules
        : rules.map(({ holds, clause }) => ({ holds: or(not(exists(name)), holds), clause }));
    }),
  ];
}
