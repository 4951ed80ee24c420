import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { GroupCommit } from "../../../../../targets/typescript/runtime/sqlite/group-commit.ts";
import { sqliteStore } from "../../../../../targets/typescript/runtime/sqlite/store.ts";
import { dueBy, steady } from "../../../../../targets/typescript/runtime/sqlite/timers.ts";
import { chanceOf, tokenKey } from "../../../../../targets/typescript/runtime/sqlite/values.ts";

function notebook() {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE TABLE notes (text TEXT)");
  const faults: unknown[] = [];
  const commits = new GroupCommit(sqliteStore(db), {
    failed(reason) {
      faults.push(reason);
      return { error: new Error("full"), isForGood: false };
    },
  });
  const add = db.prepare("INSERT INTO notes VALUES (?)");
  const count = () => db.prepare("SELECT count(*) AS n FROM notes").get()?.["n"];
  return { db, commits, faults, add: (text: string) => void add.run(text), count };
}

const owner = {
  strand(reason: unknown) {
    throw reason;
  },
};

test("what comes together is written together, and goes on after that", async () => {
  const { commits, add, count } = notebook();
  const seen: unknown[] = [];
  await new Promise<void>((resolve) => {
    commits.write(
      owner,
      () => add("a"),
      () => seen.push(count()),
    );
    commits.write(owner, () => add("b"), resolve);
  });
  expect(seen).toEqual([2]);
});

test("what things write as they are looked at is written more seldom where writing takes long", async () => {
  let time = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => time);
  const written = async (takes: number) => {
    const { commits, add } = notebook();
    let [looks, writes] = [0, 0];
    await new Promise<void>((resolve) => {
      let isOpen = false;
      const apply = () => {
        if (!isOpen) [isOpen, writes, time] = [true, writes + 1, time + takes];
        add("a");
      };
      const after = () => {
        isOpen = false;
      };
      const look = () => {
        time += 1;
        commits.write(owner, apply, after);
        if (++looks < 120) commits.schedule(thing);
        else commits.write(owner, apply, resolve);
      };
      const thing = { ...owner, isScheduled: false, look };
      commits.schedule(thing);
    });
    return writes;
  };
  try {
    expect([await written(0), await written(2), await written(50)]).toEqual([60, 16, 7]);
  } finally {
    clock.mockRestore();
  }
});

test("when the disk is full those who wait are told, and what has to be written is written when it is not", async () => {
  const { db, commits, faults, add, count } = notebook();
  const pages = db.prepare("PRAGMA page_count").get()?.["page_count"];
  db.exec(`PRAGMA max_page_count = ${pages}`);
  const written = new Promise<void>((resolve) => commits.write(owner, () => add("x".repeat(10_000)), resolve));
  await expect(
    commits.ask(
      () => add("asked"),
      () => undefined,
    ),
  ).rejects.toThrow("full");
  expect(faults).toHaveLength(1);
  expect(count()).toBe(0);
  db.exec("PRAGMA max_page_count = 1000");
  await written;
  expect(count()).toBe(1);
});

test("what is asked for and throws is undone alone", async () => {
  const { commits, add, count } = notebook();
  const throws = (): never => {
    add("gone");
    throw new Error("no");
  };
  const both = await Promise.allSettled([
    commits.ask(throws, () => undefined),
    commits.ask(
      () => add("kept"),
      () => undefined,
    ),
  ]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(count()).toBe(1);
});

test("a write that throws strands its owner, of whose writes none is done, and nobody else", async () => {
  const { commits, add, faults, count } = notebook();
  const stranded: unknown[] = [];
  const broken = { strand: (reason: unknown) => stranded.push(String(reason)) };
  const throws = (): never => {
    add("gone");
    throw new Error("no text");
  };
  const done: string[] = [];
  commits.write(
    broken,
    () => add("a"),
    () => done.push("a"),
  );
  commits.write(broken, throws, () => done.push("b"));
  commits.write(
    broken,
    () => add("c"),
    () => done.push("c"),
  );
  await new Promise<void>((resolve) => commits.write(owner, () => add("d"), resolve));
  expect({ stranded, done, faults }).toEqual({ stranded: ["Error: no text"], done: [], faults: [] });
  expect(count()).toBe(1);
});

test("the clock never goes back", () => {
  let [wall, passing] = [1_000_000, 0];
  const now = steady(
    () => wall,
    () => passing,
  );
  const step = (wallBy: number, passingBy: number) => {
    wall += wallBy;
    passing += passingBy;
    return now();
  };
  expect(step(10, 10)).toBe(1_000_010);
  expect(step(-500_000, 10)).toBe(1_000_020);
  expect(step(100, 100)).toBe(1_000_120);
  expect(step(500_010, 10)).toBe(1_000_130);
  expect(step(3_600_000, 10)).toBe(4_600_120);
});

test("a timer fires when it is due, or with a clock that is behind after the same time", () => {
  expect(dueBy(50, 10, 100)).toBe(100);
  expect(dueBy(5, 10, 100)).toBe(95);
});

test("equal correlation values have one text", () => {
  expect(tokenKey({ a: 1, b: [{ d: 1, c: 2 }] })).toBe(tokenKey({ b: [{ c: 2, d: 1 }], a: 1 }));
  expect(tokenKey("1")).toBe(tokenKey(1));
  expect(tokenKey("[1]")).not.toBe(tokenKey([1]));
  expect(tokenKey(undefined)).toBe("");
});

test("chances are spread evenly, and the same for the same text", () => {
  const chances = Array.from({ length: 1000 }, (_, i) => chanceOf(`run/Step#${i}`));
  expect(chances.every((chance) => chance >= 0 && chance < 1)).toBe(true);
  expect(Math.abs(chances.reduce((a, b) => a + b, 0) / 1000 - 0.5)).toBeLessThan(0.05);
  expect(chanceOf("a")).toBe(chanceOf("a"));
});
