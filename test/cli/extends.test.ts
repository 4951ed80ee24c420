import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesIn, folderWith, greeting, waybill } from "./command.ts";

const base = `{
  // What all projects share.
  "sources": ["flows"], # also with this comment
  "outputs": [{ "target": "asl", "out": "build" }],
  "targets": { "asl": { "format": "yaml", "partition": "aws-cn" } },
  "functions": {
    "charge": { "typescript": { "module": "./lib/charge.mts#charge" }, "asl": { "lambda": "\${ChargeArn}" } },
    "other": { "asl": { "lambda": "\${OtherArn}" } },
  },
  "diagnostics": { "WB1002": "off" },
}
`;

const pay = `id: pay
name: Pay
version: '1.0'
owner: shop
functions: [{ name: charge }]
states:
- name: Charge
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: charge, parameters: { order: $.order } } }]
  end: { kind: default }
`;

const files = {
  "shared/base.jsonc": base,
  "shared/lib/charge.mts": "export const charge = async ({ order }: { order: string }) => ({ charged: order });\n",
  "shop/waybill.config.yaml": "extends: ../shared/base.jsonc\n",
  "shop/flows/pay.yaml": pay,
};

const written = (folder: string): readonly string[] =>
  Object.keys(filesIn(folder)).filter((path) => /\.asl\.(?:json|yaml)$/.test(path));

test("a project has what its configuration extends; globs and folders start from its own folder", async () => {
  const folder = folderWith(files);
  const { status, err } = await waybill(folder, ["build"]);
  expect(err).not.toContain("WB");
  expect(status).toBe(0);
  expect(written(folder)).toEqual(["shop/build/pay.asl.yaml"]);
  expect(readFileSync(join(folder, "shop/build/pay.asl.yaml"), "utf8")).toContain("ChargeArn");
});

test("its own settings and bindings replace those of the base one by one, and its lists as a whole", async () => {
  const own = `extends: ../shared/base.jsonc
outputs: [{ target: asl, out: own }, { target: typescript, out: program }]
targets: { asl: { format: json } }
functions: { charge: { asl: { lambda: "\${OwnArn}" } } }
`;
  const folder = folderWith({ ...files, "shop/waybill.config.yaml": own });
  const { status } = await waybill(folder, ["build"]);
  expect(status).toBe(0);
  expect(written(folder)).toEqual(["shop/own/pay.asl.json"]);
  const machine = readFileSync(join(folder, "shop/own/pay.asl.json"), "utf8");
  expect(machine).toContain("OwnArn");
  expect(readFileSync(join(folder, "shop/program/functions.ts"), "utf8")).toContain("../../shared/lib/charge.mts");
});

test("several bases apply in their order, and each may extend others", async () => {
  const folder = folderWith({
    ...files,
    "shared/more.yaml": "extends: [./most.yml]\ntargets: { asl: { format: json } }\n",
    "shared/most.yml": "outputs: [{ target: asl, out: most }]\nexclude: [drafts]\n",
    "shop/waybill.config.yaml": "extends: [../shared/base.jsonc, ../shared/more.yaml]\n",
    "shop/flows/drafts/half.yaml": "id: [\n",
  });
  expect((await waybill(folder, ["build"])).status).toBe(0);
  expect(written(folder)).toEqual(["shop/most/pay.asl.json"]);
});

const span = "shop/waybill.config.yaml:1:10: error WB0532";
test.each([
  ["../shared/base.yaml", `${span}: Cannot extend \`../shared/base.yaml\`: no such file or folder.`],
  ["./waybill.config.yaml", `${span}: Cannot extend \`./waybill.config.yaml\`: it extends this configuration itself.`],
  ["./circle.yaml", "Cannot extend `./waybill.config.yaml`: it extends this configuration itself."],
  ["https://example.com/base.yaml", "`extends` must be the path of a configuration, such as `../base.yaml`."],
  ["{ path: x }", "`extends` must be the path of a configuration, such as `../base.yaml`."],
])("%s cannot be extended", async (path, message) => {
  const folder = folderWith({
    ...files,
    "shop/waybill.config.yaml": `extends: ${path}\nsources: [flows]\noutputs: [{ target: asl, out: build }]\n`,
    "shop/circle.yaml": "extends: ./waybill.config.yaml\n",
  });
  const { status, err } = await waybill(folder, ["build"]);
  expect(err).toContain(message);
  expect(status).toBe(1);
});

test("an error of a base is reported once, where it is", async () => {
  const folder = folderWith({
    ...files,
    "shared/base.jsonc": base.replace('"yaml"', '"yml"'),
    "second/waybill.config.yaml": "extends: ../shared/base.jsonc\n",
    "second/flows/pay.yaml": pay,
  });
  const { err } = await waybill(folder, ["build"]);
  expect(err.match(/shared\/base\.jsonc:5:\d+: error/g)).toHaveLength(1);
});

test("a configuration in JSON may have comments", async () => {
  const folder = folderWith({
    "flow.yaml": greeting(),
    "waybill.config.json": '{ "options": { "timeout": "fail", }, /* no more */ }\n',
  });
  expect(await waybill(folder, ["check", "flow.yaml"])).toEqual({ status: 0, out: "", err: "" });
});
