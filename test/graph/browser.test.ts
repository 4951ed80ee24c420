import { builtinModules } from "node:module";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { buildGraph } from "../../src/graph/build.ts";
import type { Graph } from "../../src/graph/model.ts";
import { renderSvg } from "../../src/graph/svg.ts";
import { workflowsOf } from "./build.ts";

const entry = `
export { pathTaken } from "./src/graph/path.ts";
export { renderSvg } from "./src/graph/svg.ts";
`;

/** The script of a page that draws graphs: with the layout library, 67 kB in November 2026. */
const maxBytes = 75_000;

test("the script that draws a stored graph is small and needs nothing of Node.js", async () => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: entry, resolveDir: join(import.meta.dirname, "../.."), loader: "ts" },
    bundle: true,
    minify: true,
    legalComments: "none",
    metafile: true,
    write: false,
    platform: "browser",
    format: "iife",
    globalName: "pictures",
  });
  const [{ text }] = outputFiles as unknown as readonly [{ readonly text: string }];
  const names = Object.keys(metafile.inputs);
  expect(names.filter((name) => builtinModules.includes(name))).toEqual([]);
  expect(names.filter((name) => /^src\/(?!graph\/)/.test(name))).toEqual([]);
  expect(Buffer.byteLength(text)).toBeLessThan(maxBytes);
  const { graph } = buildGraph(workflowsOf("serverless-workflow/order-process")[0]!);
  const stored: Graph = JSON.parse(JSON.stringify(graph));
  expect(runInNewContext(`${text}\npictures.renderSvg(stored)`, { stored, structuredClone })).toBe(renderSvg(graph));
});
