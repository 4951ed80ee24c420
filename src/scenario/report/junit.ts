import { renderText, visible } from "../../diagnostics/renderers/text.ts";
import type { Diagnostic } from "../../text/diagnostics.ts";
import type { Result } from "../run.ts";
import { detailsOf, unavailableNote } from "./results.ts";

/**
 * Renders results as JUnit XML: a `testsuite` for each file and runner, with real time in seconds. Refused or
 * unavailable scenarios are `skipped`. An invalid scenario file is a suite with an `error`.
 */
export function renderResultsJunit(results: readonly Result[], faults: readonly Diagnostic[] = []): string {
  const suites = [
    ...grouped(results, ({ file, target }) => JSON.stringify([file, target])).map(suiteOf),
    ...faultySuites(faults),
  ];
  const total = attributes({
    tests: sum(suites.map(({ counts }) => counts.tests)),
    failures: sum(suites.map(({ counts }) => counts.failures)),
    errors: sum(suites.map(({ counts }) => counts.errors)),
    skipped: sum(suites.map(({ counts }) => counts.skipped)),
    time: timeOf(results),
  });
  const body = suites.map(({ name, counts, time, cases }) =>
    element("testsuite", attributes({ name, ...counts, time }), ["", ...cases, ""].join("\n")),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", total, ["", ...body, ""].join("\n"))}\n`;
}

interface Suite {
  readonly name: string;
  readonly counts: {
    readonly tests: number;
    readonly failures: number;
    readonly errors: number;
    readonly skipped: number;
  };
  readonly time: string;
  readonly cases: readonly string[];
}

function suiteOf(results: readonly Result[]): Suite {
  const { file, target } = results[0]!;
  const failures = results.filter(({ isFailure }) => isFailure).length;
  const skipped = results.filter(isSkipped).length;
  return {
    name: `${file} (${target})`,
    counts: { tests: results.length, failures, errors: 0, skipped },
    time: timeOf(results),
    cases: results.map(caseOf),
  };
}

const isSkipped = ({ outcome, isFailure }: Result): boolean => !isFailure && outcome !== "passed";

function caseOf(result: Result): string {
  const { file, target, scenario } = result;
  const head = attributes({ name: scenario, classname: `${file} (${target})`, time: timeOf([result]) });
  return element("testcase", head, contentOf(result));
}

function contentOf(result: Result): string {
  const { outcome, isFailure, differences } = result;
  const details = detailsOf(result).join("\n");
  if (isFailure) {
    const message =
      outcome === "refused" ? "refused by the compiler" : [...new Set(differences.map(headline))].join(", ");
    return element("failure", attributes({ message, type: outcome }), text(details));
  }
  if (isSkipped(result)) return element("skipped", attributes({ message: unavailableNote(result) }), "");
  return details === "" ? "" : element("system-out", "", text(details));
}

const headline = ({ what, against }: Result["differences"][number]): string =>
  `${what} differs${against === undefined ? "" : ` from the ${against}`}`;

const faultySuites = (faults: readonly Diagnostic[]): readonly Suite[] =>
  grouped(
    faults.filter(({ severity }) => severity === "error"),
    ({ span }) => span.source.path,
  ).map((ofFile) => {
    const name = ofFile[0]!.span.source.path;
    const error = element(
      "error",
      attributes({ message: ofFile[0]!.message, type: ofFile[0]!.code }),
      text(renderText(ofFile)),
    );
    return {
      name,
      counts: { tests: 1, failures: 0, errors: 1, skipped: 0 },
      time: "0.000",
      cases: [element("testcase", attributes({ name: "can be read", classname: name, time: "0.000" }), error)],
    };
  });

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly (readonly Item[])[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
const timeOf = (results: readonly Result[]): string => sum(results.map(({ seconds }) => seconds)).toFixed(3);

const element = (name: string, given: string, content: string): string =>
  content === "" ? `<${name}${given}/>` : `<${name}${given}>${content}</${name}>`;

const attributes = (given: { readonly [name: string]: string | number }): string =>
  Object.entries(given)
    .map(([name, value]) => ` ${name}="${text(visible(String(value)))}"`)
    .join("");

/** Characters that XML 1.0 does not allow. */
const unknownToXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const entities: { readonly [character: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes a string for XML elements and attributes. */
const text = (given: string): string =>
  given.replace(unknownToXml, "\ufffd").replace(/[&<>"]/g, (character) => entities[character]!);
