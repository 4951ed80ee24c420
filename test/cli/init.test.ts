import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { starterLanguages } from "../../src/cli/init.ts";
import { main } from "../../src/cli/main.ts";
import { namesOf, standardRegistry } from "../../src/cli/registry.ts";
import { silentTerminal } from "../../src/cli/terminal.ts";
import { filesIn, folderWith, waybill } from "./command.ts";

const languages = namesOf(starterLanguages(standardRegistry));
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
  expect((await waybill(".", ["init", "--help"])).out.replace(/\s+/g, " ")).toContain(languages.join(", "));
  expect(languages).toEqual(namesOf(standardRegistry.languages));
});

describe("on a terminal", () => {
  async function initWith(answers: (string | undefined)[], args: readonly string[] = []) {
    const folder = folderWith({});
    let err = "";
    const terminal = {
      ...silentTerminal(folder),
      err: (text: string) => {
        err += text;
      },
      async ask(question: string) {
        err += question;
        return answers.shift();
      },
    };
    const status = await main(["init", ...args], terminal);
    return { status, err, files: filesIn(folder) };
  }

  test("it asks for the language and the target, by number or by name", async () => {
    const { status, err, files } = await initWith(["9", "yaml", "yawl", "1"]);
    expect(status).toBe(0);
    expect(err).toContain("Which language? (serverless-workflow) ");
    expect(err).toContain(`Enter a number from 1 to ${languages.length}, or a name.\n`);
    expect(files["flows/order.yaml"]).toContain("yawl");
    expect(files["waybill.config.yaml"]).toContain("target: asl");
  });

  test("an empty line takes the default, and flags are not asked for", async () => {
    const { files, err } = await initWith([""], ["--language", "composer"]);
    expect(err).not.toContain("Which language");
    expect(files["flows/order.yaml"]).toContain("Entry");
    expect(files["waybill.config.yaml"]).toContain("target: typescript");
  });

  test("the end of the input creates nothing", async () => {
    expect(await initWith([undefined])).toMatchObject({ status: 130, files: {} });
  });
});
