import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Compilation, check, compileWith } from "../../../src/compile.ts";
import { readConfiguration } from "../../../src/configuration/index.ts";
import { targets } from "../../../targets/index.ts";
import { languages } from "../../languages.ts";

// The examples of the specification are read where they are; none is copied.

const folder = fileURLToPath(new URL("../../../../shared/examples/serverless-workflow-1.0/", import.meta.url));
const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".yaml")) : [];

const inputOf = (file: string) => ({
  sources: [{ path: file, text: readFileSync(folder + file, "utf8") }],
  options: {},
});

const errorsOf = ({ diagnostics }: Compilation): readonly string[] =>
  diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);

/** What calls of containers and processes need. */
const configuration = readConfiguration(
  {
    path: "waybill.config.yaml",
    text: `targets: { typescript: { processes: true } }
functions: { container: { typescript: { http: POST https://runner.example/run }, asl: { lambda: "\${RunArn}" } } }
`,
  },
  languages,
  targets,
  () => {},
);

/** The least share that compiles: of 68 files, 4 subscribe to channels. */
const least: { readonly [target: string]: number } = { asl: 0.88, openwhisk: 0.7, typescript: 0.94 };

describe.skipIf(files.length === 0)("the specification's examples (skipped without ../shared/examples)", () => {
  test("are read, except for subscriptions to channels", () => {
    const rejected = files.flatMap((file) => {
      const errors = errorsOf(check(inputOf(file), languages));
      return errors.length > 0 ? [[file.replace(/-(?:amount|forever|until|while).*/, ""), errors]] : [];
    });
    expect(rejected).toEqual(Array(4).fill(["call-asyncapi-subscribe-consume", ["WB2623"]]));
  });

  test.each(targets)("compile to $name", async (target) => {
    const compiled = await Promise.all(
      files.map((file) => compileWith({ ...inputOf(file), configurationOf: () => configuration }, languages, target)),
    );
    const share = compiled.filter((each) => errorsOf(each).length === 0).length / files.length;
    expect(share).toBeGreaterThanOrEqual(least[target.name]!);
  });
});
