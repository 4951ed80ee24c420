import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { compileWith } from "../../../src/compile.ts";
import type { Target } from "../../../src/target/contract.ts";
import { targets } from "../../../targets/index.ts";
import { languages } from "../../languages.ts";

// Public definitions: the examples of the specification, and definitions that were written for SonataFlow.

const examples = join(import.meta.dirname, "../../../../shared/examples");

/** The examples that are not valid: the errors of the definition in JSON and in YAML, which differ where YAML does not parse. */
const broken: { readonly [example: string]: readonly [why: string, json: string, yaml: string] } = {
  "book-lending": ["a state, files and a duration that do not exist", "WB2001 WB2403 WB4101", "WB2001 WB2403 WB4101"],
  "car-vitals-checks-2": ["a part of a definition, without its functions", "WB2002 WB2003", "WB2002 WB2003"],
  "continuing-as-a-new-execution": ["a string without its end", "", "WB0005"],
  "event-based-transitions": ["wrong indentation", "", "WB0005"],
  "handle-car-auction-bids": ["a schedule next to a first event", "WB3710", "WB3710"],
  "new-patient-onboarding": ["names that are not defined; wrong indentation", "WB2002 WB2003", "WB0005"],
  "online-food-ordering": ["names of files that do not exist", "", "WB2403"],
  "online-food-ordering-2": ["a part of a definition, without its functions", "", "WB2002 WB2003"],
  "online-food-ordering-3": ["a part of a definition, without its functions", "", "WB2002 WB2003"],
  "perform-customer-credit-check": ["a function under another name", "WB2002", "WB2002"],
  "process-transactions": ["a function under another name", "WB2002", "WB2002"],
  "purchase-order-deadline": ["a duration that is not one", "WB4101", "WB4101"],
  "reusing-function-and-event-definitions": ["names of files that do not exist", "WB2403", "WB2403"],
};

/** Valid examples that are refused: for an idle run that never ends, and a secret outside of arguments. */
const refused: { readonly [file: string]: string } = {
  "accumulate-room-readings.json": "WB2711",
  "accumulate-room-readings.yaml": "WB2711",
  "move2kube.sw.yml": "WB4710",
};

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
    const expected = ({ path }: Example): string => {
      const [, json, yaml] = broken[basename(path).replace(/\.\w+$/, "")] ?? [];
      return (path.endsWith(".json") ? json : yaml) ?? refused[basename(path)] ?? "";
    };

    test("all are read without an error, except for broken and refused ones", async () => {
      const found: string[] = [];
      for (const each of all) {
        const codes = [...new Set(await errorsOf(each))].sort().join(" ");
        if (codes !== expected(each)) found.push(`${basename(each.path)}: ${codes}, not ${expected(each)}`);
      }
      expect(found).toEqual([]);
    }, 60_000);

    test.each([
      ["typescript", []],
      ["asl", ["jira-subflow.sw.yaml"]],
    ] as const)(
      "those compile to %s",
      async (name, except) => {
        const failing: string[] = [];
        for (const each of all)
          if (expected(each) === "" && (await errorsOf(each, named(name))).length > 0)
            failing.push(basename(each.path));
        expect(failing).toEqual(except);
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
