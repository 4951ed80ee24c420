import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import type { Json, JsonObject } from "../../src/json.ts";
import { createComputer } from "../../src/scenario/computer.ts";
import type { Source } from "../../src/text/source.ts";
import { type EquivalenceCase, resourcesOf, scenarioFileOf, sourcesOf } from "./case.ts";
import { type CaseFailure, runReference } from "./examine.ts";
import { isAborted, type Observation } from "./observe.ts";

/** One folder for each finding, with its definitions and `scenarios.yaml`. */
export const findingsFolder = join(import.meta.dirname, "findings");

/** Writes a finding as a scenario file with its definitions. The reference supplies the expectations. */
export async function writeFinding(folder: string, found: EquivalenceCase, failure: CaseFailure): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [i, { path, text }] of sourcesOf(found).entries()) {
    const definition = found.definitions[i]!;
    writeFileSync(join(folder, yamlOf(path)), typeof definition === "string" ? text : textOf(definition));
  }
  for (const { path, text } of resourcesOf(found)) writeFileSync(join(folder, path), text);
  const expected = failure.kind === "hang" || failure.kind === "memory" ? [] : await expectedOf(found);
  const file = scenarioFileOf(found, (i, run) => expectationOf(expected[i], run));
  const paths = {
    workflow: yamlOf(String(file["workflow"])),
    ...(file["subflows"] === undefined
      ? {}
      : {
          subflows: Object.fromEntries(
            Object.entries(file["subflows"] as JsonObject).map(([id, path]) => [id, yamlOf(String(path))]),
          ),
        }),
  };
  const about = [
    `${failure.on}: ${failure.kind} ${failure.message}`,
    ...failure.differences.map((each) => JSON.stringify(each)),
  ];
  const comment = about.flatMap((text) => text.split("\n")).map((line) => `# ${line.slice(0, 1000)}`);
  writeFileSync(join(folder, "scenarios.yaml"), `${comment.join("\n")}\n${textOf({ ...file, ...paths })}`);
}

/** The YAML of a value; JSON, which is YAML too, if it is nested too deep for the printer of YAML. */
function textOf(value: JsonObject): string {
  const json = JSON.stringify(value, null, 1);
  return isDeep(value, maxYamlDepth) ? `${json}\n` : stringify(value);
}

const maxYamlDepth = 60;

const isDeep = (value: Json, depth: number): boolean =>
  depth === 0 ||
  (typeof value === "object" && value !== null && Object.values(value).some((part: Json) => isDeep(part, depth - 1)));

const yamlOf = (path: string): string => path.replace(/\.json$/, ".yaml");

async function expectedOf(found: EquivalenceCase): Promise<readonly Observation[]> {
  const computer = createComputer();
  try {
    return (await runReference(found, { runners: [], computer, note: () => undefined }, [])).expected;
  } finally {
    await computer.close();
  }
}

function expectationOf(seen: Observation | undefined, run: number): JsonObject {
  if (!seen || isAborted(seen)) return { status: "succeeded" };
  const { outcome, calls, emitted, elapsed } = seen[run]!;
  return {
    status: outcome.status,
    ...(outcome.status === "succeeded" ? { output: outcome.output } : {}),
    ...(outcome.status === "failed" ? { error: { name: outcome.error.name } } : {}),
    calls: calls.map(({ name, value }): Json => ({ [name]: value })),
    emitted: emitted.map(({ value }) => value),
    ...(elapsed === undefined ? {} : { elapsed: `PT${elapsed}S` }),
  };
}

/** Reads the kept findings. */
export const readFindings = (): readonly { readonly name: string; readonly sources: readonly Source[] }[] =>
  (existsSync(findingsFolder) ? readdirSync(findingsFolder) : []).sort().map((name) => ({
    name,
    sources: readdirSync(join(findingsFolder, name)).map((path) => ({
      path,
      text: readFileSync(join(findingsFolder, name, path), "utf8"),
    })),
  }));
