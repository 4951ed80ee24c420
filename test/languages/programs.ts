import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { compile, type Request } from "../../src/index.ts";
import { programFolder, typeFaults } from "../targets/typescript/program.ts";

/** The program of definitions of which the first is called `shop`, in a folder of its own: it passes the type checker. */
export async function programOf(request: Pick<Request, "sources" | "resources" | "configuration">): Promise<string> {
  const { files, diagnostics } = await compile({ ...request, target: "typescript" });
  expect(diagnostics).toEqual([]);
  const texts = files.filter(({ path }) => path !== "tsconfig.json").map(({ path, text }) => [path, text] as const);
  const folder = programFolder(Object.fromEntries(texts));
  expect(await typeFaults(folder, ["main.ts"])).toBe("");
  return folder;
}

/** Runs the program in memory. */
export async function ran(folder: string, input: object): Promise<unknown> {
  const load = (path: string) => import(/* @vite-ignore */ pathToFileURL(join(folder, path)).href);
  const [{ shop }, { functions }, { runInMemory }] = await Promise.all(
    ["shop.ts", "functions.ts", "runtime.js"].map(load),
  );
  const nothing = () => undefined;
  const sleep = (seconds: number, signal: AbortSignal) => wait(seconds * 1000, undefined, { signal, ref: false });
  const surroundings = { runId: "run", now: Date.now, sleep, listen: () => nothing, send: nothing };
  return runInMemory(shop, functions, surroundings, input);
}
