import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { filesIn, folderWith, waybill } from "../../cli/command.ts";
import { definition, greeting } from "./greeting.ts";

// What AWS Lambda runs is put together by a script of the program: here as it is, but for npm, which notes what it is asked for.

const onLambda = "targets: { typescript: { host: lambda } }\n";

const app = "build it/app";
const plain = greeting(app);
const project = {
  ...plain,
  "waybill.config.yaml": plain["waybill.config.yaml"] + onLambda,
  "package-lock.json": "{}",
};

/** Compiles the project, and puts together what AWS Lambda runs: which files those are, and what npm was asked for where. */
async function assembled(files: { readonly [path: string]: string }, app: string) {
  const folder = folderWith(files);
  const { status, err } = await waybill(folder, ["compile", "flows", "--target", "typescript", "--out", app]);
  expect({ status, err }).toMatchObject({ status: 0 });
  const place = join(folder, app);
  const tools = folderWith({ npm: `#!/bin/sh\necho "\${PWD#*/dist} $*" >> "$NPM_LOG"\n`, log: "" });
  chmodSync(join(tools, "npm"), 0o755);
  const env = { ...process.env, PATH: `${tools}${delimiter}${process.env["PATH"]}`, NPM_LOG: join(tools, "log") };
  for (let i = 0; i < 2; i++)
    expect(spawnSync(process.execPath, ["assemble.mjs"], { cwd: place, env, encoding: "utf8" })).toMatchObject({
      status: 0,
      stderr: "",
    });
  return { place, dist: join(place, "dist"), asked: readFileSync(join(tools, "log"), "utf8").split("\n").slice(0, 2) };
}

test("a program with functions outside of its folder has what these need at the same places beside it", async () => {
  const { dist, place, asked } = await assembled(project, app);
  const outside = Object.keys(filesIn(dist)).filter((path) => !path.startsWith("build it/app/"));
  expect(outside.sort()).toEqual([
    "functions/greet.ts",
    "functions/mark.txt",
    "functions/name.ts",
    "handler.mjs",
    "lib/loud text.ts",
    "package-lock.json",
    "package.json",
  ]);
  expect(asked).toEqual([
    " ci --omit=dev --no-audit --no-fund",
    "/build it/app install --omit=dev --no-audit --no-fund",
  ]);
  const { WorkflowsFunction } = parse(readFileSync(join(place, "template.yaml"), "utf8"), {
    logLevel: "silent",
  }).Resources;
  expect(WorkflowsFunction.Properties).toMatchObject({ CodeUri: "dist", Handler: "handler.handler" });
});

test("it is loaded from there, with its functions", async () => {
  const { dist } = await assembled(project, app);
  symlinkSync(join(import.meta.dirname, "../../../node_modules"), join(dist, "build it/app/node_modules"));
  mkdirSync(join(dist, "node_modules/greeter"), { recursive: true });
  const greeter = { name: "greeter", version: "1.0.0", type: "module", exports: "./index.js" };
  writeFileSync(join(dist, "node_modules/greeter/package.json"), JSON.stringify(greeter));
  writeFileSync(
    join(dist, "node_modules/greeter/index.js"),
    "export const greeting = (name) => 'Hello, '.concat(name);\n",
  );
  const script = `const { handler } = await import("./handler.mjs");
    const { functions } = await import("./build it/app/functions.ts");
    console.log(typeof handler, functions.greet({ name: "Ada" }).said);`;
  const line = ["--no-warnings", "--input-type=module", "--eval", script];
  const { stdout, stderr } = spawnSync(process.execPath, line, { cwd: dist, encoding: "utf8" });
  expect({ stdout, stderr }).toEqual({ stdout: "function HELLO, ADA!\n", stderr: "" });
});

test("a program that is by itself is there with its packages", async () => {
  const { dist, asked } = await assembled({ "flows/greet.yaml": definition, "waybill.config.yaml": onLambda }, "app");
  expect(Object.keys(filesIn(dist))).toEqual(expect.arrayContaining(["functions.ts", "greet.ts", "handler.mjs"]));
  expect(asked[0]).toBe(" install --omit=dev --no-audit --no-fund");
});
