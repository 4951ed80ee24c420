import { describe, expect, test } from "vitest";
import { readDocuments } from "../../src/documents/index.ts";
import { isObject, own } from "../../src/json.ts";
import type { Language, Likeness } from "../../src/language.ts";
import { languageOf, recognise } from "../../src/languages/detect.ts";
import type { Diagnostic } from "../../src/text/diagnostics.ts";
import { positionOf } from "../../src/text/source.ts";

/** A language of which a document has as much as the number under a key says; it is in a version that is not read if there is a text. */
const toy = (name: string): Language => ({
  name,
  summary: "",
  words: { step: "stitch", functions: "yarns", events: "rows" },
  options: [],
  likeness(value): Likeness {
    const mark = isObject(value) ? own(value, name) : undefined;
    const evidence = isObject(value) ? [{ owner: value, key: name }] : [];
    return typeof mark === "string" ? { score: 2, dialect: mark, evidence } : { score: Number(mark ?? 0), evidence };
  },
  normalise: (document) => document,
  validator: () => () => true,
  lower: () => undefined,
});
const languages = [toy("knit"), toy("purl")];

describe("a document is in the language that it is most like", () => {
  test.each([languages, languages.toReversed()])("whichever stands first", (...order) => {
    expect(recognise({ knit: 1, purl: 2 }, order)).toMatchObject({ kind: "known", language: { name: "purl" } });
    expect(recognise({ knit: 0.7 }, order)).toMatchObject({ kind: "doubtful", language: { name: "knit" } });
    expect(recognise({ knit: 0.5, purl: 0.1 }, order)).toEqual({ kind: "unknown" });
    expect(recognise({ knit: 1, purl: "Purl 2" }, order)).toMatchObject({ kind: "foreign", dialect: "Purl 2" });
    expect(recognise({ knit: 3, purl: "Purl 2" }, order)).toMatchObject({ kind: "known", language: { name: "knit" } });
    expect(recognise({ knit: 12, StartAt: "A", States: {} }, order)).toMatchObject({ language: { name: "knit" } });
    expect(recognise({ knit: 9, StartAt: "A", States: {} }, order)).toMatchObject({
      dialect: "Amazon States Language",
    });
  });
});

describe("what is said of a document in no language", () => {
  test.each([
    ["stitch: 1", "1:1 This does not look like a workflow in a language that Waybill reads (`knit`, `purl`)."],
    ["stitch: 1\npurl: Purl 2", "2:1 This is Purl 2, as `purl` shows, which Waybill does not read."],
    ["a: 1\nknit: 4\npurl: 4", "1:1 This is as much a definition in `knit` as in `purl`."],
  ])("%j", (text, said) => {
    const found: Diagnostic[] = [];
    const [document] = readDocuments({ path: "a.yaml", text }, (each) => found.push(each));
    expect(languageOf(document!, undefined, languages, (each) => found.push(each))).toBeUndefined();
    expect(found.map(({ span, message }) => `${placeOf(span)} ${message}`)).toEqual([said]);
  });

  const placeOf = ({ source, start }: Diagnostic["span"]) => {
    const { line, column } = positionOf(source, start);
    return `${line}:${column}`;
  };

  test("unless a language is insisted on", () => {
    const [document] = readDocuments({ path: "a.yaml", text: "purl: 4" }, () => {});
    expect(languageOf(document!, "knit", languages, () => {})?.name).toBe("knit");
    const found: Diagnostic[] = [];
    expect(languageOf(document!, "knot", languages, (each) => found.push(each))).toBeUndefined();
    expect(found[0]).toMatchObject({ code: "WB0101", hint: "Did you mean `knit`?" });
  });
});
