import { describe, expect, test } from "vitest";
import { check } from "../../src/compile.ts";
import type { Diagnostic } from "../../src/text/diagnostics.ts";
import { languages } from "../languages.ts";

const diagnosticsOf = (text: string): readonly Diagnostic[] =>
  check({ sources: [{ path: "a.yaml", text }], options: {} }, languages).diagnostics;

const errorsOf = (text: string): readonly Diagnostic[] =>
  diagnosticsOf(text).filter(({ severity }) => severity === "error");

const yawl = (step: string): string => `yawl: "0.1"\nstart: a\nsteps:\n  a: { ${step} }\n  b: { noOp: {} }\n`;
const wait = (value: string): string => yawl(`wait: { duration: ${value}, next: b }`);
const timed = (value: string): string => yawl(`functionCall: { functionId: d4e, timeout: ${value}, next: b }`);
const delay = (value: string): string => `id: a
name: A
version: "1.0"
states:
- { name: A, type: delay, timeDelay: ${value}, start: { kind: default }, end: { kind: default } }
`;

/** The values in the hints of errors, each of which has to be valid in place of the value. */
const suggestionsFor = (text: string): readonly string[] =>
  errorsOf(text).flatMap(
    ({ hint = "" }) => /^(?:Write|Did you mean) `"?([^`"]*)"?`(?: in place of `until`)?[.?]$/.exec(hint)?.[1] ?? [],
  );

describe("a hint never proposes an invalid duration", () => {
  const durations = [
    ...["0", "0.5", "5", "900", "901", "172800", "172801", "-5", "1.0e300", "1e-7", "1e21", ".nan", "true", "false"],
    ...["PT5M", "PT72H", "PT0.5S", "5 hours", "1ms", "5m", "1000s", "999999999d", "P1Y", "soon"],
  ];
  test.each(durations)("%s", (value) => {
    for (const write of [wait, timed, delay])
      for (const suggestion of suggestionsFor(write(value)))
        expect({ suggestion, errors: errorsOf(write(JSON.stringify(suggestion))) }).toEqual({ suggestion, errors: [] });
  });

  test("but proposes valid ones", () => {
    expect(suggestionsFor(wait("5"))).toEqual(["5s"]);
    expect(suggestionsFor(wait("PT5M"))).toEqual(["300s"]);
    expect(suggestionsFor(timed("5m"))).toEqual(["300s"]);
    expect(suggestionsFor(delay("5"))).toEqual(["PT5S"]);
    expect(suggestionsFor(wait("1.0e300"))).toEqual([]);
    expect(suggestionsFor(timed("5 hours"))).toEqual([]);
    expect(suggestionsFor(delay("1.0e300"))).toEqual([]);
  });

  test("nor a duration as the end of a wait", () => {
    const [error] = errorsOf(yawl("wait: { until: PT5M, next: b }"));
    expect(error).toMatchObject({ code: "WB4207", hint: "Write `duration: 300s` in place of `until`." });
    expect(errorsOf(yawl("wait: { duration: 300s, next: b }"))).toEqual([]);
  });
});

test("an array of actions of a callback state is one error", () => {
  const action = "{ functionRef: { refName: charge } }";
  const callback = (actions: string): string => `id: a
name: A
version: "1.0"
functions: [{ name: charge, resource: charge }]
events: [{ name: paid, type: paid, source: shop }]
states:
- name: A
  type: callback
  ${actions}
  eventRef: paid
  timeout: PT1H
  start: { kind: default }
  end: { kind: default }
`;
  for (const actions of [`[${action}]`, `[${action}, ${action}]`, action]) {
    const errors = errorsOf(callback(`actions: ${actions}`));
    expect(errors.map(({ code, hint }) => [code, hint])).toEqual([
      ["WB1007", "A callback state performs one action: write `action: { … }`, without the array."],
    ]);
  }
  expect(errorsOf(callback(`action: ${action}`))).toEqual([]);
});

test("an array of events to produce is one error, whose remedy is accepted", () => {
  const producing = (transition: string, end: string): string => `id: a
name: A
version: "1.0"
events: [{ name: paid, type: paid, source: shop }]
states:
- { name: A, type: inject, data: {}, start: { kind: default }, transition: { nextState: B, ${transition} } }
- { name: B, type: inject, data: {}, end: { ${end} } }
`;
  const event = "{ eventRef: paid }";
  const accepted = [`produceEvent: ${event}`, `kind: event, produceEvent: ${event}`] as const;
  expect(errorsOf(producing(...accepted))).toEqual([]);
  for (const events of [`[${event}]`, `[${event}, ${event}]`, event]) {
    const errors = [
      ...errorsOf(producing(`produceEvents: ${events}`, accepted[1])),
      ...errorsOf(producing(accepted[0], `kind: default, produceEvents: ${events}`)),
    ];
    expect(errors.map(({ code, hint }) => [code, hint])).toEqual([
      ["WB1007", "A transition produces one event: write `produceEvent: { eventRef: … }`."],
      ["WB1007", "An end produces one event: write `kind: event` and `produceEvent: { eventRef: … }`."],
    ]);
  }
  const missing = errorsOf(producing(accepted[0], `kind: event, produceEvents: [${event}]`));
  expect(missing.map(({ code }) => code)).toEqual(["WB1007"]);
});
