import { expect, test, vi } from "vitest";
import { countOf, createProgress } from "../../src/cli/progress.ts";
import { silentTerminal } from "../../src/cli/terminal.ts";

function progressOn(columns: number | undefined) {
  let printed = "";
  const terminal = {
    ...silentTerminal("."),
    err: (text: string) => {
      printed += text;
    },
    progressColumns: columns,
  };
  return { progress: createProgress(terminal), printed: () => printed };
}

test("says what is done and how long the rest takes, after a while, on one line", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const { progress, printed } = progressOn(60);
    progress.update(0.1, "early");
    vi.advanceTimersByTime(1000);
    progress.update(0.25, `checking ${countOf(250, 1000, "definition")}`);
    progress.update(0.26, "too soon");
    vi.advanceTimersByTime(99_000);
    progress.update(0.5, "compiling for\u001b asl");
    vi.advanceTimersByTime(1000);
    progress.update(0.99, "x".repeat(100));
    progress.end();
    progress.end();
    expect(printed().split("\r\u001b[K").slice(1)).toEqual([
      "checking 250 of 1,000 definitions, 3 s left",
      "compiling for\\x1b asl, 2 min left",
      `${"x".repeat(58)}…`,
      "",
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test("is silent without a terminal", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const { progress, printed } = progressOn(undefined);
    vi.advanceTimersByTime(5000);
    progress.update(0.5, "half");
    progress.end();
    expect(printed()).toBe("");
  } finally {
    vi.useRealTimers();
  }
});
