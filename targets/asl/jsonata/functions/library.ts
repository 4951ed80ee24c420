import type { Call, RegexPattern } from "../../../../src/expressions/index.ts";
import { apply, type Code, code, discarding, infix, precedence } from "../code.ts";
import { constantOf, help, named, type Printer, refuse } from "../context.ts";
import { typeIn } from "../knowledge.ts";
import { regexOf } from "./patterns.ts";

/** The functions of jq that are helpers here, with the input as the first argument. */
const helpers: ReadonlyMap<string, string> = new Map([
  ["_negate/1", "negateOf"],
  ["abs/1", "absoluteOf"],
  ["add/1", "sumOf"],
  ["ascii_downcase/1", "lowerOf"],
  ["ascii_upcase/1", "upperOf"],
  ["ceil/1", "ceilOf"],
  ["contains/2", "containsPart"],
  ["delpaths/2", "withoutPaths"],
  ["endswith/2", "endsWith"],
  ["fabs/1", "sizeOf"],
  ["flatten/2", "flattenTo"],
  ["floor/1", "floorOf"],
  ["from_entries/1", "fromEntries"],
  ["getpath/2", "getPath"],
  ["_group_by_impl/2", "groupedBy"],
  ["has/2", "hasKey"],
  ["index/2", "firstIndex"],
  ["indices/2", "indicesOf"],
  ["join/2", "joinBy"],
  ["keys/1", "keysOf"],
  ["keys_unsorted/1", "keysInOrder"],
  ["length/1", "lengthOf"],
  ["ltrim/1", "trimStartOf"],
  ["ltrimstr/2", "withoutStart"],
  ["_max_by_impl/2", "greatestBy"],
  ["_min_by_impl/2", "leastBy"],
  ["reverse/1", "reverseOf"],
  ["rindex/2", "lastIndex"],
  ["round/1", "roundOf"],
  ["rtrim/1", "trimEndOf"],
  ["rtrimstr/2", "withoutEnd"],
  ["setpath/3", "setPath"],
  ["sort/1", "sortOf"],
  ["_sort_by_impl/2", "sortedBy"],
  ["split/2", "splitBy"],
  ["sqrt/1", "rootOf"],
  ["startswith/2", "startsWith"],
  ["to_entries/1", "entriesOf"],
  ["toboolean/1", "toBoolean"],
  ["tonumber/1", "toNumber"],
  ["trim/1", "trimOf"],
  ["trimstr/2", "withoutEnds"],
  ["trunc/1", "wholeOf"],
  ["unique/1", "uniqueOf"],
  ["_unique_by_impl/2", "uniqueBy"],
  ["utf8bytelength/1", "bytesIn"],
]);

/** The formats of jq that JSONata can write. */
const formats: ReadonlyMap<unknown, string> = new Map([
  ["html", "asHtml"],
  ["uri", "asUri"],
  ["base64", "asBase64"],
]);

/** A function of jq's library of these values. */
export function libraryText(call: Call, values: readonly Code[], printer: Printer): Code {
  const [first] = values as readonly [Code];
  const name = `${call.name}/${values.length}`;
  const helper = helpers.get(name);
  if (helper) return help(printer, helper, ...values);
  switch (name) {
    case "_test/2":
      return searched(call, first, printer);
    case "tostring/1":
      return textOf(call, first, printer);
    case "tojson/1":
      return jsonText(call, first, printer);
    case "format/2":
      return formatted(call, first, printer);
    case "min/1":
      return named(first, printer, "list", (list) => help(printer, "leastBy", list, list));
    case "max/1":
      return named(first, printer, "list", (list) => help(printer, "greatestBy", list, list));
    case "flatten/1":
      return help(printer, "flattenTo", first, code("1e9"));
    case "pow/2":
    case "pow/3":
      return help(printer, "powerOf", ...values.slice(-2));
    default:
      return testText(call, first);
  }
}

/** A test of what kind of number a value is: there are neither infinities here nor what is no number. */
function testText(call: Call, item: Code): Code {
  switch (call.name) {
    case "isfinite":
      return infix("=", precedence.comparison, apply("type", item), code('"number"'));
    case "isnan":
    case "isinfinite":
      return discarding(item, code("false"));
    case "_match":
    case "_captured":
    case "_scanned":
    case "_between":
    case "_replaced":
      return refuse("the matches of a regular expression", call);
    default:
      return refuse(`the function \`${call.name.replace(/^_|_impl$/g, "")}\``, call);
  }
}

/** `tostring`. */
function textOf(call: Call, item: Code, printer: Printer): Code {
  return typeIn(call.args[0]!, printer) === "string"
    ? item
    : (simpleText(call, item, printer) ?? help(printer, "asText", item));
}

/** `tojson`. */
function jsonText(call: Call, item: Code, printer: Printer): Code {
  return simpleText(call, item, printer) ?? help(printer, "jsonOf", item);
}

/** Whether a text has a match of a regular expression, as JavaScript without the flag `u` finds it. */
function searched(call: Call, item: Code, printer: Printer): Code {
  const pattern = constantOf(call.args[1]!) as RegexPattern | undefined;
  const regex = pattern && regexOf(pattern);
  if (!regex) return refuse("this regular expression", call);
  return help(printer, regex.wantsAscii ? "searchedInAscii" : "searchedIn", item, code(regex.text));
}

function simpleText({ args }: Call, item: Code, printer: Printer): Code | undefined {
  const type = typeIn(args[0]!, printer);
  if (type === "boolean" || type === "null") return apply("string", item);
  return type === "number" ? help(printer, "numberText", item) : undefined;
}

function formatted(call: Call, item: Code, printer: Printer): Code {
  const name = constantOf(call.args[1]!);
  if (name === "text") return textOf(call, item, printer);
  if (name === "json") return jsonText(call, item, printer);
  const helper = formats.get(name);
  return helper
    ? help(printer, helper, item)
    : refuse(typeof name === "string" ? `the format \`@${name}\`` : "a format that is computed", call);
}
