import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { starterLanguages } from "../../src/cli/init.ts";
import { namesOf, standardRegistry } from "../../src/cli/registry.ts";
import { filesIn, folderWith, waybill } from "./command.ts";

const languages = starterLanguages(standardRegistry);
const combinations = languages.flatMap((language) =>
  namesOf(standardRegistry.targets).map((target) => ({ language, target })),
);

describe("a new project", () => {
  test.each(combinations)("in $language for $target builds without diagnostics and passes", async (flags) => {
    const folder = folderWith({});
    const args = ["init", "shop", "--language", flags.language, "--target", flags.target];
    const { status, err } = await waybill(folder, args);
    expect(status).toBe(0);
    expect(err).toContain("created  shop/flows/order.yaml\n");
    expect(err).toContain("Next: cd shop && npm install && npx waybill build && npx waybill test\n");
    const shop = join(folder, "shop");
    mkdirSync(join(shop, "node_modules"));
    const scripts = JSON.parse(filesIn(shop)["package.json"]!).scripts as { readonly [name: string]: string };
    for (const script of [scripts["build"], scripts["check"], "waybill build --check --strict", scripts["test"]]) {
      const result = await waybill(shop, script!.split(" ").slice(1));
      expect(result.err).not.toMatch(/ WB\d{4}: /);
      expect({ script, status: result.status }).toEqual({ script, status: 0 });
    }
  });
});

test("overwrites nothing", async () => {
  const folder = folderWith({ "package.json": "{}", "flows/order.yaml": "mine" });
  expect(await waybill(folder, ["init"])).toEqual({
    status: 1,
    out: "",
    err: "`flows/order.yaml` already exists; choose another folder, or remove it.\n",
  });
  expect(Object.keys(filesIn(folder))).toEqual(["flows/order.yaml", "package.json"]);
});

test("keeps files that other tools use, too", async () => {
  const folder = folderWith({ "package.json": "{}" });
  const { status, err } = await waybill(folder, ["init"]);
  expect(status).toBe(0);
  expect(err).toContain("kept     package.json\n");
  expect(err).toContain("package.json was kept: add waybill to its devDependencies.\n");
  expect(filesIn(folder)["package.json"]).toBe("{}");
});

test("an unknown language or target is a usage error", async () => {
  const folder = folderWith({});
  expect(await waybill(folder, ["init", "--language", "yaml"])).toMatchObject({ status: 2 });
  expect((await waybill(folder, ["init", "--target", "als"])).err).toContain("Did you mean `asl`?");
  expect(filesIn(folder)).toEqual({});
});

test("the help names the languages", async () => {
  expect((await waybill(".", ["init", "--help"])).out).toContain(languages.join(", "));
});
