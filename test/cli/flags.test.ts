import { expect, test } from "vitest";
import { namesOf, standardRegistry } from "../../src/cli/registry.ts";
import { broken, doubtful, folderWith, greeting, waybill } from "./command.ts";

const composition = `Entry: charge
Exit: done
States:
  charge: { Type: Task, Action: chargeCard, Next: done }
  done: { Type: Pass }
`;

test("a language has other names on the command line", async () => {
  const folder = folderWith({ "order.yaml": composition });
  const args = ["check", "order.yaml", "--from", "Composer", "--option", "composer.globals=any"];
  expect(await waybill(folder, args)).toEqual({ status: 0, out: "", err: "" });
  const names = standardRegistry.languages.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  expect(new Set(names).size).toBe(names.length);
});

test.each([
  ["yaml", "yawl"],
  ["serverless-workflow-1", "serverless-workflow-1.0"],
  ["composer-fms", "composer-fsm"],
  ["function", "function-workflow"],
])("--from %s: did you mean %s?", async (from, name) => {
  const { status, err } = await waybill(folderWith({ "a.yaml": greeting() }), ["check", "a.yaml", "--from", from]);
  const known = namesOf(standardRegistry.languages).join(", ");
  expect({ status, err }).toEqual({
    status: 2,
    err: `--from must be one of ${known}, not \`${from}\`. Did you mean \`${name}\`?\n`,
  });
});

test.each([
  ["asl.templat=sam", "Unknown setting `templat` of asl. Did you mean `template`?\n"],
  ["asl.alias.percent=5", "Unknown setting `percent` of asl. Did you mean `percentage`?\n"],
  ["asl.xyz=5", "Unknown setting `xyz` of asl. Its settings are "],
  [
    "als.template=sam",
    "The target of --set must be one of asl, openwhisk, typescript, not `als`. Did you mean `asl`?\n",
  ],
])("--set %s", async (setting, message) => {
  const args = ["compile", "a.yaml", "--target", "asl", "--set", setting];
  const { status, err } = await waybill(folderWith({ "a.yaml": greeting() }), args);
  expect(status).toBe(2);
  expect(err).toContain(message);
});

test("--max-diagnostics prints errors first, and counts all", async () => {
  const folder = folderWith({ "a.yaml": doubtful, "b.yaml": broken.replace("id: greet", "id: other") });
  const { status, err } = await waybill(folder, ["check", ".", "--max-diagnostics", "1"]);
  expect(status).toBe(1);
  expect(err.match(/ WB\d{4}: /g)).toHaveLength(1);
  expect(err).toContain("b.yaml:9:");
  expect(err).toContain("\n1 error, 1 warning\n1 more not shown because of --max-diagnostics\n");
  const json = await waybill(folder, ["check", ".", "--max-diagnostics", "1", "--format", "json"]);
  expect(JSON.parse(json.out)).toHaveLength(1);
  expect((await waybill(folder, ["check", ".", "--max-diagnostics", "0"])).err).toBe(
    "--max-diagnostics must be a positive integer, not `0`.\n",
  );
});
