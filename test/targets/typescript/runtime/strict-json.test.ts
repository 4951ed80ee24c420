import { describe, expect, test } from "vitest";
import { parseStrictJson } from "../../../../targets/typescript/runtime/strict-json.ts";

describe("accepted:", () => {
  test.each([
    "null",
    ' { "a" : [ { "a" : 1 }, { "a" : "\\"{" } ], "b" : { "a" : 2 } } ',
    '{"":1,"a":{"":"a"},"__proto__":{"a":1}}',
    '["a","a",{"a":"a","b":"a"},"a"]',
    '{"a":"a\\\\","a\\\\":1}',
    "1.7976931348623157e308",
    `${"[".repeat(500)}${"]".repeat(500)}`,
    JSON.stringify("{[".repeat(1000)),
  ])("%s", (text) => expect(parseStrictJson(text)).toEqual(JSON.parse(text)));
});

describe("rejected:", () => {
  test.each([
    ['{"a":1,"a":1}', 'has the member "a" twice in one object'],
    ['[{"b":[{"a":1,"c":{"a":1},"a":2}]}]', 'has the member "a" twice in one object'],
    ['{"a":1,"\\u0061":2}', 'has the member "a" twice in one object'],
    ['{"a":1 ,\n"a"\t: 2}', 'has the member "a" twice in one object'],
    ['{"__proto__":1,"__proto__":2}', 'has the member "__proto__" twice in one object'],
    ["1e999", "contains a number that is larger than any double"],
    ['{"a":[-1e400]}', "contains a number that is larger than any double"],
    ["", "is not JSON"],
    ["NaN", "is not JSON"],
    ['{"a":1,}', "is not JSON: see line 1, column 8"],
    ['"\\', "is not JSON"],
    ['{"a":1,"a":2', "is not JSON"],
    ["]}", "is not JSON"],
    [`${"[".repeat(501)}${"]".repeat(501)}`, "has arrays and objects that are nested more than 500 deep"],
    ['{"a":'.repeat(501), "has arrays and objects that are nested more than 500 deep"],
  ])("%s", (text, message) => expect(() => parseStrictJson(text)).toThrow(message));
});
