import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import { positionOf } from "../../src/text/source.ts";
import { only, read, textOf } from "./reading.ts";

describe("plain data", () => {
  it("is what the text says, in YAML 1.2's core schema", () => {
    const text =
      "a: 1\nb: [x, 'y', \"z\", true, null, ~, 1.5, 0x1F, yes, 2020-06-01, 12:30]\nc:\n  d: |\n    two\n    lines\n  e: >\n    one\n    line\nf: {}\ng:\n";
    expect(only(text).value).toEqual({
      a: 1,
      b: ["x", "y", "z", true, null, null, 1.5, 31, "yes", "2020-06-01", "12:30"],
      c: { d: "two\nlines\n", e: "one line\n" },
      f: {},
      g: null,
    });
  });

  it("has text for keys that look like numbers or words", () => {
    expect(only("1: a\ntrue: b\nnull: c\n").value).toEqual({ 1: "a", true: "b", null: "c" });
  });

  it("has __proto__ as an ordinary property", () => {
    const value = only("__proto__: {a: 1}\nconstructor: 2\n").value as JsonObject;
    expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as JsonObject)["a"]).toBeUndefined();
  });

  it("is the same with CRLF, tabs between tokens and a byte order mark", () => {
    expect(only("\uFEFFa: 1\r\nb:\t- x\r\n".replace("\t- x", "\r\n- x\t# y")).value).toEqual({ a: 1, b: ["x"] });
  });
});

describe("several documents", () => {
  it("are read in order, without the empty ones", () => {
    const { documents, findings } = read("# first\n---\na: 1\n---\n# nothing\n---\nb: 2\n...\n---\n");
    expect(documents.map(({ value }) => value)).toEqual([{ a: 1 }, { b: 2 }]);
    expect(documents.map(({ span }) => textOf(span))).toEqual(["a: 1", "b: 2"]);
    expect(findings).toEqual([]);
  });

  it("have anchors and faults of their own", () => {
    const { documents, findings } = read("a: &x 1\n---\nb: *x\n---\nc: 3\n");
    expect(documents.map(({ value }) => value)).toEqual([{ a: 1 }, { c: 3 }]);
    expect(findings).toEqual([
      "WB0007 «*x» Unknown anchor `&x`. | Define `&x` before this alias, or put the value in quotes if it is a string.",
    ]);
  });

  it("keep a document that is a written null", () => {
    expect(read("~\n").documents.map(({ value }) => value)).toEqual([null]);
  });
});

describe("aliases and merge keys", () => {
  const text =
    "base: &base {x: 1, y: two}\nuse: *base\nmore:\n  <<: *base\n  x: 3\nlist:\n  <<: [{z: 0}, *base]\n  z: 4\n";
  const document = only(text);
  const value = document.value as { readonly [key: string]: JsonObject };

  it("repeat and merge values; what is written in an object prevails", () => {
    expect(value).toEqual({
      base: { x: 1, y: "two" },
      use: { x: 1, y: "two" },
      more: { x: 3, y: "two" },
      list: { z: 4, x: 1, y: "two" },
    });
  });

  it("let the earlier object of a list prevail", () => {
    expect(only("a: {<<: [{k: 1}, {k: 2, l: 3}]}\n").value).toEqual({ a: { k: 1, l: 3 } });
  });

  it("stand where they were written", () => {
    expect(textOf(document.spanOf(value, "use"))).toBe("{x: 1, y: two}");
    expect(positionOf(document.source, document.spanOf(value["more"], "y").start)).toEqual({ line: 1, column: 23 });
    expect(positionOf(document.source, document.spanOf(value["more"], "y", "key").start)).toEqual({
      line: 1,
      column: 20,
    });
    expect(positionOf(document.source, document.spanOf(value["more"], "x").start)).toEqual({ line: 5, column: 6 });
    expect(positionOf(document.source, document.spanOf(value["list"], "z").start)).toEqual({ line: 8, column: 6 });
  });

  it("take the latest anchor of a name", () => {
    expect(only("- &a 1\n- *a\n- &a 2\n- *a\n").value).toEqual([1, 1, 2, 2]);
    expect(only("&k key: 1\nuse: *k\n").value).toEqual({ key: 1, use: "key" });
  });
});
