import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Position } from "vscode-languageserver/node";
import { Client, positionAt } from "../lsp/client.ts";
import type { BenchmarkRow } from "./row.ts";

const root = join(import.meta.dirname, "../..");

/** At how many places each request is sent. */
const places = 100;

/** Requests that editors send while somebody reads, and their further parameters. */
const requests: { readonly [method: string]: object } = {
  hover: {},
  definition: {},
  references: { context: { includeDeclaration: true } },
  documentHighlight: {},
  prepareRename: {},
  documentSymbol: {},
  foldingRange: {},
  codeLens: {},
};

/** How long the language server takes to respond in the largest golden, as a client measures it. */
export async function editorRows(): Promise<readonly BenchmarkRow[]> {
  const { path, text } = largestGolden();
  const client = await Client.start({ [path]: text });
  try {
    await client.open(path, text);
    await client.diagnostics(path);
    const positions = positionsIn(text);
    const ask = async (method: string, position: Position, more: object = {}): Promise<number> => {
      const start = performance.now();
      await client.request(`textDocument/${method}`, path, { position, ...more });
      return performance.now() - start;
    };
    const completion: number[] = [];
    for (const [i, position] of positions.entries()) {
      // As while typing: the request comes with the change, and the text is analyzed again.
      await (i % 2 === 0 ? client.edit(path, "name:", "name: ") : client.edit(path, "name: ", "name:"));
      completion.push(await ask("completion", position));
    }
    const others: { [method: string]: number } = {};
    for (const [method, more] of Object.entries(requests)) {
      const times: number[] = [];
      for (const position of positions) times.push(await ask(method, position, more));
      others[method] = percentile95(times);
    }
    return [
      rowOf("completion after a change", percentile95(completion), { most: Math.max(...completion) }),
      rowOf("other requests", Math.max(...Object.values(others)), others),
    ];
  } finally {
    await client.stop();
  }
}

const rowOf = (name: string, value: number, parts: BenchmarkRow["parts"]): BenchmarkRow => ({
  name: `editor: ${name}, 95th percentile`,
  value,
  limit: 50,
  unit: "ms",
  parts,
});

/** The longest definition of the goldens. */
function largestGolden(): { readonly path: string; readonly text: string } {
  const found = globSync("golden/*/*/workflow.{yaml,json}", { cwd: root }).map((path) => ({
    path: basename(path),
    text: readFileSync(join(root, path), "utf8"),
  }));
  return found.reduce((largest, each) => (each.text.length > largest.text.length ? each : largest));
}

/** Positions within words, spread over the text. */
function positionsIn(text: string): readonly Position[] {
  const words = [...text.matchAll(/\w{3,}/g)].map(({ index }) => index + 2);
  const step = Math.max(1, words.length / places);
  return Array.from({ length: Math.min(places, words.length) }, (_, i) =>
    positionAt(text, words[Math.floor(i * step)]!),
  );
}

const percentile95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!;
