import { describe, expect, it } from "vitest";
import { didYouMean, groupDigits, nearestName } from "../../src/text/messages.ts";
import { cpuTime } from "../cpu.ts";

describe("didYouMean", () => {
  it.each([
    ["transtion", ["end", "transition"], "Did you mean `transition`?"],
    ["nmae", ["type", "name"], "Did you mean `name`?"],
    ["Name", ["type", "name"], "Did you mean `name`?"],
    ["stats", ["start", "states", "status"], "Did you mean `states`?"],
    ["stast", ["stats", "start"], "Did you mean `stats`?"],
    ["A", ["a", "b"], "Did you mean `a`?"],
  ])("suggests for %s the nearest of %j, or the first of several", (name, known, suggestion) => {
    expect(didYouMean(name, known)).toBe(suggestion);
  });

  it.each([
    ["xyz", ["name", "type"]],
    ["x", ["y"]],
    ["other", ["never"]],
    ["", ["a"]],
    ["name", ["name"]],
    ["name", []],
    ["wait", ["Greet Customer"]],
    ["FETCH", ["PATCH", "GET"]],
    ["NEQ", ["EQ", "LT"]],
    ["StrNEQ", ["StrEQ"]],
    ["nin", ["in"]],
    ["notequals", ["equals"]],
    ["unlimited", ["limited"]],
    ["isNotEmpty", ["isEmpty"]],
  ])("suggests nothing for %s among %j", (name, known) => {
    expect(didYouMean(name, known)).toBeUndefined();
  });

  it("does not compare names of more than a hundred characters", () => {
    const name = "x".repeat(100);
    expect(nearestName(name, [`${name}y`])).toBe(`${name}y`);
    expect(nearestName(`${name}x`, [`${name}y`])).toBeUndefined();
  });

  it("is quick with thousands of long names that are all alike", () => {
    const known = Array.from({ length: 20_000 }, (_, i) => `${"abcdefghi ".repeat(4)}${i}${" jklmnopqr".repeat(4)}`);
    const started = cpuTime();
    expect(nearestName(`${"abcdefghi ".repeat(4)}zzzzzzzz${" jklmnopqr".repeat(4)}`, known)).toBeUndefined();
    expect(nearestName("y".repeat(10_000), known)).toBeUndefined();
    expect(cpuTime() - started).toBeLessThan(1_000);
  });
});

describe("groupDigits", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [1000, "1,000"],
    [25_000, "25,000"],
    [1_048_576, "1,048,576"],
    [-1234, "-1,234"],
  ])("prints %d as %s", (integer, text) => {
    expect(groupDigits(integer)).toBe(text);
  });
});
