import { jqFault, lostDigits } from "../diagnostics/data.ts";
import { wrongScenarioValue } from "../diagnostics/scenario.ts";
import type { Document } from "../document/index.ts";
import { type Expression, readJq } from "../expressions/index.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { Report } from "../text/diagnostics.ts";
import { nearest } from "../text/suggest.ts";
import { fieldsOf, isMapping, isText } from "./fields.ts";
import type { Answer, Answers } from "./model.ts";

/** Reads what functions answer: one answer for every call, or a list of which the last repeats. */
export function readAnswers(functions: JsonObject, document: Document, report: Report): ReadonlyMap<string, Answers> {
  return new Map(
    Object.entries(functions).map(([name, given]) => {
      const list: readonly Json[] = Array.isArray(given) ? given : [given as Json];
      const answers = list.flatMap((item, i) =>
        readAnswer(item, Array.isArray(given) ? [given, i] : [functions, name], document, report),
      );
      return [name, { list: answers, span: document.spanOf(functions, name, "key") }];
    }),
  );
}

const knownKeys = ["returns", "throws", "computes", "takes"];

function readAnswer(
  item: Json,
  [owner, key]: readonly [object, string | number],
  document: Document,
  report: Report,
): readonly Answer[] {
  const wanted = "one of `returns`, `throws` and `computes`, perhaps with `takes`";
  const kinds = isObject(item) ? ["returns", "throws", "computes"].filter((kind) => Object.hasOwn(item, kind)) : [];
  if (isObject(item) && kinds.length === 0 && Object.keys(item).some((key) => nearest(key, knownKeys))) {
    fieldsOf(item, "an answer", knownKeys, document, report).seconds("takes");
    return [];
  }
  if (!isObject(item) || kinds.length !== 1) {
    report(wrongScenarioValue(document.spanOf(owner, key), { subject: "An answer", wanted }));
    return [];
  }
  const fields = fieldsOf(item, "an answer", knownKeys, document, report);
  const common = { takes: fields.seconds("takes") ?? 0, span: document.spanOf(item, kinds[0]) };
  if (kinds[0] === "returns") return [{ ...common, does: { kind: "returns", value: own(item, "returns")! } }];
  if (kinds[0] === "throws") {
    const error = fields.get("throws", "an error, with `name` and `message`", isMapping);
    if (error && typeof error["name"] !== "string") fields.wrong("throws", "an error with a text as its `name`");
    return error ? [{ ...common, does: { kind: "throws", error } }] : [];
  }
  const program = fields.get("computes", "a jq program", isText);
  const expression = program === undefined ? undefined : expressionIn(program, item, document, report);
  return expression === undefined ? [] : [{ ...common, does: { kind: "computes", expression } }];
}

/** The jq program in `owner.computes`; undefined where something is wrong with it. */
function expressionIn(program: string, owner: JsonObject, document: Document, report: Report): Expression | undefined {
  const placeOf = (from: number, to: number) => document.spanWithin(owner, "computes", from, to);
  const read = readJq(program);
  if (!("expression" in read)) {
    for (const fault of read) report(jqFault(placeOf(fault.from, fault.to), fault));
    return undefined;
  }
  for (const { from, to, message } of read.warnings) report(lostDigits(placeOf(from, to), { message }));
  return read.expression;
}
