import { expect, test } from "vitest";
import { check, generate } from "../../src/compile.ts";
import { targets } from "../../targets/index.ts";
import { cpuTime } from "../cpu.ts";
import { languages } from "../languages.ts";

// Compiling takes time in proportion to the number of states.

function chain(length: number): string {
  const state = (i: number) => ({
    name: `s${i}`,
    type: "operation",
    ...(i === 0 ? { start: { kind: "default" } } : {}),
    actions: [{ functionRef: { refName: "f" } }],
    ...(i < length - 1 ? { transition: { nextState: `s${i + 1}` } } : { end: { kind: "default" } }),
  });
  const states = Array.from({ length }, (_, i) => state(i));
  return JSON.stringify({
    id: "chain",
    name: "chain",
    version: "1",
    functions: [{ name: "f", resource: "f" }],
    states,
  });
}

/** The processor time in milliseconds, the least of two. */
async function millisecondsOf(length: number, name: string): Promise<number> {
  const target = targets.find((each) => each.name === name)!;
  const sources = [{ path: "chain.json", text: chain(length) }];
  const measured: number[] = [];
  for (let i = 0; i < 2; i++) {
    const before = cpuTime();
    const { program } = check({ sources, options: {} }, languages);
    await generate(program!, target);
    measured.push(cpuTime() - before);
  }
  return Math.min(...measured);
}

test.each(targets.map(({ name }) => name))(
  "four times as many states take less than nine times as long on %s",
  async (name) => {
    await millisecondsOf(100, name);
    expect((await millisecondsOf(3200, name)) / (await millisecondsOf(800, name))).toBeLessThan(9);
  },
  120_000,
);
