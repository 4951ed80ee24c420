import { describe, expect, test } from "vitest";
import { protoServices } from "../../../src/languages/shared/operations.ts";
import { parseTimespan } from "../../../src/languages/sm4c/durations.ts";
import { isTimeSyntaxError, secondsOf } from "../../../src/text/iso8601.ts";

describe("a timespan", () => {
  test.each<[string, number]>([
    ["00:00:10", 10],
    ["1:30", 5400],
    ["23:59:59.5", 86_399.5],
    ["2.01:00:00", 176_400],
    [" 00:00:01 ", 1],
    ["PT15M", 900],
    ["P1DT1S", 86_401],
  ])("%j", (text, seconds) => {
    const duration = parseTimespan(text);
    expect(isTimeSyntaxError(duration) ? duration : secondsOf(duration).seconds).toBe(seconds);
  });

  test.each<[string, string, string | undefined]>([
    [
      "10",
      "`10` is not a timespan: .NET reads a bare number as days. Write `PT10S` for seconds, or `10.00:00:00` for days.",
      undefined,
    ],
    ["-00:00:10", "`-00:00:10` is negative, which a timespan cannot be.", undefined],
    ["36:00:00", "`36:00:00` is out of range: hours must be at most 23, minutes and seconds at most 59.", "1.12:00:00"],
    ["00:75:00", "`00:75:00` is out of range: hours must be at most 23, minutes and seconds at most 59.", undefined],
    ["2893519.00:00", "`2893519.00:00` is longer than any workflow runs.", undefined],
    ["15m", "`15m` is not a timespan, such as `00:15:00`, `1.00:00:00` or `PT15M`.", "PT15M"],
    ["", "`` is not a timespan, such as `00:15:00`, `1.00:00:00` or `PT15M`.", undefined],
  ])("rejects %j", (text, problem, meant) => {
    const { suggestion: found, ...rest } = parseTimespan(text) as {
      readonly message: string;
      readonly suggestion?: string;
    };
    expect([rest.message, found]).toEqual([problem, meant]);
  });
});

describe("a proto file", () => {
  test("has services and methods, ignoring comments, strings and messages", () => {
    const text = `syntax = "proto3"; // service A { rpc B (C) returns (D); }
package shop.v1;
option java_package = "service X { rpc Y";
message service { string rpc = 1; }
service Desk { option deprecated = true; rpc Pack (Box) returns (stream Box) { option x = {}; } /* rpc No */ rpc Send(Box) returns(Box); }
service Post {}`;
    expect(protoServices(text)).toEqual([
      { name: "shop.v1.Desk", methods: ["Pack", "Send"], streaming: ["Pack"] },
      { name: "shop.v1.Post", methods: [], streaming: [] },
    ]);
  });

  test("that is malformed has partial results, quickly", () => {
    expect(protoServices("service { rpc } } { service A { rpc")).toEqual([{ name: "A", methods: [], streaming: [] }]);
    expect(protoServices('service A { rpc "b" rpc C ')).toEqual([{ name: "A", methods: ["C"], streaming: [] }]);
    expect(protoServices("{".repeat(100_000))).toEqual([]);
    expect(protoServices("/*".repeat(100_000))).toEqual([]);
  });
});
