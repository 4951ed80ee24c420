import { describe, expect, test } from "vitest";
import { readDocuments } from "../../src/documents/index.ts";
import { isObject, own } from "../../src/json.ts";
import type { Detection, Language } from "../../src/language.ts";
import { detectLanguage, resolveLanguage } from "../../src/languages/detect.ts";
import type { Diagnostic } from "../../src/text/diagnostics.ts";
import { positionOf } from "../../src/text/source.ts";

/** A language whose score is the number under its name in the document; a string names an unsupported version. */
const toy = (name: string): Language => ({
  name,
  summary: "",
  terminology: { step: "stitch", functions: "yarns", events: "rows" },
  options: [],
  detect(value): Detection {
    const mark = isObject(value) ? own(value, name) : undefined;
    const evidence = isObject(value) ? [{ owner: value, key: name }] : [];
    return typeof mark === "string" ? { score: 2, dialect: mark, evidence } : { score: Number(mark ?? 0), evidence };
  },
  canonicalize: (document) => document,
  validator: () => () => true,
  lower: () => undefined,
});
const languages = [toy("knit"), toy("purl")];

describe("a document is in the language that it matches best", () => {
  test.each([languages, languages.toReversed()])("in any order of languages", (...order) => {
    expect(detectLanguage({ knit: 1, purl: 2 }, order)).toMatchObject({ kind: "known", language: { name: "purl" } });
    expect(detectLanguage({ knit: 0.7 }, order)).toMatchObject({ kind: "doubtful", language: { name: "knit" } });
    expect(detectLanguage({ knit: 0.5, purl: 0.1 }, order)).toEqual({ kind: "unknown" });
    expect(detectLanguage({ knit: 1, purl: "Purl 2" }, order)).toMatchObject({ kind: "foreign", dialect: "Purl 2" });
    expect(detectLanguage({ knit: 3, purl: "Purl 2" }, order)).toMatchObject({
      kind: "known",
      language: { name: "knit" },
    });
    expect(detectLanguage({ knit: 12, StateMachines: {}, MockedResponses: {} }, order)).toMatchObject({
      language: { name: "knit" },
    });
    expect(detectLanguage({ knit: 9, StateMachines: {}, MockedResponses: {} }, order)).toMatchObject({
      dialect: "a mock configuration of Step Functions Local",
    });
  });
});

describe("diagnostics for a document in no language", () => {
  test.each([
    ["stitch: 1", "1:1 Unrecognized workflow language; Waybill supports `knit`, `purl`."],
    ["stitch: 1\npurl: Purl 2", "2:1 This is Purl 2 (it has `purl`), which Waybill does not support."],
    ["a: 1\nknit: 4\npurl: 4", "1:1 This could be a definition in `knit` or `purl`."],
  ])("%j", (text, findings) => {
    const found: Diagnostic[] = [];
    const [document] = readDocuments({ path: "a.yaml", text }, (each) => found.push(each));
    expect(resolveLanguage(document!, undefined, languages, (each) => found.push(each))).toBeUndefined();
    expect(found.map(({ span, message }) => `${placeOf(span)} ${message}`)).toEqual([findings]);
  });

  const placeOf = ({ source, start }: Diagnostic["span"]) => {
    const { line, column } = positionOf(source, start);
    return `${line}:${column}`;
  };

  test("none if a language is requested", () => {
    const [document] = readDocuments({ path: "a.yaml", text: "purl: 4" }, () => {});
    expect(resolveLanguage(document!, "knit", languages, () => {})?.name).toBe("knit");
    const found: Diagnostic[] = [];
    expect(resolveLanguage(document!, "knot", languages, (each) => found.push(each))).toBeUndefined();
    expect(found[0]).toMatchObject({ code: "WB0101", hint: "Did you mean `knit`?" });
  });
});
