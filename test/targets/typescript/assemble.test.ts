import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { filesIn, folderWith, waybill } from "../../cli/command.ts";
import { definition, greeting } from "./greeting.ts";

// Runs the assemble.mjs of generated programs with a fake npm that logs its arguments.

const onLambda = "targets: { typescript: { host: lambda } }\n";

const app = "build it/app";
const plain = greeting(app);
const project = {
  ...plain,
  "waybill.config.yaml": plain["waybill.config.yaml"] + onLambda,
  "package-lock.json": "{}",
};

/** Compiles the project and assembles the deployment: the files, and the npm commands. */
async function assemble(files: { readonly [path: string]: string }, app: string) {
  const folder = folderWith(files);
  const { status, err } = await waybill(folder, ["compile", "flows", "--target", "typescript", "--out", app]);
  expect({ status, err }).toMatchObject({ status: 0 });
  const program = join(folder, app);
  const tools = folderWith({ npm: `#!/bin/sh\necho "\${PWD#*/dist} $*" >> "$NPM_LOG"\n`, log: "" });
  chmodSync(join(tools, "npm"), 0o755);
  const env = { ...process.env, PATH: `${tools}${delimiter}${process.env["PATH"]}`, NPM_LOG: join(tools, "log") };
  for (let i = 0; i < 2; i++)
    expect(spawnSync(process.execPath, ["assemble.mjs"], { cwd: program, env, encoding: "utf8" })).toMatchObject({
      status: 0,
      stderr: "",
    });
  return {
    program,
    dist: join(program, "dist"),
    commands: readFileSync(join(tools, "log"), "utf8").split("\n").slice(0, 2),
  };
}

test("the dependencies of functions outside the program's folder keep their relative positions", async () => {
  const { dist, program, commands } = await assemble(project, app);
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
  const own = Object.keys(filesIn(dist)).filter((path) => path.startsWith("build it/app/"));
  expect(own.filter((path) => /\.d\.ts$|\/\.|README|template|tsconfig|assemble/.test(path))).toEqual([]);
  const runtime = readFileSync(join(dist, "build it/app/runtime.internal.js"), "utf8");
  expect(runtime).not.toMatch(/DatabaseSync|createServer|parseArgs/);
  expect(commands).toEqual([
    " ci --omit=dev --no-audit --no-fund",
    "/build it/app install --omit=dev --no-audit --no-fund",
  ]);
  const { WorkflowsFunction } = parse(readFileSync(join(program, "template.yaml"), "utf8"), {
    logLevel: "silent",
  }).Resources;
  expect(WorkflowsFunction.Properties).toMatchObject({ CodeUri: "dist", Handler: "handler.handler" });
});

test("the assembled program loads, with its functions", async () => {
  const { dist } = await assemble(project, app);
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

test("a program without outside files is assembled with its packages", async () => {
  const { dist, commands } = await assemble({ "flows/greet.yaml": definition, "waybill.config.yaml": onLambda }, "app");
  expect(Object.keys(filesIn(dist))).toEqual(expect.arrayContaining(["functions.ts", "greet.ts", "handler.mjs"]));
  expect(commands[0]).toBe(" install --omit=dev --no-audit --no-fund");
});
