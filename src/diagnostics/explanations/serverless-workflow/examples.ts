import type { Example } from "../explanation.ts";

/** A definition with these states, and with more lines before them where they need some. */
export const definition = (states: string, more = ""): string =>
  `id: demo\nname: Demo\nversion: '1.0'\n${more}states:\n${states}`;

/** A definition that begins with a state of these properties, and has a state named `Next` if that one goes on to it. */
export const withState = (properties: string, more = ""): string => {
  const next = properties.includes("Next") ? "- { name: Next, type: inject, data: {}, end: { kind: default } }\n" : "";
  return definition(`- name: First\n  start: { kind: default }\n${properties}${next}`, more);
};

/** The definition of a function. */
export const functions = "functions:\n- { name: call, resource: 'https://example.com/call' }\n";

/** The definition of an event that is tied to its run. */
export const events = "events:\n- { name: Paid, type: shop.paid, source: /shop, correlationToken: order }\n";

/** Two definitions that differ in one thing. */
export const example = (bad: string, good: string, options?: Example["options"]): Example => ({
  file: "workflow.yaml",
  bad,
  good,
  options,
});

/** Two versions of a workflow's first state, which may go on to a state named `Next`. */
export const stateExample = (bad: string, good: string, more = ""): Example =>
  example(withState(bad, more), withState(good, more));
