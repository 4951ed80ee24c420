import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import type { LibraryFunction } from "../../../src/expressions/library/registry.ts";
import { library, listFunctions } from "../../../src/expressions/library/registry.ts";
import { readCases } from "./cases.ts";
import { encode, withoutZeroSigns } from "./exchange.ts";

const folder = new URL("../../../src/expressions/library/", import.meta.url);
const lists = ["registry.ts", "registration.ts", "mathematics.ts"];
const files = readdirSync(folder).filter((file) => !lists.includes(file));
const sources = files.map((file) => readFileSync(new URL(file, folder), "utf8"));

/** Constructs that ES2019 lacks. */
const younger = `delete globalThis.BigInt; delete globalThis.structuredClone; delete globalThis.AggregateError; delete globalThis.WeakRef;
delete Object.hasOwn; delete Object.groupBy; delete Map.groupBy; delete Array.fromAsync;
for (const name of ["at", "findLast", "findLastIndex", "toReversed", "toSorted", "toSpliced", "with"]) delete Array.prototype[name];
for (const name of ["at", "replaceAll", "matchAll", "isWellFormed", "toWellFormed"]) delete String.prototype[name];`;

describe("the source of the library", () => {
  test("declares every name once across all files", () => {
    const names = sources.flatMap((source) =>
      [...source.matchAll(/^(?:export )?(?:function|const|class) (\w+)/gm)].map(([, name]) => name!),
    );
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  test("imports only itself and types", () => {
    const imports = sources.flatMap((source) => [...source.matchAll(/^import (type )?.*? from "([^"]*)";$/gms)]);
    expect(
      imports.filter(([, type, from]) => !type && !/^\.\/[\w-]+\.ts$/.test(from!)).map(([, , from]) => from),
    ).toEqual([]);
  });

  test("runs as ES2019", async () => {
    const call = await callIn2019();
    for (const { signature, values, expected } of readCases()) {
      const { name } = (library.get(signature) ?? listFunctions.get(signature)) as LibraryFunction;
      const outcome = withoutZeroSigns(call(name, JSON.stringify(values.map(encode))));
      expect({ signature, values, outcome }).toEqual({
        signature,
        values,
        outcome: withoutZeroSigns(expected),
      });
    }
  });
});

/** The library compiled to ES2019; returns a function that calls a library function with encoded values. */
async function callIn2019(): Promise<(name: string, values: string) => string> {
  const exported = files.map((file) => `export * from "./${file}";`).join("");
  const exchange = JSON.stringify(fileURLToPath(new URL("./exchange.ts", import.meta.url)));
  const contents = `${exported} export { decode, outcome } from ${exchange};`;
  const stdin = { contents, resolveDir: fileURLToPath(folder), loader: "ts" as const };
  const options = { bundle: true, format: "iife" as const, globalName: "all", target: "es2019", write: false as const };
  const { outputFiles } = await build({ stdin, ...options });
  const context = createContext({});
  runInContext(`${younger} ${outputFiles[0]!.text}`, context);
  return runInContext(
    "(name, values) => all.outcome({ apply: all[name] }, all.decode(JSON.parse(values)))",
    context,
  ) as (name: string, values: string) => string;
}
