import fc from "fast-check";
import { type Json, setOwn } from "../../../src/json.ts";
import { type Arguments, copied } from "./exchange.ts";

const character = fc.constantFrom(
  ..."abcAZ é1,\n\t\"\\<&'=%+/_-.:[{}]",
  "😀",
  "\0",
  "\x7f",
  "\u2028",
  "\uffff",
  "\u00a0",
  "\u3000",
);

/** Short strings with repeated characters, including those that some format or syntax treats specially. */
export const text: fc.Arbitrary<string> = fc
  .array(character, { maxLength: 9 })
  .map((characters) => characters.join(""));

const special = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  1.5,
  2.5,
  -2.5,
  1e16,
  1e17,
  1e21,
  1e-5,
  1e-7,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  1e19,
  -1e19,
  1e300,
  5e-324,
];

/** Numbers of all magnitudes, including those at which formats and functions change, nan and infinities. */
export const number: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: -4, max: 9 }),
  fc.integer({ min: -4, max: 9 }),
  fc.double({ min: -100, max: 100, noNaN: true }),
  fc.constantFrom(...special, Number.NaN, Infinity, -Infinity),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const key = fc.constantFrom("a", "b", "é", "__proto__", "key", "value", "name", "start", "end", "constructor");

const object = (member: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.array(fc.tuple(key, member), { maxLength: 3 }).map((entries) => {
    const result: { [key: string]: Json } = {};
    for (const [name, value] of entries) setOwn(result, name, value);
    return result;
  });

/** Any value of limited depth. */
export const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.oneof(fc.constantFrom<Json>(null, true, false), number, text),
    fc.oneof(number, text),
    fc.array(tie("value"), { maxLength: 4 }),
    object(tie("value")),
  ),
})).value;

const list = fc.array(value, { maxLength: 5 });
const count = fc.integer({ min: 0, max: 3 });
const pair = fc.tuple(number, number);
const seconds = fc.integer({ min: -59_000_000_000, max: 200_000_000_000 }).map((quarter) => quarter / 4);
const timestamp = fc
  .integer({ min: -55_000_000_000, max: 200_000_000_000 })
  .map((second) => `${new Date(second * 1000).toISOString().slice(0, 19)}Z`);

/** A string with one of its parts, or with another string. */
const textAndPart = fc
  .tuple(text, fc.nat(8), count, text)
  .map(([whole, from, length, other]) => [whole, length > 0 ? [...whole].slice(from, from + length).join("") : other]);

/** A value with a path that exists or nearly exists. */
const valueAndPath = fc.tuple(value, fc.array(fc.oneof(key, fc.integer({ min: -2, max: 2 }), value), { maxLength: 4 }));

const slice = fc.record({
  start: fc.option(fc.integer({ min: -3, max: 3 })),
  end: fc.option(fc.double({ min: -3, max: 5, noNaN: true })),
});
const listPath = fc.array(fc.oneof(fc.integer({ min: -3, max: 4 }), slice as fc.Arbitrary<Json>, number), {
  minLength: 1,
  maxLength: 2,
});
const nested = fc.array(fc.oneof(list as fc.Arbitrary<Json>, value), { maxLength: 4 });

const keyed = fc
  .array(fc.tuple(value, fc.oneof(fc.constantFrom<Json>(1, 2, "a", [1]), value)), { minLength: 1, maxLength: 5 })
  .map((entries) => [entries.map(([item]) => item), entries.map(([, by]) => by)] as Arguments)
  .filter(([, keys]) => !JSON.stringify(keys).includes("null"));

const entry = fc
  .tuple(
    fc.constantFrom("key", "Key", "name", "Name", "k"),
    fc.oneof({ weight: 5, arbitrary: key as fc.Arbitrary<Json> }, { weight: 1, arbitrary: value }),
  )
  .chain(([name, by]) =>
    fc
      .tuple(fc.constantFrom("value", "Value"), value)
      .map(([field, content]) => ({ [name]: by, [field]: content }) as Json),
  );

const numeral = fc.oneof(
  number.map(String),
  fc
    .tuple(fc.constantFrom("+", "-", ""), fc.nat(99), fc.constantFrom("", ".", "e", "E5", "e-3", ".5", "x", " "))
    .map((parts) => parts.join("")),
  fc.constantFrom("nan", "inf", "Infinity", "-nan", "snan", "true", "", "0x1", "1_0"),
);

const brokenJson = fc
  .tuple(
    value,
    fc.nat(60),
    fc.oneof(character, fc.constantFrom("", "nan", "\\u", "\\ud83d", "\\n", "tru", "e5", "]", "}", ",", ":")),
    fc.nat(1),
  )
  .map(([content, at, piece, gone]) => {
    const written = [...JSON.stringify(content)];
    written.splice(at, gone, piece);
    return written.join("");
  });

const formatted = fc.oneof(
  fc.tuple(list as fc.Arbitrary<Json>, fc.constantFrom("csv", "tsv", "sh")),
  fc.tuple(value, fc.constantFrom("json", "text", "html", "uri", "base64", "base32", "csv", "sh")),
  fc.tuple(text.map(encodeURIComponent), fc.constant("urid")),
  fc
    .tuple(text, fc.constantFrom("%c3", "%C3%a9", "%4", "%zz", "%f0%9f%98%80", "%ed%a0%80", "%00"))
    .map(([before, code]) => [before + code, "urid"]),
  fc.uint8Array({ maxLength: 7 }).map((bytes) => [Buffer.from(bytes).toString("base64"), "base64d"]),
  text.map((written) => [written, "base64d"]),
);

const field = fc
  .constantFrom(..."YmdHMSjaAbBeCDFTRrcxXIpuwUWVGgyszhnt%", "-d", "_H", "0e", "-j", "Ey", "Od", "Q", "k", "Z")
  .map((letter) => `%${letter}`);
const dateFormat = fc
  .array(fc.oneof(field, fc.constantFrom("-", " ", "é", "x")), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(""));

const dateText = fc.oneof(
  timestamp.map((written) => [written, "%Y-%m-%dT%H:%M:%SZ"]),
  timestamp.map((written) => [`${written.slice(0, 19)}+01:00`, "%Y-%m-%dT%H:%M:%S%z"]),
  timestamp.map((written) => [written.replace(/\D/g, ""), "%Y%m%d%H%M%S"]),
  timestamp.map((written) => [`${written.slice(0, 10)} and more`, "%F"]),
  timestamp.map((written) => [`${written.slice(0, 10)}x`, "%F"]),
  fc.constantFrom("5 March 2015", "15 may 1999", "31 Dec 2020").map((written) => [written, "%d %B %Y"]),
);

const fields = fc.tuple(
  fc.integer({ min: 1900, max: 2100 }),
  ...Array.from({ length: 5 }, () => fc.integer({ min: -10, max: 70 })),
);

const of = (...values: readonly fc.Arbitrary<Json>[]): fc.Arbitrary<Arguments> => fc.tuple(...values);

/** Arguments for functions that accept most values. */
const fitting: readonly (readonly [RegExp, fc.Arbitrary<unknown>])[] = [
  [/^(startswith|endswith|[lr]?trimstr|split|indices|r?index|_strindices|contains)\//, textAndPart],
  [/^([lr]?trim|explode|ascii_\w+|utf8bytelength)\//, of(text)],
  [/^(getpath)\//, valueAndPath],
  [
    /^(setpath)\//,
    fc.oneof(
      fc.tuple(valueAndPath, value).map(([at, to]) => [...at, to]),
      of(list as fc.Arbitrary<Json>, listPath, list as fc.Arbitrary<Json>),
    ),
  ],
  [
    /^(delpaths)\//,
    fc.tuple(
      nested,
      fc.array(
        listPath.filter((path) => !path.some(Number.isNaN)),
        { maxLength: 3 },
      ),
    ),
  ],
  [/^(flatten|_flatten)\/2/, fc.tuple(nested, fc.oneof(count as fc.Arbitrary<Json>, value))],
  [
    /^(join)\//,
    fc.tuple(
      fc.array(fc.oneof(text as fc.Arbitrary<Json>, number, fc.constantFrom<Json>(null, true, false)), {
        maxLength: 4,
      }),
      text,
    ),
  ],
  [/^(has|nth)\//, fc.oneof(fc.tuple(list, number), fc.tuple(object(value), key))],
  [/^(in)\//, fc.oneof(fc.tuple(number, list), fc.tuple(key, object(value)))],
  [/^(inside)\//, value.map((content) => [content, copied(content)])],
  [/^_(sort|group|unique|min|max)_by_impl\//, keyed],
  [
    /^(bsearch)\//,
    fc.tuple(
      fc.array(fc.constantFrom<Json>(null, 1, 2, 3, "a", [1]), { maxLength: 6 }),
      fc.constantFrom<Json>(null, 1, 2, 3, "a", [1], {}),
    ),
  ],
  [/^(from_entries)\//, fc.tuple(fc.array(entry, { maxLength: 3 }))],
  [/^(implode)\//, fc.tuple(fc.array(fc.oneof(fc.nat(0x11ffff), number), { maxLength: 4 }))],
  [/^(tonumber)\//, fc.tuple(numeral)],
  [/^(toboolean)\//, fc.tuple(fc.constantFrom("true", "false", "True", true, false))],
  [/^(fromjson)\//, fc.tuple(brokenJson)],
  [/^(format)\//, formatted],
  [/^(combinations)\//, fc.tuple(fc.array(fc.array(value, { maxLength: 3 }), { maxLength: 3 }))],
  [/^(transpose|flatten)\//, fc.tuple(nested)],
  [
    /^(keys|keys_unsorted|add|any|all|to_entries|sort|unique|min|max|reverse|first|last)\//,
    fc.tuple(fc.oneof(list as fc.Arbitrary<Json>, object(value))),
  ],
  [/^(gmtime|localtime|todate|todateiso8601)\//, fc.tuple(seconds)],
  [/^(strftime|strflocaltime)\//, fc.tuple(seconds, dateFormat)],
  [/^(strptime)\//, dateText],
  [/^(fromdate|fromdateiso8601)\//, fc.tuple(timestamp)],
  [/^(mktime)\//, fc.tuple(fields)],
  [
    /^_\w+\/3/,
    fc.oneof(
      pair,
      fc.tuple(value, value),
      textAndPart,
      fc.tuple(text, fc.integer({ min: -2, max: 5 })),
      value.map((content) => [content, copied(content)]),
    ),
  ],
  [/^\w+\/3/, pair],
];

/** Only date formats on which C libraries agree can be compared. */
const dates = /^(strptime|strftime|strflocaltime|mktime|gmtime|localtime|todate\w*|fromdate\w*)\//;

/** Calls of a function, mostly with suitable values. */
export function callsOf(signature: string, ignoresInput: boolean): fc.Arbitrary<Arguments> {
  const size = Number(signature.split("/")[1]) - (ignoresInput ? 1 : 0);
  const any = fc.array(dates.test(signature) ? fc.constantFrom<Json>(null, true, {}) : value, {
    minLength: size,
    maxLength: size,
  });
  const suiting = (fitting.find(([pattern]) => pattern.test(signature))?.[1] ??
    fc.tuple(number)) as fc.Arbitrary<Arguments>;
  return fc.oneof({ weight: 4, arbitrary: suiting }, { weight: 1, arbitrary: any });
}
