import type { Renaming } from "./renamed.ts";
import type { SourceRenaming } from "./renamed-source.ts";

/** Names with a meaning in some language, file system or prototype, or that are hard to print. */
const awkward: readonly string[] = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "region",
  "region 1",
  "error",
  "event",
  "run",
  "data",
  "aim",
  "flow",
  "fn",
  "step",
  "input'",
  "result'",
  "input",
  "states",
  "failure",
  "correlation",
  "correlation'",
  "expressions",
  "expressions'",
  "Functions",
  "Data",
  "Json",
  "await",
  "class",
  "default",
  "a.b",
  "a/b",
  "a: b",
  'with "quotes"',
  "it's",
  "back`tick",
  `${"$"}{x}`,
  "{% x %}",
  "$states.input",
  "*/ // x",
  " ",
  "  two  blanks ",
  "line\nbreak",
  "🚚",
  "é",
  "e\u0301",
  "1st",
  "-",
  "CON",
  "Same",
  "same",
  "SAME",
  "x".repeat(100),
  `${"x".repeat(99)}y`,
  "States.ALL",
  "N/A",
];

/** The suffixes that rewrites append to step ids. */
const parts: readonly string[] = [
  "#2",
  "#2#2",
  "/failed",
  "/errors",
  "/try",
  "/done",
  "/again 1",
  "/wait 1",
  "/no-match",
  "/unhandled",
  "/0",
  "/errors/0",
  "/start",
  "/work",
  "/turn",
  "/then",
  "/else",
  "/else/then",
  "/value",
  "/handlers",
  "/expression",
  "/first values",
  "/begin",
  "/failed 2",
  "/try 2",
  "/end",
];

/** The suffixes that rewrites append to variables. */
const kept: readonly string[] = [
  " retries 1",
  " wait 1",
  " data",
  " value",
  " value'",
  " answer",
  " answer'",
  " error",
  " error'",
];

/** Renames everything to awkward names and to names that rewrites would create. */
export function namesLikeOurs(random: () => number): Renaming & SourceRenaming {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const steps: string[] = [];
  const step = namesFor(() => {
    const name = steps.length > 0 && random() < 0.6 ? pick(steps) + pick(parts) : pick(awkward);
    steps.push(name);
    return name;
  });
  const variables: string[] = [];
  const variable = namesFor(() => {
    const name = steps.length > 0 && random() < 0.5 ? pick(steps) + pick(kept) : pick(awkward);
    variables.push(name);
    return reserved.has(name) ? `${name} ` : name;
  });
  const states: string[] = [];
  const state = namesFor(() => {
    const name = states.length > 0 && random() < 0.6 ? pick(states) + pick(parts) : pick(awkward);
    states.push(name);
    return name;
  });
  return {
    state,
    branch: namesFor(() => pick([...awkward, ...states])),
    step,
    variable,
    origin: namesFor(() => (steps.length > 0 && random() < 0.5 ? pick(steps) : pick(awkward))),
    function: namesFor(() => pick([...awkward, ...steps])),
    event: namesFor(() => pick([...awkward, ...steps])),
  };
}

/** Names in expressions that are not variables. */
const reserved: ReadonlySet<string> = new Set(["error", "event", "run"]);

/** Creates a distinct name for each name, always the same for the same one. */
function namesFor(make: () => string): (name: string) => string {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  return (name) => {
    const known = names.get(name);
    if (known !== undefined) return known;
    let other = make();
    while (taken.has(other)) other = `${make()}${taken.size}`;
    names.set(name, other);
    taken.add(other);
    return other;
  };
}
