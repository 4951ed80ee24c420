import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { filesIn, folderWith, waybill } from "../../cli/command.ts";

// What AWS Lambda runs is put together by a script of the program: here as it is, but for npm, which notes what it is asked for.

const definition = `id: greet
name: Greet
version: '1.0'
functions: [{ name: greet }]
states:
- name: Greet
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: greet, parameters: { name: $.name } } }]
  end: { kind: default }
`;

/** A project whose function needs a file beside it, text that it reads, a package, and the program's own runtime. */
const project = {
  "flows/greet.yaml": definition,
  "waybill.config.yaml":
    "functions: { greet: { typescript: { module: ./functions/greet.ts#greet } } }\ntargets: { typescript: { host: lambda } }\n",
  "package.json": '{ "type": "module", "dependencies": { "greeter": "1.0.0" } }',
  "package-lock.json": "{}",
  "functions/greet.ts": `import { readFileSync } from "node:fs";
import { greeting } from "greeter";
import { WorkflowError } from "../build it/app/runtime.js";
import { loud } from "../lib/loud text.ts";

const mark = readFileSync(new URL("./mark.txt", import.meta.url), "utf8");

export function greet({ name }: { name: string | null }) {
  if (name === null) throw new WorkflowError("NoName", "Who is it?");
  return { said: loud(greeting(name)) + mark };
}
`,
  "functions/mark.txt": "!",
  "functions/other.ts": "export const other = 1;\n",
  "lib/loud text.ts": "export const loud = (text: string): string => text.toUpperCase();\n",
  "secret.env": "TOKEN=x\n",
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
  const { dist, place, asked } = await assembled(project, "build it/app");
  const outside = Object.keys(filesIn(dist)).filter((path) => !path.startsWith("build it/app/"));
  expect(outside.sort()).toEqual([
    "functions/greet.ts",
    "functions/mark.txt",
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
  const { dist } = await assembled(project, "build it/app");
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
  const { dist, asked } = await assembled(
    { "flows/greet.yaml": definition, "waybill.config.yaml": "targets: { typescript: { host: lambda } }\n" },
    "app",
  );
  expect(Object.keys(filesIn(dist))).toEqual(expect.arrayContaining(["functions.ts", "greet.ts", "handler.mjs"]));
  expect(asked[0]).toBe(" install --omit=dev --no-audit --no-fund");
});
