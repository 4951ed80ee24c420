import { expect, test, vi } from "vitest";
import { onReference, runScenarios } from "../../../src/scenario/run.ts";
import { logLine } from "../../../targets/typescript/runtime/functions/log.ts";
import { languages } from "../../languages.ts";
import { readScenarios } from "../../scenario/reading.ts";
import { stepOf } from "../../targets/typescript/functions/servers.ts";
import { definition, lower } from "./lowering.ts";

const logging = (operation: string, type = "custom"): string =>
  definition(
    "- { name: A, type: operation, actions: [{ functionRef: { refName: f, arguments: { message: hello } } }], end: true }\n",
    `functions:\n- { name: f, type: ${type}, operation: '${operation}' }\n`,
  );

test.each([
  ["sysout", "log info"],
  ["sysout:DEBUG", "log debug"],
  ["sysout:warn", "log warn"],
])("%s is a function of the log, in both dialects", (operation, protocol) => {
  for (const dialect of ["spec", "sonataflow"])
    expect(lower(logging(operation), { dialect }).ir).toContain(
      `function f ("custom") = "${operation}" by ${protocol}\n`,
    );
});

test.each([
  ["sysout:LOUD", "custom"],
  ["sysouts", "custom"],
  ["sysout", "odata"],
])("%s of type %s is not", (operation, type) => {
  expect(lower(logging(operation, type)).ir).toContain(`= "${operation}"\n`);
});

test("scenarios list its calls, and need no result", async () => {
  const { file } = readScenarios(`workflow: ./demo.yaml
scenarios:
- { name: no result, input: { a: 1 }, expect: { status: succeeded, output: { a: 1 }, calls: [f: { message: hello }] } }
- { name: a result, functions: { f: { returns: { b: 2 } } }, expect: { status: succeeded, output: { b: 2 } } }
`);
  const sources = [{ path: "demo.yaml", text: logging("sysout") }];
  const results = await runScenarios(file!, { sources }, onReference, languages);
  expect(results.map(({ outcome, diagnostics }) => [outcome, diagnostics])).toEqual([
    ["passed", []],
    ["passed", []],
  ]);
});

test("the program writes a line", async () => {
  vi.useFakeTimers({ now: 0 });
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    expect(await logLine("warn")({ message: "a\nb" }, stepOf("run/A#1"))).toBeNull();
    expect(await logLine("info")("hello", stepOf("run/A#2"))).toBeNull();
    expect(write.mock.calls).toEqual([
      [
        '{"time":"1970-01-01T00:00:00.000Z","level":"warn","message":"{\\"message\\":\\"a\\\\nb\\"}","key":"run/A#1"}\n',
      ],
      ['{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"hello","key":"run/A#2"}\n'],
    ]);
  } finally {
    write.mockRestore();
    vi.useRealTimers();
  }
});
