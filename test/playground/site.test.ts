import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { browserOnly } from "../../.build/browser.ts";
import type { Site } from "../../.build/site.ts";
import { languages } from "../languages.ts";
import { temporarySite } from "./site.ts";

// The files of the playground. The build fails if a module of ours in the worker imports a module of Node.js.

let site: Site & { remove(): void };
beforeAll(async () => {
  site = await temporarySite();
}, 120_000);
afterAll(() => site?.remove());

const read = (name: string): string => readFileSync(join(site.folder, name), "utf8");

test("a bundle for browsers cannot contain a module of Node.js", async () => {
  const contents = 'import { readFileSync } from "node:fs"; readFileSync("x");';
  const stdin = { contents, resolveDir: import.meta.dirname, sourcefile: "reader.ts", loader: "ts" } as const;
  const made = build({ stdin, bundle: true, write: false, plugins: [browserOnly], logLevel: "silent" });
  await expect(made).rejects.toThrow("imports node:fs, which browsers do not have");
});

test("check, state machine and picture are at most 1.5 MB compressed, the rest is loaded when it is used", () => {
  const size = (files: readonly string[]) =>
    files.reduce((sum, name) => sum + gzipSync(readFileSync(join(site.folder, name)), { level: 9 }).length, 0);
  expect(size(site.core)).toBeLessThan(1_500_000);
  expect(size(site.core)).toBeGreaterThan(300_000);
  for (const name of ["ts-morph", "jsonata", "jsonata-evaluator", "diagnostics", "typescript-hosts", "grpc"]) {
    const isIt = (file: string): boolean =>
      file.startsWith(`${name}-`) && /^[A-Z\d]{8}\.js$/.test(file.slice(name.length + 1));
    expect(site.core.filter(isIt)).toEqual([]);
    expect(site.rest.filter(isIt), name).toHaveLength(1);
  }
});

test("what the page loads at first evaluates no code from strings", () => {
  const scripts = site.core.filter((name) => name.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(2);
  // Text of the runtimes of programs is data of the bundle.
  const code = (name: string) =>
    read(name).replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, '""');
  expect(scripts.filter((name) => /\bnew Function\b|\bFunction\(|\beval\(/.test(code(name)))).toEqual([]);
});

test("the page requests nothing from elsewhere, and its policy permits only its own files", () => {
  const html = read("index.html");
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(
    [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url).filter((url) => /:\/\/|^\/\//.test(url!)),
  ).toEqual([]);
});

test("every language has examples, and each names a file", () => {
  const index = JSON.parse(read("examples/index.json")) as readonly {
    readonly name: string;
    readonly language: string;
  }[];
  const known = languages.filter(({ name }) => existsSync(join(import.meta.dirname, "../../golden", name)));
  expect(new Set(index.map(({ language }) => language))).toEqual(new Set(known.map(({ summary }) => summary)));
  const present = readdirSync(join(site.folder, "examples"), { recursive: true, encoding: "utf8" });
  for (const { name } of index) expect(present).toContain(`${name}.json`);
});

test("the package has the licenses of the code in it", () => {
  expect(JSON.parse(read("package.json"))).toMatchObject({ name: "waybill-playground", license: "Apache-2.0" });
  for (const name of ["@codemirror/view", "@dagrejs/dagre", "yaml"])
    expect(read("LICENSES.txt")).toContain(`\n${name}\n`);
});
