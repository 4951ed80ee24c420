import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isObject, type Json } from "../json.ts";

/** Finds the graph of a version of a workflow. */
export type GraphOf = (workflow: string, version: string) => Promise<Json | undefined>;

/** The maximum size of a file with a graph, in bytes. */
const maxSize = 4_000_000;

/**
 * Reads the graphs next to a program (`*.graph.json`) and in its folder `previous`, on first use. Files that cannot be
 * read are skipped: pictures are optional.
 */
export function createGraphs(location: string | undefined): GraphOf {
  let graphs: Promise<ReadonlyMap<string, Json>> | undefined;
  return async (workflow, version) => {
    if (location === undefined) return undefined;
    graphs ??= readGraphs(location);
    return (await graphs).get(nameOf(workflow, version));
  };
}

async function readGraphs(location: string): Promise<ReadonlyMap<string, Json>> {
  const graphs = new Map<string, Json>();
  const previous = new URL("previous/", location);
  const files = [
    ...graphFiles(new URL(".", location), false),
    ...(existsSync(previous) ? graphFiles(previous, true) : []),
  ];
  for (const file of files) {
    const graph = await readGraph(file);
    if (isObject(graph)) graphs.set(nameOf(String(graph["workflow"]), String(graph["version"])), graph);
  }
  return graphs;
}

const graphFiles = (folder: URL, recursive: boolean): readonly URL[] =>
  readdirSync(folder, { recursive, encoding: "utf8" })
    .filter((name) => name.endsWith(".graph.json"))
    .map((name) => new URL(name.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/"), folder));

async function readGraph(file: URL): Promise<Json | undefined> {
  try {
    const text = await readFile(file, "utf8");
    return text.length > maxSize ? undefined : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}

const nameOf = (workflow: string, version: string): string => JSON.stringify([workflow, version]);
