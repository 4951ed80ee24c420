import type { Json, JsonObject } from "../../json.ts";
import { createTester } from "./backtracking.ts";
import { raiseLimit } from "./failure.ts";
import { compareValues, equalValues } from "./order.ts";
import { codePointCount } from "./text.ts";
import { hasKey, isList, isRecord } from "./types.ts";

/**
 * `schemaViolation(x, S)`: null if a value fits a schema, or else a clause that says where it does not. `S` is an array
 * of schemas in the form that `enforceableSchema` makes; the first applies to the value, and `$ref` is an index. The
 * schema is interpreted, in a bounded number of steps.
 */
export function schemaViolation(value: Json, schemas: Json): string | null {
  const check: SchemaCheck = { schemas: schemas as readonly Json[], testers: new Map(), steps: 0, depth: 0 };
  try {
    return violationOf(value, check.schemas[0]!, "", check);
  } catch {
    // The check, a comparison or a pattern exceeds its limits, or the value the stack.
    return "the input is too large to check";
  }
}

/** `schemaViolation(x, S, noun)`: the same, with other words than "the input" for the value. */
export function schemaViolationOf(value: Json, schemas: Json, noun: Json): string | null {
  const found = schemaViolation(value, schemas);
  return found === null || !found.startsWith("the input ") ? found : String(noun) + found.slice(9);
}

interface SchemaCheck {
  readonly schemas: readonly Json[];
  readonly testers: Map<string, (text: string) => boolean>;
  steps: number;
  depth: number;
}

const maxCheckSteps = 1000000;

const maxCheckDepth = 1000;

function violationOf(value: Json, schema: Json, path: string, check: SchemaCheck): string | null {
  if (schema === true) return null;
  if (!isRecord(schema)) return `${placeOf(path)} is not allowed`;
  check.steps += 1;
  if (check.steps > maxCheckSteps || check.depth >= maxCheckDepth) raiseLimit("The input is too large to check.");
  check.depth += 1;
  const found =
    ownViolation(value, schema, path) ||
    combinedViolation(value, schema, path, check) ||
    (typeof value === "string" ? textViolation(value, schema, path, check) : null) ||
    (isList(value) ? itemViolation(value, schema, path, check) : null) ||
    (isRecord(value) ? memberViolation(value, schema, path, check) : null);
  check.depth -= 1;
  return found;
}

/** An own member, such as a keyword of a schema. */
const ownMember = (object: JsonObject, name: string): Json | undefined =>
  hasKey(object, name) ? object[name] : undefined;

const placeOf = (path: string): string => (path === "" ? "the input" : path);

/** A JSON Pointer with shortened keys. */
const pathTo = (path: string, key: string | number): string =>
  `${path}/${String(key).slice(0, 80).replace(/~/g, "~0").replace(/\//g, "~1")}`;

function ownViolation(value: Json, schema: JsonObject, path: string): string | null {
  const types = ownMember(schema, "type") as readonly string[] | undefined;
  if (types && !types.some((type) => isOfType(value, type)))
    return `${placeOf(path)} is not ${types.map(nounOf).join(" or ")}`;
  const values = ownMember(schema, "enum") as readonly Json[] | undefined;
  if (values && !values.some((each) => equalValues(each, value)))
    return `${placeOf(path)} is none of the listed values`;
  return typeof value === "number" ? numberViolation(value, schema, path) : null;
}

const nounOf = (type: string): string => (type === "null" ? type : `${/^[aio]/.test(type) ? "an" : "a"} ${type}`);

function isOfType(value: Json, type: string): boolean {
  if (type === "null") return value === null;
  if (type === "array") return isList(value);
  if (type === "object") return isRecord(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

function numberViolation(value: number, schema: JsonObject, path: string): string | null {
  const limit = (name: string, isBroken: (limit: number) => boolean, words: string): string | null => {
    const wanted = ownMember(schema, name);
    return typeof wanted === "number" && isBroken(wanted) ? `${placeOf(path)} is not ${words} ${wanted}` : null;
  };
  return (
    limit("minimum", (least) => value < least, "at least") ||
    limit("maximum", (most) => value > most, "at most") ||
    limit("exclusiveMinimum", (least) => value <= least, "more than") ||
    limit("exclusiveMaximum", (most) => value >= most, "less than") ||
    limit("multipleOf", (factor) => !isMultiple(value, factor), "a multiple of")
  );
}

/** Of the decimal numbers as JSON writes them. */
function isMultiple(value: number, factor: number): boolean {
  const [a, b] = [decimalOf(value), decimalOf(factor)];
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = (decimal: Decimal): bigint => decimal.digits * BigInt(10) ** BigInt(decimal.exponent - exponent);
  return scaled(a) % scaled(b) === BigInt(0);
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function decimalOf(value: number): Decimal {
  const [mantissa = "0", exponent = "0"] = value.toExponential().split("e");
  const digits = mantissa.replace(".", "");
  const fraction = mantissa.includes(".") ? mantissa.length - mantissa.indexOf(".") - 1 : 0;
  return { digits: BigInt(digits), exponent: Number(exponent) - fraction };
}

function combinedViolation(value: Json, schema: JsonObject, path: string, check: SchemaCheck): string | null {
  const inner = (each: Json): string | null => violationOf(value, each, path, check);
  const reference = ownMember(schema, "$ref");
  const referred = typeof reference === "number" ? inner(check.schemas[reference]!) : null;
  if (referred) return referred;
  for (const each of listOf(schema, "allOf")) {
    const found = inner(each);
    if (found) return found;
  }
  const choices = listOf(schema, "anyOf");
  if (choices.length > 0 && choices.every((each) => inner(each) !== null))
    return `${placeOf(path)} fits none of the alternatives`;
  const single = listOf(schema, "oneOf");
  const fitting = single.filter((each) => inner(each) === null).length;
  if (single.length > 0 && fitting !== 1) return `${placeOf(path)} fits ${fitting} of the alternatives, not one`;
  const excluded = ownMember(schema, "not");
  if (excluded !== undefined && inner(excluded) === null) return `${placeOf(path)} is excluded`;
  const condition = ownMember(schema, "if");
  if (condition === undefined) return null;
  const consequence = ownMember(schema, inner(condition) === null ? "then" : "else");
  return consequence === undefined ? null : inner(consequence);
}

const listOf = (schema: JsonObject, name: string): readonly Json[] =>
  (ownMember(schema, name) as readonly Json[] | undefined) || [];

function sizeViolation(size: number, unit: string, noun: string, schema: JsonObject, path: string): string | null {
  const [least, most] = [ownMember(schema, `min${unit}`), ownMember(schema, `max${unit}`)];
  if (typeof least === "number" && size < least) return `${placeOf(path)} has fewer than ${least} ${noun}`;
  return typeof most === "number" && size > most ? `${placeOf(path)} has more than ${most} ${noun}` : null;
}

function textViolation(value: string, schema: JsonObject, path: string, check: SchemaCheck): string | null {
  const found = sizeViolation(codePointCount(value), "Length", "characters", schema, path);
  if (found) return found;
  const pattern = ownMember(schema, "pattern");
  return typeof pattern === "string" && !fitsPattern(value, pattern, check)
    ? `${placeOf(path)} does not match the pattern ${pattern.slice(0, 200)}`
    : null;
}

function fitsPattern(text: string, pattern: string, { testers }: SchemaCheck): boolean {
  const test = testers.get(pattern) || createTester(pattern, "u");
  testers.set(pattern, test);
  return test(text);
}

function itemViolation(value: readonly Json[], schema: JsonObject, path: string, check: SchemaCheck): string | null {
  const size = sizeViolation(value.length, "Items", "elements", schema, path);
  if (size) return size;
  const first = listOf(schema, "prefixItems");
  const rest = ownMember(schema, "items");
  for (const [index, each] of value.entries()) {
    const wanted = index < first.length ? first[index]! : rest;
    const found = wanted === undefined ? null : violationOf(each, wanted, pathTo(path, index), check);
    if (found) return found;
  }
  if (ownMember(schema, "uniqueItems") === true && hasEqualElements(value))
    return `${placeOf(path)} has equal elements`;
  const contained = ownMember(schema, "contains");
  if (contained === undefined) return null;
  const count = value.filter((each, index) => violationOf(each, contained, pathTo(path, index), check) === null).length;
  const [least = 1, most = count] = [ownMember(schema, "minContains"), ownMember(schema, "maxContains")] as readonly (
    | number
    | undefined
  )[];
  return count < least || count > most ? `${placeOf(path)} has ${count} elements that fit "contains"` : null;
}

function hasEqualElements(items: readonly Json[]): boolean {
  const sorted = items.slice().sort(compareValues);
  return sorted.some((each, index) => index > 0 && equalValues(sorted[index - 1]!, each));
}

function memberViolation(value: JsonObject, schema: JsonObject, path: string, check: SchemaCheck): string | null {
  const keys = Object.keys(value);
  const size = sizeViolation(keys.length, "Properties", "members", schema, path);
  if (size) return size;
  const missing = (names: Json | undefined): string | null => {
    const name = ((names || []) as readonly string[]).find((each) => !hasKey(value, each));
    return name === undefined ? null : `${pathTo(path, name)} is missing`;
  };
  const required = missing(ownMember(schema, "required"));
  if (required) return required;
  for (const [name, names] of entriesOf(schema, "dependentRequired")) {
    const found = hasKey(value, name) ? missing(names) : null;
    if (found) return found;
  }
  for (const [name, dependent] of entriesOf(schema, "dependentSchemas")) {
    const found = hasKey(value, name) ? violationOf(value, dependent, path, check) : null;
    if (found) return found;
  }
  const names = ownMember(schema, "propertyNames");
  const properties = (ownMember(schema, "properties") || {}) as JsonObject;
  const listed = Object.keys(properties).filter((key) => hasKey(value, key));
  for (const key of listed.concat(keys.filter((each) => !hasKey(properties, each)))) {
    const found =
      (names === undefined ? null : violationOf(key, names, pathTo(path, key), check)) ||
      valueViolation(value, key, schema, path, check);
    if (found) return found;
  }
  return null;
}

const entriesOf = (schema: JsonObject, name: string): readonly [string, Json][] =>
  Object.entries((ownMember(schema, name) || {}) as JsonObject);

function valueViolation(
  object: JsonObject,
  key: string,
  schema: JsonObject,
  path: string,
  check: SchemaCheck,
): string | null {
  const listed = ownMember((ownMember(schema, "properties") || {}) as JsonObject, key);
  const matching = entriesOf(schema, "patternProperties").filter(([pattern]) => fitsPattern(key, pattern, check));
  const wanted = (listed === undefined ? [] : [listed]).concat(matching.map(([, each]) => each));
  const rest = ownMember(schema, "additionalProperties");
  if (wanted.length === 0 && rest !== undefined) wanted.push(rest);
  for (const each of wanted) {
    const found = violationOf(ownMember(object, key)!, each, pathTo(path, key), check);
    if (found) return found;
  }
  return null;
}
