import type { TextFile } from "../protocol.ts";

/** An example as the list of the page shows it. */
export interface ExampleEntry {
  readonly name: string;
  readonly title: string;
  /** The summary of its language. */
  readonly language: string;
}

/** The documents of an example. */
export interface Example {
  readonly definition: TextFile;
  readonly scenarios?: TextFile | undefined;
}

/** An example with its name. */
export interface NamedExample {
  readonly name: string;
  readonly content: Example;
}

/** Loads the list of examples, which the build of the page writes. */
export async function loadExamples(): Promise<readonly ExampleEntry[]> {
  const response = await fetch("examples/index.json");
  return (await response.json()) as readonly ExampleEntry[];
}

/** Loads an example; undefined if no example has the name. */
export async function loadExample(name: string): Promise<Example | undefined> {
  if (!/^[\w.-]+\/[\w.-]+$/.test(name) || name.includes("..")) return undefined;
  const response = await fetch(`examples/${name}.json`);
  return response.ok ? ((await response.json()) as Example) : undefined;
}
