import { describe, expect, test } from "vitest";
import { waybill } from "./command.ts";

const document = '{"items":[{"id":1,"veg":true},{"id":2}]}';

describe("eval", () => {
  test("each output of a jq program is a line", async () => {
    expect(await waybill(".", ["eval", ".items[] | {id, veg}"], document)).toEqual({
      status: 0,
      out: '{"id":1,"veg":true}\n{"id":2,"veg":null}\n',
      err: "",
    });
  });

  test("JSONPath follows the languages' dialect, or RFC 9535 with --strict", async () => {
    const path = "$.items.[?(@.veg)].id";
    expect((await waybill(".", ["eval", "--in", "jsonpath", path], document)).out).toBe("1\n");
    expect(await waybill(".", ["eval", "--in", "jsonpath", "--strict", path], document)).toMatchObject({
      status: 1,
      out: "",
    });
  });

  test("conditions use names from the document and the command line", async () => {
    const variable = ["--arg", "wanted", "2"];
    expect(
      (await waybill(".", ["eval", "--in", "boolean", "$.items[1].id eq wanted", ...variable], document)).out,
    ).toBe("false\n");
    expect((await waybill(".", ["eval", "--in", "boolean", "not empty(items)"], document)).out).toBe("true\n");
  });

  test("JSONata prints its value, or nothing", async () => {
    const jsonata = ["eval", "--in", "jsonata"];
    expect(
      await waybill(".", [...jsonata, "--arg", "v", "x", "items.id ~> $map(function($i){ $i & $v })"], document),
    ).toEqual({ status: 0, out: '["1x","2x"]\n', err: "" });
    expect(await waybill(".", [...jsonata, "missing"], document)).toEqual({ status: 0, out: "", err: "" });
    expect(await waybill(".", [...jsonata, "-n", "$"])).toMatchObject({ status: 0, out: "null\n" });
  });

  test("JSONata errors have positions and JSONata's codes", async () => {
    const { status, out, err } = await waybill(".", ["eval", "-n", "--in", "jsonata", "[1, 2"]);
    expect({ status, out }).toEqual({ status: 1, out: "" });
    expect(err).toMatch(/^<expression>:1:6: error WB4014: `\]` is missing at the end of the expression\. \(S0203\)\n/);
    const failed = await waybill(".", ["eval", "--in", "jsonata", "{'n': items[0].veg + 1}"], document);
    expect(failed).toMatchObject({ status: 1, out: "" });
    expect(failed.err).toMatch(/^<expression>:1:7: error WB4015: .*\(T2001\)\n/);
  });

  test("variables without a document", async () => {
    expect(await waybill(".", ["eval", "-n", "--arg", "a", "--arg", "--arg", "b", "2", "$a + $b"])).toMatchObject({
      out: '"--arg2"\n',
    });
  });

  test("errors have positions", async () => {
    const { status, out, err } = await waybill(".", ["eval", "-n", ".a | keyz | $b"]);
    expect({ status, out }).toEqual({ status: 1, out: "" });
    expect(err).toMatch(/^<expression>:1:6: error WB4011: .*\n.*\n.*\n {2}hint: Did you mean `keys`\?\n/);
    expect(err).toContain("<expression>:1:13: error WB4011");
  });

  test("an error is printed after the outputs before it", async () => {
    expect(await waybill(".", ["eval", "-n", '1, error("no")'])).toEqual({
      status: 1,
      out: "1\n",
      err: "The expression failed: no\n",
    });
  });

  test("--compare with equal outputs", async () => {
    const program = ".items[] | {id}, $n, now, 1e1000";
    const { status, out, err } = await waybill(".", ["eval", "--compare", "--arg", "n", "7", program], document);
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(out.split("\n").map((line) => line.slice(0, 10))).toEqual([...Array(8).fill("same      "), ""]);
    expect(out).toMatch(/^same {6}\{"id":1\}\nsame {6}"7"\n/);
  });

  test("--compare with errors on both sides", async () => {
    expect(await waybill(".", ["eval", "-n", "--compare", '1, error("no")'])).toEqual({
      status: 0,
      out: "same      1\nWaybill   error: no\njq 1.8.2  error: no\n",
      err: "",
    });
  });

  test("--compare with different digits beyond double precision", async () => {
    expect(await waybill(".", ["eval", "-n", "--compare", "[1.10] | tojson, 2"])).toEqual({
      status: 1,
      out: 'Waybill   "[1.1]"\njq 1.8.2  "[1.10]"\nsame      2\n',
      err: "",
    });
  });

  test.each([
    ["--strict requires --in jsonpath.", ["--strict", "."]],
    [
      "--as cannot be combined with --in jsonata, which Waybill only evaluates.",
      ["--in", "jsonata", "--as", "js", "1"],
    ],
    [
      "--arg cannot be combined with --in jsonpath, which has no variables.",
      ["--in", "jsonpath", "--arg", "a", "1", "$"],
    ],
    ["-n cannot be combined with --as, which evaluates nothing.", ["-n", "--as", "js", "."]],
  ])("%s", async (message, args) => {
    expect(await waybill(".", ["eval", ...args])).toEqual({ status: 2, out: "", err: `${message}\n` });
  });

  test("flags that conflict with --compare", async () => {
    expect(await waybill(".", ["eval", "-n", "--compare", "--as", "js", "1"])).toMatchObject({ status: 2 });
    expect(await waybill(".", ["eval", "-n", "--compare", "--in", "jsonpath", "$"])).toMatchObject({ status: 2 });
  });

  test("--as prints idiomatic TypeScript", async () => {
    const { status, out } = await waybill(".", ["eval", "--as", "ts", ".items | map(select(.veg) | .id)"]);
    expect({ status, out }).toEqual({
      status: 0,
      out: `import { type Json, absent, elementsOf, isTrue, mayHaveMembers } from "./runtime.js";

const getItems = (value: Json): Json =>
  mayHaveMembers(value) && value.items !== undefined ? value.items : absent(value, "items");
const getVeg = (value: Json): Json =>
  mayHaveMembers(value) && value.veg !== undefined ? value.veg : absent(value, "veg");
const getId = (value: Json): Json =>
  mayHaveMembers(value) && value.id !== undefined ? value.id : absent(value, "id");
export const program = (input: Json): Json =>
  elementsOf(getItems(input))
    .filter((item) => isTrue(getVeg(item)))
    .map(getId);
`,
    });
  });

  test("--as prints conditions and paths with the types that they access", async () => {
    expect(
      (await waybill(".", ["eval", "--as", "ts", "--in", "boolean", "$.order.state eq wanted", "--arg", "wanted", "x"]))
        .out,
    ).toBe(
      `import { type Json, compareInCondition, present } from "./runtime.js";

type Input = {
  readonly order?: { readonly state?: Json; readonly [member: string]: Json | undefined };
  readonly [member: string]: Json | undefined;
};

export const program = (input: Input, wanted: Json): boolean =>
  compareInCondition(present(input?.order?.state), "==", [wanted]);
`,
    );
    expect((await waybill(".", ["eval", "--as", "ts", "--in", "jsonpath", "$.items[0]"])).out).toContain(
      "Json | undefined => elementOf(input?.items, 0);\n",
    );
  });

  test("--as prints TypeScript that fails on the right first, like jq", async () => {
    expect((await waybill(".", ["eval", "--as", "ts", ".a + .b"])).out).toContain(
      "const bValue = getB(input);\n  return plus(getA(input), bValue);\n",
    );
  });

  test("--as prints TypeScript with statements for what is no single expression", async () => {
    const { status, out } = await waybill(".", [
      "eval",
      "--as",
      "ts",
      "reduce .orders[] as $order (0; . + $order.total)",
    ]);
    expect(status).toBe(0);
    expect(out).toContain("export function program(input: Json): Json {");
    expect(out).toContain("for (const order of elementsOf(getOrders(input))) {");
  });

  test("usage errors", async () => {
    expect(await waybill(".", ["eval", ".", "--in", "jsonpaht", "-n"])).toMatchObject({
      status: 2,
      err: "--in must be one of jq, jsonata, jsonpath, boolean, not `jsonpaht`. Did you mean `jsonpath`?\n",
    });
    expect(await waybill(".", ["eval", "."], "{a")).toMatchObject({ status: 2 });
    expect(await waybill(".", ["eval", "."], "")).toMatchObject({ status: 2 });
    expect(await waybill(".", ["eval", ".", "--arg", "a"])).toMatchObject({ status: 2 });
    expect(await waybill(".", ["eval"])).toMatchObject({
      status: 2,
      err: expect.stringContaining("requires an expression"),
    });
  });
});
