// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of templates
import { expect, test } from "vitest";
import { check } from "../../../src/compile.ts";
import type { JsonObject } from "../../../src/json.ts";
import { languages } from "../../languages.ts";

function codesOf(state: JsonObject, placeholders: ReadonlyMap<string, string> = new Map()): readonly string[] {
  const machine = { StartAt: "A", States: { A: state, B: { Type: "Succeed" } } };
  const source = { path: "machine.asl.json", text: JSON.stringify(machine) };
  return check({ sources: [source], options: {}, placeholders }, languages).diagnostics.map(
    ({ code, message }) => `${code} ${/\$\{\w+\}/.exec(message)?.[0]}`,
  );
}

const jsonata = (output: string): JsonObject => ({ Type: "Pass", QueryLanguage: "JSONata", Output: output, Next: "B" });

test.each<[string, JsonObject, readonly string[]]>([
  ["an expression that is broken", jsonata("{% ${Rate} * 2 %}"), ["WB2825 ${Rate}"]],
  ["a string of an expression", jsonata("{% $states.input.stage = '${Stage}' %}"), ["WB2826 ${Stage}"]],
  ["a constant", jsonata("${Stage}"), []],
  ["a path", { Type: "Pass", InputPath: "$.${Key}", Next: "B" }, ["WB2825 ${Key}"]],
  ["a path in a template", { Type: "Pass", Parameters: { "a.$": "${Key}" }, Next: "B" }, ["WB2825 ${Key}"]],
  ["a filter", { Type: "Pass", InputPath: "$.l[?(@.s == '${Stage}')]", Next: "B" }, ["WB2826 ${Stage}"]],
  ["an argument", { Type: "Pass", Parameters: { "a.$": "States.Format('${Stage}')" }, Next: "B" }, ["WB2826 ${Stage}"]],
  ["a call that is broken", { Type: "Pass", Parameters: { "a.$": "States.Format(${S})" }, Next: "B" }, ["WB2825 ${S}"]],
  ["a member of a template", { Type: "Pass", Parameters: { a: "${Stage}" }, Next: "B" }, []],
  ["an instant", { Type: "Wait", Timestamp: "${When}", Next: "B" }, ["WB2825 ${When}"]],
  ["a comparison", choice({ Variable: "$.s", StringEquals: "${Stage}" }), ["WB2826 ${Stage}"]],
  ["a pattern", choice({ Variable: "$.s", StringMatches: "${Stage}-*" }), ["WB2826 ${Stage}"]],
  ["a comparison of instants", choice({ Variable: "$.s", TimestampEquals: "${When}" }), ["WB2825 ${When}"]],
  [
    "the name of an error",
    { Type: "Task", Resource: "${F}", Retry: [{ ErrorEquals: ["${Error}"] }], Next: "B" },
    ["WB2826 ${Error}"],
  ],
])("%s", (_, state, codes) => expect(codesOf(state)).toEqual(codes));

test("a placeholder with a value is not reported", () =>
  expect(codesOf(jsonata("{% ${Rate} * 2 %}"), new Map([["Rate", "3"]]))).toEqual([]));

function choice(test: JsonObject): JsonObject {
  return { Type: "Choice", Choices: [{ ...test, Next: "B" }], Default: "B" };
}
