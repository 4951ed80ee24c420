import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compileWith } from "../../../src/compile.ts";
import type { Target } from "../../../src/target/contract.ts";
import { targets } from "../../../targets/index.ts";
import { languages } from "../../languages.ts";

// Public definitions: the examples of the specification, and definitions that were written for SonataFlow.

const examples = join(import.meta.dirname, "../../../../shared/examples");

/**
 * Faults of the examples themselves: invalid YAML, names that are not defined, files that are missing, invalid
 * durations, a schedule of a workflow that events start.
 */
const faultsOfExamples: ReadonlySet<string> = new Set([
  "WB0005",
  "WB2001",
  "WB2002",
  "WB2003",
  "WB2403",
  "WB3710",
  "WB4101",
]);

interface Example {
  readonly path: string;
  readonly text: string;
  readonly dialect: string;
}

const examplesIn = (folder: string, dialect: string): readonly Example[] =>
  readdirSync(join(examples, folder))
    .filter((name) => name !== "README.md" && !/\.(?:functions|events)\./.test(name))
    .map((name) => join(examples, folder, name))
    .map((path) => ({ path, text: readFileSync(path, "utf8"), dialect }));

const named = (name: string): Target => targets.find((target) => target.name === name)!;

async function errorsOf({ path, text, dialect }: Example, target?: Target): Promise<readonly string[]> {
  const options = { "serverless-workflow-0.8": { dialect } };
  const { diagnostics } = await compileWith({ sources: [{ path, text }], options }, languages, target);
  return diagnostics.flatMap(({ severity, code }) => (severity === "error" ? [code] : []));
}

describe.skipIf(!existsSync(join(examples, "sonataflow")))(
  "the examples of 0.8 and SonataFlow (skipped where they are not beside the repository)",
  async () => {
    const all = existsSync(join(examples, "sonataflow"))
      ? [...examplesIn("serverless-workflow-0.8", "spec"), ...examplesIn("sonataflow", "sonataflow")]
      : [];
    const isFault = (code: string): boolean => faultsOfExamples.has(code);

    test("at least 95 % are read without an error other than their own", async () => {
      const refused: string[] = [];
      for (const each of all) if ((await errorsOf(each)).some((code) => !isFault(code))) refused.push(each.path);
      expect(refused.length / all.length, refused.join("\n")).toBeLessThanOrEqual(0.05);
    }, 60_000);

    test.each([
      ["typescript", 0.85],
      ["asl", 0.6],
    ] as const)(
      "of those without faults, enough compile to %s",
      async (name, least) => {
        const sound: Example[] = [];
        for (const each of all) if (!(await errorsOf(each)).some(isFault)) sound.push(each);
        const compiled: Example[] = [];
        for (const each of sound) if ((await errorsOf(each, named(name))).length === 0) compiled.push(each);
        expect(sound.length).toBeGreaterThan(40);
        expect(compiled.length / sound.length).toBeGreaterThanOrEqual(least);
      },
      60_000,
    );

    test("files in JSON and in YAML have equal errors", async () => {
      const json = all.filter(({ path }) => path.endsWith(".json"));
      for (const each of json) {
        const other = all.find(({ path }) => path === each.path.replace(".json", ".yaml"));
        if (!other || /process-transactions|continuing-as|event-based-transitions|new-patient/.test(each.path))
          continue;
        expect([other.path, await errorsOf(other)]).toEqual([other.path, await errorsOf(each)]);
      }
    }, 60_000);
  },
);
