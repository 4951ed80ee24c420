import { equalValues } from "../expressions/index.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import { clip } from "../text/clip.ts";
import type { Fault, Site } from "./faults.ts";

/** The faults by keywords that look at a value alone: its type, its length, what it may be. */
export function assertionFaults(schema: JsonObject, site: Site): readonly Fault[] {
  const type = own(schema, "type");
  const wanted = (typeof type === "string" ? [type] : (type ?? [])) as readonly string[];
  if (wanted.length > 0 && !wanted.some((each) => hasType(site.value, each))) return [{ kind: "type", site, wanted }];
  const values = own(schema, "enum") ?? (Object.hasOwn(schema, "const") ? [schema["const"]!] : undefined);
  const known = values as readonly Json[] | undefined;
  const found: Fault[] =
    known?.some((each) => equalValues(each, site.value)) === false ? [{ kind: "value", site, known }] : [];
  for (const detail of details(schema, site.value)) found.push({ kind: "form", site, detail });
  return found;
}

function hasType(value: Json, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function details(schema: JsonObject, value: Json): readonly string[] {
  if (typeof value === "string")
    return [...sizeDetails(schema, "Length", [...value].length, "character"), ...patternDetails(schema, value)];
  if (typeof value === "number") return numberDetails(schema, value);
  if (Array.isArray(value)) return sizeDetails(schema, "Items", value.length, "entry", "entries");
  return isObject(value) ? sizeDetails(schema, "Properties", Object.keys(value).length, "property", "properties") : [];
}

function sizeDetails(schema: JsonObject, unit: string, size: number, one: string, many = `${one}s`): readonly string[] {
  const least = numberOf(schema, `min${unit}`, 0);
  const most = numberOf(schema, `max${unit}`, Number.POSITIVE_INFINITY);
  if (size < least)
    return [
      size === 0
        ? `is empty; it needs at least ${count(least, one, many)}`
        : `has fewer than ${count(least, one, many)}`,
    ];
  return size > most ? [`has more than ${count(most, one, many)}`] : [];
}

function patternDetails(schema: JsonObject, value: string): readonly string[] {
  const pattern = own(schema, "pattern");
  if (typeof pattern !== "string" || new RegExp(pattern, "u").test(value)) return [];
  const { title } = schema;
  return [
    `is \`${clip(value)}\`, which is no ${typeof title === "string" ? title : `text of the form \`${pattern}\``}`,
  ];
}

function numberDetails(schema: JsonObject, value: number): readonly string[] {
  const limits = [
    { fits: value >= numberOf(schema, "minimum", value), detail: `at least ${schema["minimum"]}` },
    { fits: value <= numberOf(schema, "maximum", value), detail: `at most ${schema["maximum"]}` },
    {
      fits: value > numberOf(schema, "exclusiveMinimum", Number.NEGATIVE_INFINITY),
      detail: `more than ${schema["exclusiveMinimum"]}`,
    },
    {
      fits: value < numberOf(schema, "exclusiveMaximum", Number.POSITIVE_INFINITY),
      detail: `less than ${schema["exclusiveMaximum"]}`,
    },
  ];
  return limits.filter(({ fits }) => !fits).map(({ detail }) => `is ${value}; it can only be ${detail}`);
}

function numberOf(schema: JsonObject, keyword: string, fallback: number): number {
  const value = own(schema, keyword);
  return typeof value === "number" ? value : fallback;
}

function count(number: number, one: string, many: string): string {
  return number === 1 ? `one ${one}` : `${number} ${many}`;
}
