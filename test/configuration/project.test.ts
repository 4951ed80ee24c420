import { describe, expect, test } from "vitest";
import { readConfiguration } from "../../src/configuration/index.ts";
import { positionOf } from "../../src/text/source.ts";
import { targets } from "../../targets/index.ts";

/** The project of a configuration, and its diagnostics with positions. */
function read(text: string) {
  const found: string[] = [];
  const { project } = readConfiguration(
    { path: "waybill.config.yaml", text },
    [],
    targets,
    ({ code, message, span }) => {
      const { line, column } = positionOf(span.source, span.start);
      found.push(`${line}:${column} ${code} ${message}`);
    },
  );
  return { project, found };
}

test("a configuration with sources is a project", () => {
  const { project, found } = read(
    "sources: [flows, 'a\\b/*.yaml']\noutputs: [{ target: asl, out: 'build\\asl', settings: { partition: aws } }]\nscenarios: [s.yaml]\n",
  );
  expect(found).toEqual([]);
  expect(project?.sources.map(({ pattern }) => pattern)).toEqual(["flows", "a/b/*.yaml"]);
  expect(project?.scenarios.map(({ pattern }) => pattern)).toEqual(["s.yaml"]);
  expect(project?.outputs.map(({ target, out, settings }) => [target, out, settings?.values])).toEqual([
    ["asl", "build/asl", { partition: "aws" }],
  ]);
});

test("without sources, it is not one", () => {
  expect(read("targets: { asl: { partition: aws } }")).toEqual({ project: undefined, found: [] });
});

describe("is reported at its place:", () => {
  const globs = "a file, a folder or a glob such as `flows/**/*.yaml`; `exclude` omits files";

  test.each([
    ["outputs: []", ["1:1 WB0502 `sources`, which `outputs` requires, must be an array of globs."]],
    ["sources: flows", ["1:10 WB0502 `sources` must be an array of globs."]],
    ["sources: []", ["1:10 WB0502 `sources` must be an array of globs."]],
    ["sources: [7, '!x', '']", [11, 14, 20].map((at) => `1:${at} WB0502 An entry of \`sources\` must be ${globs}.`)],
    ["sources: [x]\nscenarios: ['+(a|b)']", [`2:13 WB0502 An entry of \`scenarios\` must be ${globs}.`]],
    ["sources: ['{1..9}']", [`1:11 WB0502 An entry of \`sources\` must be ${globs}.`]],
    ["sources: ['{a,b}{a,b}{a,b}{a,b}{a,b}']", [`1:11 WB0502 An entry of \`sources\` must be ${globs}.`]],
    [
      "sources: [a/../../b, 'C:\\x', ..]",
      [
        "1:11 WB0530 `a/../../b` is outside of the project.",
        "1:22 WB0530 `C:\\x` is outside of the project.",
        "1:30 WB0530 `..` is outside of the project.",
      ],
    ],
    ["sources: [x]\noutputs: {}", ["2:10 WB0502 `outputs` must be an array of outputs."]],
    ["sources: [x]\noutputs: [asl]", ["2:11 WB0502 An output must be an object with `target` and `out`."]],
    ["sources: [x]\noutputs: [{ target: asl }]", ["2:11 WB0502 `out` of an output must be the path of a folder."]],
    [
      "sources: [x]\noutputs: [{ target: 1, out: b }]",
      ["2:21 WB0502 `target` of an output must be the name of a target."],
    ],
    [
      "sources: [x]\noutputs: [{ target: asl, out: b, on: 1 }]",
      ["2:34 WB0502 The key `on` of an output must be `target`, `out` or `settings`."],
    ],
    ["sources: [x]\noutputs: [{ target: toString, out: b }]", ["2:21 WB0531 Unknown target `toString`."]],
    [
      "sources: [x]\noutputs: [{ target: asl, out: b }, { target: openwhisk, out: ./b/ }]",
      ["2:62 WB0609 `./b/` is already the folder of an output for target asl."],
    ],
  ])("%j", (text, expected) => {
    expect(read(text).found).toEqual(expected);
  });

  test("an unknown setting of an output", () => {
    const { project, found } = read("sources: [x]\noutputs: [{ target: asl, out: b, settings: { partitoin: aws } }]");
    expect(found).toEqual([expect.stringMatching(/^2:46 WB\d+ .*partitoin/)]);
    expect(project?.outputs).toEqual([expect.objectContaining({ settings: undefined })]);
  });
});
