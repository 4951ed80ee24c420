import type { Case, KnownFault } from "../case.ts";

/** What is known to be wrong and not mended yet: programs are run without it, unless the harness is told to run everything. */
export const knownFaults: readonly KnownFault[] = [
  {
    name: "zero time-outs",
    reason:
      "What is answered or arrives at the instant at which a wait begins comes before its time-out; typescript times out first.",
    avoid: replacing(/"(timeout|eventTimeout)":"(?:PT0S|P0DT0S)"/g, '"$1":"PT1S"'),
  },
  {
    name: "null tokens",
    reason: "A correlation attribute that is null counts as absent; typescript takes it for a value.",
    avoid: replacing(/"correlationToken":"[^"]*"/g, '"metadata":{}'),
  },
  {
    name: "subflows that nobody waits for",
    reason:
      "Where a branch fails at the instant at which it started one, and in which order it and its parent call at one instant, is not the same everywhere.",
    avoid: replacing(
      /"type":"subflow"((?:,"workflowId":"(?:[^"\\\\]|\\\\.)*")?)(?:,"waitForCompletion":(?:true|false))?/g,
      '"type":"subflow"$1,"waitForCompletion":true',
    ),
  },
  {
    name: "several ends at one instant",
    reason:
      "Of branches that fail or complete at one instant the first by position decides; the executors count turns of promises.",
    avoid: replacing(/"completionType":"(?:xor|n_of_m)"(?:,"n":\d+)?/g, '"completionType":"and"'),
  },
  {
    name: "partial events",
    reason:
      "typescript drops events that did not become complete in a loop whose condition does not see its constants.",
    avoid: replacing(/("?exclusive"?\s*:\s*)false/g, "$1true"),
  },
  {
    name: "inactive iterations",
    reason: "An iteration outside of its window gives its data, with its element; typescript gives it without.",
    avoid: replacing(/"kind":"scheduled","schedule":\{[^}]*\}/g, '"kind":"default"'),
  },
];

/** A case with something replaced in the texts of its definitions and scenarios. */
function replacing(found: RegExp, instead: string): (suspect: Case) => Case {
  const inText = (text: string): string => text.replaceAll(found, instead);
  const change = <T>(value: T): T => JSON.parse(inText(JSON.stringify(value))) as T;
  return (suspect) => ({
    ...suspect,
    definitions: suspect.definitions.map((each) => (typeof each === "string" ? inText(each) : change(each))),
    scenarios: suspect.scenarios.map(change),
  });
}
