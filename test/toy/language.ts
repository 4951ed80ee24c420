import {
  certainScore,
  defineError,
  isObject,
  type JsonObject,
  type Language,
  literal,
  noMatch,
  type Reference,
  type Span,
  type Step,
  variable,
  type Workflow,
} from "../../src/library/ir.ts";

/** A recipe is a name and a list of steps. */
const noRecipe = defineError("WB9801", (a: { detail: string }) => ({ message: `This is no recipe: ${a.detail}.` }));

/**
 * A language for tests. A workflow calls functions in sequence and returns the last result:
 *
 *   recipe: tea
 *   steps: [boil: { litres: 1 }, pour: { cup: red }]
 */
export const recipes: Language = {
  name: "recipes",
  summary: "recipes, for tests",
  terminology: { step: "step" },
  options: [{ name: "sugar", values: ["none", "much"], fallback: "none", summary: "How sweet it gets." }],
  sniff: /recipe/,
  detect: (value) =>
    isObject(value) && Object.hasOwn(value, "recipe")
      ? { score: certainScore, evidence: [{ owner: value, key: "recipe" }] }
      : noMatch,
  canonicalize: (document) => document,
  validator: () => (document, report) => {
    const { value } = document;
    if (isObject(value) && Array.isArray(value["steps"]) && value["steps"].every(isStep)) return true;
    report(noRecipe(document.start, { detail: "it has no list of steps" }));
    return false;
  },
  lower(document, { options }) {
    const value = document.value as JsonObject;
    const calls = value["steps"] as readonly JsonObject[];
    const span = document.spanOf(value, "recipe");
    const sweet = options["sugar"] === "much" ? [{ sweeten: {} }] : [];
    return workflowOf(
      String(value["recipe"]),
      [...calls, ...sweet].map((call) => ({ call, span: document.spanOf(call) })),
      span,
    );
  },
};

const isStep = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 1;

function workflowOf(
  id: string,
  calls: readonly { readonly call: JsonObject; readonly span: Span }[],
  span: Span,
): Workflow {
  const to = (i: number): Reference => ({ name: i < calls.length ? `step ${i + 1}` : "served", span });
  const steps = calls.map(({ call, span: place }, i): Step => {
    const [[name, argument] = ["", null]] = Object.entries(call);
    return {
      kind: "call",
      id: to(i).name,
      origin: { noun: "step", name: `${i + 1}. ${name}`, entry: true },
      span: place,
      function: { name, span: place },
      argument: literal(argument),
      wait: true,
      bind: "dish",
      next: to(i + 1),
      retries: [],
      handlers: [],
    };
  });
  const served: Step = {
    kind: "end",
    id: "served",
    origin: { noun: "step", name: "served", entry: false },
    span,
    outcome: "leave",
    value: variable("dish"),
    extent: "scope",
  };
  const functions = [...new Set(calls.flatMap(({ call }) => Object.keys(call)))].map((name) => ({ name, span }));
  return {
    kind: "workflow",
    id,
    name: id,
    version: "1",
    language: "recipes",
    start: { span },
    input: "dish",
    body: { entry: to(0), variables: [{ name: "dish" }], steps: [...steps, served], span },
    functions,
    events: [],
    span,
  };
}
