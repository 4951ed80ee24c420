import { describe, expect, test } from "vitest";
import { folderWith, greeting, waybill } from "./command.ts";

const located = (text: string): readonly string[] => text.match(/^\S+:\d+:\d+: \w+ WB\d{4}/gm) ?? [];

describe("in a folder", () => {
  test("a definition with misspelt words is read and reported", async () => {
    const folder = folderWith({
      "flows/a.yaml": greeting("a").replace("type: inject", "type: injct"),
      "flows/b.yaml": greeting("b").replace("states:", "stats:"),
    });
    const { status, err } = await waybill(folder, ["check", "flows"]);
    expect(status).toBe(1);
    expect(located(err)).toEqual(["flows/a.yaml:6:9: error WB1003", "flows/b.yaml:4:1: error WB1001"]);
    expect(err).toContain("Did you mean `inject`?");
    expect(err).toContain("Did you mean `states`?");
  });

  test("a doubtful file is skipped with a warning, which does not belong to the program", async () => {
    const folder = folderWith({
      "flows/good.yaml": greeting(),
      "flows/newer.yaml": `specVersion: '0.6'\n${greeting("newer")}`,
      "flows/little.json": JSON.stringify({ states: [{ name: "A", type: "injekt" }] }),
      "flows/machine.json": JSON.stringify({ id: "m", initial: "a", states: { a: {} } }),
    });
    const { status, out, err } = await waybill(folder, ["compile", "flows", "--target", "asl"]);
    expect(status).toBe(0);
    expect(JSON.parse(out)).toHaveProperty("States");
    expect(located(err)).toEqual(["flows/little.json:1:2: warning WB0103", "flows/newer.yaml:1:1: warning WB0103"]);
    expect(err).toContain("it is Serverless Workflow 0.6, which Waybill does not support");
    expect((await waybill(folder, ["compile", "flows", "--target", "asl", "--strict"])).status).toBe(1);
    const json = JSON.parse((await waybill(folder, ["check", "flows", "--format", "json"])).out);
    expect(json.map(({ code, file }: { code: string; file: string }) => [code, file])).toEqual([
      ["WB0103", "flows/little.json"],
      ["WB0103", "flows/newer.yaml"],
    ]);
  });

  test("without a definition, near misses are named", async () => {
    const folder = folderWith({
      "flows/newer.yaml": `specVersion: '0.6'\n${greeting()}`,
      "flows/values.yaml": "replicas: 3\n",
    });
    const { status, out, err } = await waybill(folder, ["check", "flows"]);
    expect({ status, out }).toEqual({ status: 1, out: "" });
    expect(err).toBe(
      "No workflow definition found in `flows`. `flows/newer.yaml` resembles one: check it alone to see what is missing.\n",
    );
  });
});
