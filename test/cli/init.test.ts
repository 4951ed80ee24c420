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
    expect(err).toContain("created  shop/flows/order.flow.yaml\n");
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

test("the name of a file before `.flow.yaml` is the id of a workflow that has none", async () => {
  const folder = folderWith({});
  await waybill(folder, ["init", "--language", "yawl", "--target", "asl"]);
  await waybill(folder, ["build"]);
  expect(Object.keys(filesIn(folder))).toContain("build/order.asl.json");
});

test("overwrites nothing", async () => {
  const folder = folderWith({ "package.json": "{}", "flows/order.flow.yaml": "mine" });
  expect(await waybill(folder, ["init"])).toEqual({
    status: 1,
    out: "",
    err: "`flows/order.flow.yaml` already exists; choose another folder, or remove it.\n",
  });
  expect(Object.keys(filesIn(folder))).toEqual(["flows/order.flow.yaml", "package.json"]);
});

test("keeps files that other tools use, too", async () => {
  const folder = folderWith({ ".gitignore": "*.log\n" });
  const { status, err } = await waybill(folder, ["init"]);
  expect(status).toBe(0);
  expect(err).toContain("kept     .gitignore\n");
  expect(filesIn(folder)[".gitignore"]).toBe("*.log\n");
});

describe("an existing package.json", () => {
  const manifestAfterInit = async (text: string) => {
    const folder = folderWith({ "package.json": text });
    const { status, err } = await waybill(folder, ["init", "--target", "asl"]);
    return { status, err, text: filesIn(folder)["package.json"]! };
  };

  test("of npm init gets the scripts, and no second dependency", async () => {
    const written = { name: "shop", scripts: { test: 'echo "Error: no test specified" && exit 1' } };
    const { err, text } = await manifestAfterInit(
      JSON.stringify({ ...written, dependencies: { waybill: "file:waybill.tgz" } }, null, "\t"),
    );
    expect(err).toContain("updated  package.json\n");
    expect(text).toContain('\n\t"name": "shop"');
    expect(JSON.parse(text)).toEqual({
      name: "shop",
      scripts: { check: "waybill check --strict", build: "waybill build", test: "waybill test --on asl --strict" },
      dependencies: { waybill: "file:waybill.tgz" },
    });
  });

  test("keeps its own scripts, which the CI workflow does not depend on", async () => {
    const folder = folderWith({ "package.json": '{"scripts":{"test":"vitest","build":"tsc"}}' });
    await waybill(folder, ["init"]);
    const files = filesIn(folder);
    const { scripts, devDependencies } = JSON.parse(files["package.json"]!);
    expect(scripts).toEqual({ test: "vitest", build: "tsc", check: "waybill check --strict" });
    expect(Object.keys(devDependencies)).toEqual(["waybill"]);
    expect(files[".github/workflows/waybill.yaml"]).toContain("- run: npx waybill test --on typescript --strict\n");
  });

  test("that has everything is not rewritten", async () => {
    const { text } = await manifestAfterInit("{}");
    const reformatted = JSON.stringify(JSON.parse(text));
    expect(await manifestAfterInit(reformatted)).toMatchObject({ status: 0, text: reformatted });
  });

  test("that is malformed is an error, and nothing is created", async () => {
    const folder = folderWith({ "package.json": "[1" });
    const err = "`package.json` is not a JSON object.\n";
    expect(await waybill(folder, ["init"])).toEqual({ status: 1, out: "", err });
    expect(filesIn(folder)).toEqual({ "package.json": "[1" });
  });
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
    expect(err).toContain("Which language? (serverless-workflow-1.0) ");
    expect(err).toContain(`Enter a number from 1 to ${languages.length}, or a name.\n`);
    expect(files["flows/order.flow.yaml"]).toContain("yawl");
    expect(files["waybill.config.yaml"]).toContain("target: asl");
  });

  test("an empty line takes the default, and flags are not asked for", async () => {
    const { files, err } = await initWith([""], ["--language", "composer"]);
    expect(err).not.toContain("Which language");
    expect(files["flows/order.flow.yaml"]).toContain("Entry");
    expect(files["waybill.config.yaml"]).toContain("target: typescript");
  });

  test("the end of the input creates nothing", async () => {
    expect(await initWith([undefined])).toMatchObject({ status: 130, files: {} });
  });
});
