import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { type CompileOptions, compile } from "../../src/index.ts";
import { programFolder, typeErrors } from "../targets/typescript/program.ts";

/** Emits and type-checks the program of definitions, the first one named `shop`, in a new folder. */
export async function programOf(options: Omit<CompileOptions, "target">): Promise<string> {
  const { files, diagnostics } = await compile({ ...options, target: "typescript" });
  expect(diagnostics).toEqual([]);
  const texts = files.filter(({ path }) => path !== "tsconfig.json").map(({ path, text }) => [path, text] as const);
  const folder = programFolder(Object.fromEntries(texts));
  expect(await typeErrors(folder, ["main.ts"])).toBe("");
  return folder;
}

/**
 * Runs the program in memory. Loads the runtime first, because the test loader may otherwise give concurrent modules
 * separate copies.
 */
export async function runProgram(folder: string, input: object): Promise<unknown> {
  const load = (path: string) => import(/* @vite-ignore */ pathToFileURL(join(folder, path)).href);
  const { runInMemory } = await load("runtime.js");
  const { functions } = await load("functions.ts");
  const { shop } = await load("shop.ts");
  const nothing = () => undefined;
  const sleep = (seconds: number, signal: AbortSignal) => wait(seconds * 1000, undefined, { signal, ref: false });
  const surroundings = { runId: "run", now: Date.now, sleep, listen: () => nothing, send: nothing };
  return runInMemory(shop, functions, surroundings, input);
}
