import { describe, expect, test } from "vitest";
import { logOf } from "../../../../targets/typescript/runtime/main/log.ts";
import { processTerminal } from "../../../../targets/typescript/runtime/main/terminal.ts";
import { durationOf } from "../../../../targets/typescript/runtime/server/commands.ts";

function logged(
  isInteractive: boolean,
  level: "warn" | "debug",
  entry: Parameters<ReturnType<typeof logOf>>[0],
): string {
  let output = "";
  const err = (text: string) => {
    output += text;
  };
  logOf({ ...processTerminal, err, isInteractive }, level, () => new Date(0))(entry);
  return output;
}

describe("the log", () => {
  test("prints one JSON object per line", () => {
    const line = logged(false, "debug", { level: "info", message: "Done.", run: "a\nb", steps: 3 });
    expect(line).toBe('{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"Done.","run":"a\\nb","steps":3}\n');
  });

  test("prints plain lines on a terminal, without control characters", () => {
    const line = logged(true, "debug", {
      level: "warn",
      message: "Odd\u001b[2J",
      run: "r-1",
      name: "\u001b]0;x",
      gone: undefined,
    });
    expect(line.slice(9)).toBe('warn  Odd\ufffd[2J  run=r-1  name="\\u001b]0;x"\n');
  });

  test("prints entries of the configured level", () => {
    expect(logged(false, "warn", { level: "info", message: "Done." })).toBe("");
    expect(logged(false, "warn", { level: "error", message: "Gone." })).not.toBe("");
  });
});

test.each([
  ["P30D", 30 * 86_400_000],
  ["P1W", 7 * 86_400_000],
  ["PT12H", 43_200_000],
  ["P1DT1M1.5S", 86_461_500],
  ["PT0S", 0],
  ["PT1728000000S", 1_728_000_000_000],
  ["P", undefined],
  ["PT", undefined],
  ["P1DT", undefined],
  ["P1M", undefined],
  ["P1Y", undefined],
  ["30D", undefined],
  ["P-1D", undefined],
  ["", undefined],
])("the duration %j", (text, milliseconds) => expect(durationOf(text)).toBe(milliseconds));
