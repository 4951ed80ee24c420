import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { Document } from "../../src/documents/index.ts";
import { equalValues } from "../../src/expressions/library/order.ts";
import { isObject, type Json, type JsonObject } from "../../src/json.ts";
import { only, read, textOf } from "./reading.ts";

const seed = 20200611;

const json = fc
  .json({ maxDepth: 5, stringUnit: "grapheme" })
  .map((text) => JSON.parse(text) as Json)
  .map((value) => JSON.parse(JSON.stringify(value, (_, each) => (Object.is(each, -0) ? 0 : each))) as Json);

const objects = fc.dictionary(fc.string({ unit: "grapheme" }), json, {
  maxKeys: 8,
  noNullPrototype: true,
}) as fc.Arbitrary<JsonObject>;

describe("JSON", () => {
  it("is read as JSON.parse reads it, and every span's text is its value", () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0, 1, "\t"), fc.constantFrom("\n", "\r\n"), (value, indent, lineBreak) => {
        const text = JSON.stringify(value, null, indent).replaceAll("\n", lineBreak);
        const document = only(`\uFEFF ${text}\n`, "w.json");
        expect(document.value).toEqual(value);
        expect(textOf(document.span)).toBe(text);
        walk(document, document.value);
      }),
      { seed, numRuns: 500 },
    );
  });

  it("is the same data when read as YAML", () => {
    fc.assert(
      fc.property(objects, (value) => {
        const text = JSON.stringify(value, null, 2);
        const asYaml = read(`# read as YAML\n${text}\n`);
        if (asYaml.findings.length === 0) expect(equalValues(asYaml.documents[0]!.value, value)).toBe(true);
        else
          expect(
            asYaml.findings.every((finding) => finding.includes("longer than 1024") || finding.startsWith("WB0013")),
          ).toBe(true);
      }),
      { seed, numRuns: 300 },
    );
  });

  function walk(document: Document, value: Json): void {
    if (!isObject(value) && !Array.isArray(value)) return;
    expect(JSON.parse(textOf(document.spanOf(value)))).toEqual(value);
    for (const [key, child] of Object.entries(value as JsonObject)) {
      const property = Array.isArray(value) ? Number(key) : key;
      if (!Array.isArray(value)) expect(JSON.parse(textOf(document.spanOf(value, property, "key")))).toBe(key);
      expect(JSON.parse(textOf(document.spanOf(value, property)))).toEqual(child);
      walk(document, child);
    }
  }
});

describe("YAML", () => {
  it("is read as it was written, and every stretch of a string is found or is the whole", () => {
    fc.assert(
      fc.property(objects, fc.nat(), fc.nat(), (value, a, b) => {
        const text = stringify(value, { version: "1.2", lineWidth: 40 });
        const document = only(text);
        expect(equalValues(document.value, value)).toBe(true);
        for (const [key, child] of Object.entries(document.value as JsonObject)) {
          if (typeof child !== "string") continue;
          const from = a % (child.length + 1);
          const to = from + (b % (child.length + 1 - from));
          const span = document.spanWithin(document.value, key, from, to);
          const whole = document.spanOf(document.value, key);
          expect(span.start >= whole.start && span.end <= whole.end && span.start <= span.end).toBe(true);
          if (/^[a-z]*$/.test(child)) expect(textOf(span)).toBe(child.slice(from, to));
        }
      }),
      { seed, numRuns: 300 },
    );
  });
});

describe("broken texts", () => {
  const original = JSON.stringify(
    { id: "a", states: [{ name: "x", list: [1, -2.5e3, null, true], text: "a\nb\u001b" }] },
    null,
    2,
  );
  const yaml =
    "id: &a one\nstates:\n- name: 'x'\n  <<: {y: 1}\n  text: |\n    a\n   \n- *a\n- \"q\\n\" # c\n- [1, {b: c}]\n---\n? d\n: !!str e\n";
  const pieces = [
    "",
    "{",
    "}",
    "[",
    "]",
    ":",
    ": ",
    ",",
    "- ",
    "\n",
    "\t",
    "'",
    '"',
    "#",
    "&a",
    "*a",
    "|",
    ">",
    "%",
    "!",
    "!!",
    "@",
    "\\",
    "<<: ",
    "---\n",
    "...\n",
    "? ",
    "\u0000",
    "\ud800",
    "\r",
    "1e999",
    "...",
  ];

  it.each(["w.json", "w.yaml", "<stdin>"])("of %s always yield documents or errors and never throw", (path) => {
    fc.assert(
      fc.property(
        fc.constantFrom(original, yaml),
        fc.nat(),
        fc.nat(8),
        fc.constantFrom(...pieces),
        (text, place, removed, piece) => {
          const at = place % (text.length + 1);
          holds(text.slice(0, at), path);
          holds(text.slice(0, at) + piece + text.slice(at + removed), path);
        },
      ),
      { seed, numRuns: 2000 },
    );
  });

  it("of random pieces as well", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...pieces, "a", "b c", "1", "  "), { maxLength: 30 }),
        fc.constantFrom("w.json", "w.yaml", "<stdin>"),
        (parts, path) => holds(parts.join(""), path),
      ),
      { seed, numRuns: 3000 },
    );
  });

  function holds(text: string, path: string): void {
    const { documents, diagnostics } = read(text, path);
    expect(documents.length > 0 || diagnostics.some(({ severity }) => severity === "error")).toBe(true);
    for (const { span, message, notes } of diagnostics) {
      for (const { start, end } of [span, ...notes.map((note) => note.span)])
        expect(0 <= start && start <= end && end <= text.length).toBe(true);
      expect(message).toMatch(/^\S.*\.$/su);
    }
  }
});
