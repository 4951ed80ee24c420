import { js } from "../../../src/code/index.ts";
import type { Window } from "../../../src/ir/workflow.ts";
import type { FlowContext } from "./context.ts";
import { addRow, type Part } from "./drafts.ts";
import { beginProgram, finished } from "./programs.ts";

/** States that lead inside while a window is open, and outside before and after. */
export function askWindow(
  label: string,
  name: string,
  { from, until }: Window,
  ways: { readonly inside: string; readonly outside: string },
  flow: FlowContext,
): void {
  const now = js.method(js.name("Date"), "now");
  const instant = (text: string) => js.method(js.name("Date"), "parse", [js.literal(text)]);
  const value = js.and(
    ...(from === undefined ? [] : [js.binary(now, ">=", instant(from))]),
    ...(until === undefined ? [] : [js.binary(now, "<", instant(until))]),
  );
  const parts: readonly Part[] = [
    { name: `${name}/push`, does: { kind: "push" } },
    { name, does: finished(beginProgram(flow), js.record({ value })) },
    { name: `${name}/choice`, does: { kind: "choice", whenTrue: ways.inside, otherwise: ways.outside } },
  ];
  addRow(flow.drawing, label, parts, undefined);
}
