import { EvaluationError } from "../../../src/expressions/library/failure.ts";
import { type LibraryFunction, listFunctions } from "../../../src/expressions/library/registry.ts";
import { isObject, type Json, setOwn } from "../../../src/json.ts";
import type { Oracle } from "../jq/oracle.ts";

/** The arguments of a function: its input, unless ignored, and its parameters. */
export type Arguments = readonly Json[];

/** Encodes a value as JSON: numbers that JSON lacks become objects with the single key `#`. Key order is preserved. */
export function encode(value: Json): Json {
  if (typeof value === "number") return encodeNumber(value);
  if (Array.isArray(value)) return value.map(encode);
  return isObject(value) ? mapped(value, encode) : value;
}

function encodeNumber(value: number): Json {
  if (Number.isNaN(value)) return { "#": "nan" };
  if (value === 0) return 1 / value < 0 ? { "#": "-0" } : 0;
  return Number.isFinite(value) ? value : { "#": value > 0 ? "infinite" : "-infinite" };
}

const unusual: { readonly [name: string]: number } = {
  nan: Number.NaN,
  infinite: Infinity,
  "-infinite": -Infinity,
  "-0": -0,
};

/** Decodes a value. */
export function decode(value: Json): Json {
  if (Array.isArray(value)) return value.map(decode);
  if (!isObject(value)) return value;
  return typeof value["#"] === "string" ? unusual[value["#"]]! : mapped(value, decode);
}

function mapped(value: { readonly [key: string]: Json }, change: (value: Json) => Json): Json {
  const result: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) setOwn(result, key, change(value[key]!));
  return result;
}

/** A deep copy. */
export const copied = (value: Json): Json => decode(encode(value));

/** The outcome of a library function as JSON: `[0, result]` or `[1, error]`. */
export function outcome(definition: Pick<LibraryFunction, "apply">, values: Arguments): string {
  try {
    return JSON.stringify([0, encode(definition.apply(...values))]);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return JSON.stringify([1, encode(error.value)]);
  }
}

/** An outcome without the signs of zeros, which jq prints. */
export const withoutZeroSigns = (text: string): string =>
  text.replaceAll('{"#":"-0"}', "0").replaceAll(/(?<=[("[,:])-0(?=[)"\],}])/g, "0");

/** Whether jq's result of a call depends on the sign of a zero. */
export const readsZeroSign = (signature: string, values: Arguments): boolean =>
  ["atan2/3", "copysign/3", "pow/3"].includes(signature) && values.some((value) => Object.is(value, -0));

/** Numbers are calculated, because jq keeps the digits of numbers that it reads. */
const decoding = `def decoded: if type == "object" then (if has("#") then {nan: nan, infinite: infinite, "-infinite": -infinite, "-0": (0 * -1)}[.["#"]]
  else map_values(decoded) end) elif type == "array" then map(decoded) elif type == "number" then . * 1 else . end;`;
const encoding = `def encoded: if type == "number" then (. * 1 | if isnan then {"#": "nan"} elif isinfinite then {"#": (if . > 0 then "infinite" else "-infinite" end)}
  elif . == 0 and tojson == "-0" then {"#": "-0"} else . end) elif type == "array" then map(encoded) elif type == "object" then map_values(encoded) else . end;`;

/** jq's outcomes for many calls of a function. */
export async function outcomesOfJq(
  oracle: Oracle,
  signature: string,
  ignoresInput: boolean,
  calls: readonly Arguments[],
): Promise<readonly string[]> {
  const call = listFunctions.has(signature) ? `[${jqCall(signature, ignoresInput)}]` : jqCall(signature, ignoresInput);
  const program = `${decoding} ${encoding} map(decoded as $x | try [0, (${ignoresInput ? "null" : "$x[0]"} | ${call} | encoded)] catch [1, encoded])`;
  const [answer] = (await oracle.run(program, JSON.stringify(calls.map(encode)))).split("\n");
  return (JSON.parse(answer!) as Json[]).map((result) => JSON.stringify(result));
}

function jqCall(signature: string, ignoresInput: boolean): string {
  const [name, count] = signature.split("/") as [string, string];
  const parameters = Array.from({ length: Number(count) - 1 }, (_, i) => `$x[${ignoresInput ? i : i + 1}]`);
  return parameters.length > 0 ? `${name}(${parameters.join("; ")})` : name;
}
