import { describe, expect, test } from "vitest";
import { compileWith } from "../../src/compile.ts";
import { positionOf } from "../../src/text/source.ts";
import { languages } from "../languages.ts";
import { mistakes } from "./mistakes.ts";

// One mistake is one diagnostic, at its place, that says what to write.

const check = (text: string, path = "parcel.yaml") =>
  compileWith({ sources: [{ path, text }], options: {} }, languages).then(({ diagnostics }) => diagnostics);

describe.each(mistakes)("$what", ({ text, path, found, remedy }) => {
  test("is reported once, with a remedy", async () => {
    const diagnostics = await check(text, path);
    expect(diagnostics.map(({ code, span }) => `${positionOf(span.source, span.start).line} ${code}`)).toEqual(found);
    for (const { message, hint } of diagnostics) expect(`${message} ${hint ?? ""}`).toMatch(remedy);
  });
});
