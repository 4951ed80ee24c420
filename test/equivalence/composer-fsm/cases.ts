import fc, { type Arbitrary } from "fast-check";
import type { Json, JsonObject } from "../../../src/json.ts";
import { among, perhaps, weighted } from "../arbitraries.ts";
import type { EquivalenceCase } from "../case.ts";
import { hostileNames } from "../hostile.ts";
import { objectOver, valueOver } from "../values.ts";

/** Random compositions with scenarios: mostly well nested, sometimes with one stray transition. */
export const cases = (): Arbitrary<EquivalenceCase> =>
  fc
    .record({
      work: sequence(3),
      names: weighted<readonly string[]>([3, fc.constant([])], [1, fc.array(among(...hostileNames), { maxLength: 6 })]),
      stray: perhaps(25, fc.tuple(fc.nat(), fc.nat())),
      missingAction: among("reject", "catch"),
      scenarios: fc.array(scenario, { minLength: 1, maxLength: 3 }),
    })
    .map(({ work, names, stray, missingAction, scenarios }) => {
      const writer = createWriter(names);
      const entry = work(writer)(writer.add("end", { Type: "Pass" }));
      const states = stray ? withStrayTransition(writer.states, stray) : writer.states;
      const definition = { Entry: entry, Exit: writer.states[0]![0], States: Object.fromEntries(states) };
      return {
        language: "composer-fsm",
        definitions: [definition],
        options: { missingAction, globals: "any" },
        scenarios,
      };
    });

/** The states written so far, successors first. */
interface StateWriter {
  readonly states: (readonly [name: string, state: JsonObject])[];
  /** The variables in scope. */
  readonly variables: readonly string[];
  /** Adds a state and returns its name. */
  add(kind: string, state: JsonObject): string;
}

/** Adds states in front of `next` and returns the name of the first. */
type StateChain = (writer: StateWriter) => (next: string) => string;

function createWriter(hostile: readonly string[]): StateWriter {
  const states: StateWriter["states"] = [];
  const taken = new Set<string>();
  const add = (kind: string, state: JsonObject): string => {
    const wanted = hostile[states.length] ?? `${kind}_${states.length}`;
    const name = taken.has(wanted) ? `${wanted} ${states.length}` : wanted;
    taken.add(name);
    states.push([name, state]);
    return name;
  };
  return { states, variables: [], add };
}

/** Redirects one state to one added before it, which cannot create a loop. */
function withStrayTransition(
  states: StateWriter["states"],
  [which, where]: readonly [number, number],
): StateWriter["states"] {
  const from = which % states.length;
  const to = states[where % (from + 1)]![0];
  return states.map(([name, state], i) =>
    i === from && to !== name && "Next" in state ? [name, { ...state, Next: to }] : [name, state],
  );
}

const sequence = (depth: number): Arbitrary<StateChain> =>
  fc
    .array(depth === 0 ? task : weighted([3, task], [3, nested(depth)]), { minLength: 1, maxLength: 4 })
    .map((all) => (writer) => (next) => all.reduceRight((following, work) => work(writer)(following), next));

const one =
  (kind: string, state: (writer: StateWriter) => JsonObject): StateChain =>
  (writer) =>
  (next) =>
    writer.add(kind, { ...state(writer), Next: next });

const task: Arbitrary<StateChain> = weighted<StateChain>(
  [4, among("f", "g", "/ns/pkg/h").map((Action) => one("action", () => ({ Type: "Task", Action })))],
  [2, valueOver(["a", "error", "value"], 2).map((Value) => one("value", () => ({ Type: "Task", Value })))],
  [5, fc.nat().map((n) => one("function", (writer) => ({ Type: "Task", Function: bodyFor(writer, n) })))],
  [1, fc.constant(one("pass", () => ({ Type: "Pass" })))],
);

function bodyFor({ variables }: StateWriter, n: number): string {
  const [v = undefined, w = v] = variables;
  const all = v === undefined ? bodies : [...bodies, ...bodiesOver(v, w!)];
  return all[n % all.length]!;
}

const bodies: readonly string[] = [
  "params => params",
  "({ a }) => ({ a, b: 1 })",
  "() => true",
  "p => ({ value: p.a === 1 })",
  "function (p) { p.n = (p.n || 0) + 1; return p }",
  "() => { throw 'no' }",
  "() => ({ error: 'E', more: 1 })",
  "p => ({ error: p.a })",
  "() => null",
  "() => {}",
  "async p => p",
  "p => Object.keys(p).sort()",
  "p => ({ text: '<' + [p.a] + '\u2028>' })",
  "p => p.a.b.c",
  "({ a, ...rest }) => [a, rest]",
  "p => ({ ...p, b: p.a?.b })",
  "({ a, ...rest }) => ({ rest, is: a === 1, had: rest.n ?? 'none' })",
  "p => typeof p.n === 'number' ? { n: p.n + 1, few: p.n < 2 } : p",
  "p => Array.isArray(p.a) ? p.a.length : [p.a, !p.n]",
  "p => ({ error: p.a === null ? undefined : p.a })",
  "p => ({ ...p, seen: typeof nowhere })",
  'p => ({ first: p.a["0"], last: p.a["-1"], length: p.a["length"] })',
  '({ a: { "0": head, "1": second } }) => ({ head, second })',
  'p => ({ odd: [p.a?.["01"], p.a?.["1.0"], p["0"]], n: p.n?.["0"] })',
  'p => { p["0"] = p.a; return p }',
  "() => nowhere",
  "() => () => 1",
  "() => ({ at: new Date(0), no: NaN, none: undefined })",
];

const bodiesOver = (v: string, w: string): readonly string[] => [
  `() => ${v}`,
  `p => { ${v} = p; return { ${v} } }`,
  `() => { ${v} = 7; throw new Error("lost") }`,
  `() => { ${v} = 8; return { error: ${w} } }`,
  `p => ({ value: ${v} === ${w}, both: [${v}, ${w}] })`,
  `p => ({ p, at: ${v}?.a, both: ${v} && ${w} })`,
  `p => ${v} === p.a || typeof ${w} === "string" ? ${w} : { error: ${v} }`,
  `() => { ${w} = undefined }`,
  `() => ({ at: ${v}["0"], next: ${w}?.["1"] })`,
  `() => { if (Array.isArray(${v})) ${v}.push(1); else ${v} = [${v}] }`,
];

const nested = (depth: number): Arbitrary<StateChain> =>
  weighted<StateChain>(
    [3, choiceBlock(depth)],
    [2, pushBlock(depth)],
    [4, tryBlock(depth)],
    [3, letBlock(depth)],
    [2, loopBlock(depth)],
  );

const choiceBlock = (depth: number): Arbitrary<StateChain> =>
  fc.tuple(task, sequence(depth - 1), sequence(depth - 1)).map(([test, yes, no]) => (writer) => (next) => {
    const [Then, Else] = [yes(writer)(next), no(writer)(next)];
    return writer.add("push", {
      Type: "Push",
      Next: test(writer)(writer.add("choice", { Type: "Choice", Then, Else })),
    });
  });

const pushBlock = (depth: number): Arbitrary<StateChain> =>
  sequence(depth - 1).map((work) => (writer) => (next) => {
    return writer.add("push", { Type: "Push", Next: work(writer)(writer.add("pop", { Type: "Pop", Next: next })) });
  });

const tryBlock = (depth: number): Arbitrary<StateChain> =>
  fc.tuple(sequence(depth - 1), sequence(depth - 1)).map(([work, handle]) => (writer) => (next) => {
    const Handler = handle(writer)(next);
    const body = work(writer)(writer.add("catch", { Type: "Catch", Next: next }));
    return writer.add("try", { Type: "Try", Handler, Next: body });
  });

const letBlock = (depth: number): Arbitrary<StateChain> =>
  fc
    .tuple(among("v", "w", "constructor", "größe"), valueOver(["a"], 1), sequence(depth - 1))
    .map(([name, Value, work]) => (writer) => (next) => {
      const inside = { ...writer, variables: [name, ...writer.variables.filter((other) => other !== name)] };
      return writer.add("let", {
        Type: "Let",
        Symbol: name,
        Value,
        Next: work(inside)(writer.add("end", { Type: "End", Next: next })),
      });
    });

/** A counting loop: `Let`, `Push`, `Choice` and back, `End`. */
const loopBlock = (depth: number): Arbitrary<StateChain> =>
  fc.tuple(fc.nat(2), sequence(depth - 1)).map(([times, work]) => (writer) => (next) => {
    const count = `count${writer.states.length}`;
    const over = writer.add("end", { Type: "End", Next: next });
    const again = writer.add("again", { Type: "Pass" });
    const body = work(writer)(again);
    const choice = writer.add("choice", { Type: "Choice", Then: body, Else: over });
    const test = writer.add("test", { Type: "Task", Function: `() => ${count}-- > 0`, Next: choice });
    const push = writer.add("push", { Type: "Push", Next: test });
    const back = writer.states.findIndex(([name]) => name === again);
    writer.states[back] = [again, { Type: "Pass", Next: push }];
    return writer.add("let", { Type: "Let", Symbol: count, Value: times, Next: push });
  });

/** The responses of an action. OpenWhisk has one fixed message for a missing action. */
const responseOf = (action: string): Arbitrary<JsonObject> =>
  weighted<JsonObject>(
    [6, valueOver(["a", "value", "n"], 2).map((returns) => ({ returns }))],
    [1, among<Json>("E", 5, null).map((error) => ({ returns: { error, more: 1 } }))],
    [
      2,
      fc
        .tuple(among("Busy", "ActionNotFound", "Error"), among("no", "", '{"errorMessage":"nested"}', "100%"))
        .map(([name, text]) => {
          const isMissing = name === "ActionNotFound";
          const message = isMissing ? `Failed to resolve action with name '${action}' during composition.` : text;
          return { throws: { name, message } };
        }),
    ],
  );

const scenario: Arbitrary<JsonObject> = fc
  .record({
    input: objectOver(["a", "n", "value", "error"], 2),
    f: fc.array(responseOf("guest/f"), { minLength: 1, maxLength: 3 }),
    g: fc.array(responseOf("guest/g"), { minLength: 1, maxLength: 3 }),
    h: responseOf("ns/pkg/h"),
  })
  .map(({ input, f, g, h }) => ({ input, functions: { f, g, "/ns/pkg/h": h } }));
