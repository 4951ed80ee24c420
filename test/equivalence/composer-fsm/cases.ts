import fc, { type Arbitrary } from "fast-check";
import type { Json, JsonObject } from "../../../src/json.ts";
import type { Case } from "../case.ts";
import { among, perhaps, weighted } from "../draw.ts";
import { hostileNames } from "../hostile.ts";
import { objectOver, valueOver } from "../values.ts";

/** Random compositions with scenarios: mostly well nested, sometimes with one stray transition. */
export const cases = (): Arbitrary<Case> =>
  fc
    .record({
      work: sequence(3),
      names: weighted<readonly string[]>([3, fc.constant([])], [1, fc.array(among(...hostileNames), { maxLength: 6 })]),
      led: perhaps(25, fc.tuple(fc.nat(), fc.nat())),
      missingAction: among("reject", "catch"),
      scenarios: fc.array(scenario, { minLength: 1, maxLength: 3 }),
    })
    .map(({ work, names, led, missingAction, scenarios }) => {
      const place = placeWith(names);
      const entry = work(place)(place.add("end", { Type: "Pass" }));
      const states = led ? ledElsewhere(place.states, led) : place.states;
      const definition = { Entry: entry, Exit: place.states[0]![0], States: Object.fromEntries(states) };
      return {
        language: "composer-fsm",
        definitions: [definition],
        options: { missingAction, globals: "any" },
        scenarios,
      };
    });

/** The states written so far, successors first. */
interface Place {
  readonly states: (readonly [name: string, state: JsonObject])[];
  /** The variables in scope. */
  readonly variables: readonly string[];
  /** Adds a state and returns its name. */
  add(kind: string, state: JsonObject): string;
}

/** Adds states in front of `next` and returns the name of the first. */
type Work = (place: Place) => (next: string) => string;

function placeWith(strange: readonly string[]): Place {
  const states: Place["states"] = [];
  const taken = new Set<string>();
  const add = (kind: string, state: JsonObject): string => {
    const wanted = strange[states.length] ?? `${kind}_${states.length}`;
    const name = taken.has(wanted) ? `${wanted} ${states.length}` : wanted;
    taken.add(name);
    states.push([name, state]);
    return name;
  };
  return { states, variables: [], add };
}

/** Redirects one state to one added before it, which cannot create a loop. */
function ledElsewhere(states: Place["states"], [which, where]: readonly [number, number]): Place["states"] {
  const from = which % states.length;
  const to = states[where % (from + 1)]![0];
  return states.map(([name, state], i) =>
    i === from && to !== name && "Next" in state ? [name, { ...state, Next: to }] : [name, state],
  );
}

const sequence = (depth: number): Arbitrary<Work> =>
  fc
    .array(depth === 0 ? task : weighted([3, task], [3, nested(depth)]), { minLength: 1, maxLength: 4 })
    .map((all) => (place) => (next) => all.reduceRight((following, work) => work(place)(following), next));

const one =
  (kind: string, state: (place: Place) => JsonObject): Work =>
  (place) =>
  (next) =>
    place.add(kind, { ...state(place), Next: next });

const task: Arbitrary<Work> = weighted<Work>(
  [4, among("f", "g", "/ns/pkg/h").map((Action) => one("action", () => ({ Type: "Task", Action })))],
  [2, valueOver(["a", "error", "value"], 2).map((Value) => one("value", () => ({ Type: "Task", Value })))],
  [5, fc.nat().map((n) => one("function", (place) => ({ Type: "Task", Function: bodyFor(place, n) })))],
  [1, fc.constant(one("pass", () => ({ Type: "Pass" })))],
);

function bodyFor({ variables }: Place, n: number): string {
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
  `() => { if (Array.isArray(${v})) ${v}.push(1); else ${v} = [${v}] }`,
];

const nested = (depth: number): Arbitrary<Work> =>
  weighted<Work>([3, chosen(depth)], [2, kept(depth)], [4, tried(depth)], [3, bound(depth)], [2, repeated(depth)]);

const chosen = (depth: number): Arbitrary<Work> =>
  fc.tuple(task, sequence(depth - 1), sequence(depth - 1)).map(([test, yes, no]) => (place) => (next) => {
    const [Then, Else] = [yes(place)(next), no(place)(next)];
    return place.add("push", { Type: "Push", Next: test(place)(place.add("choice", { Type: "Choice", Then, Else })) });
  });

const kept = (depth: number): Arbitrary<Work> =>
  sequence(depth - 1).map((work) => (place) => (next) => {
    return place.add("push", { Type: "Push", Next: work(place)(place.add("pop", { Type: "Pop", Next: next })) });
  });

const tried = (depth: number): Arbitrary<Work> =>
  fc.tuple(sequence(depth - 1), sequence(depth - 1)).map(([work, handle]) => (place) => (next) => {
    const Handler = handle(place)(next);
    const body = work(place)(place.add("catch", { Type: "Catch", Next: next }));
    return place.add("try", { Type: "Try", Handler, Next: body });
  });

const bound = (depth: number): Arbitrary<Work> =>
  fc
    .tuple(among("v", "w", "constructor", "größe"), valueOver(["a"], 1), sequence(depth - 1))
    .map(([name, Value, work]) => (place) => (next) => {
      const inside = { ...place, variables: [name, ...place.variables.filter((other) => other !== name)] };
      return place.add("let", {
        Type: "Let",
        Symbol: name,
        Value,
        Next: work(inside)(place.add("end", { Type: "End", Next: next })),
      });
    });

/** A counting loop: `Let`, `Push`, `Choice` and back, `End`. */
const repeated = (depth: number): Arbitrary<Work> =>
  fc.tuple(fc.nat(2), sequence(depth - 1)).map(([times, work]) => (place) => (next) => {
    const count = `count${place.states.length}`;
    const over = place.add("end", { Type: "End", Next: next });
    const again = place.add("again", { Type: "Pass" });
    const body = work(place)(again);
    const choice = place.add("choice", { Type: "Choice", Then: body, Else: over });
    const test = place.add("test", { Type: "Task", Function: `() => ${count}-- > 0`, Next: choice });
    const push = place.add("push", { Type: "Push", Next: test });
    const back = place.states.findIndex(([name]) => name === again);
    place.states[back] = [again, { Type: "Pass", Next: push }];
    return place.add("let", { Type: "Let", Symbol: count, Value: times, Next: push });
  });

/** The responses of an action. OpenWhisk has one fixed message for a missing action. */
const answerOf = (action: string): Arbitrary<JsonObject> =>
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
    f: fc.array(answerOf("guest/f"), { minLength: 1, maxLength: 3 }),
    g: fc.array(answerOf("guest/g"), { minLength: 1, maxLength: 3 }),
    h: answerOf("ns/pkg/h"),
  })
  .map(({ input, f, g, h }) => ({ input, functions: { f, g, "/ns/pkg/h": h } }));
