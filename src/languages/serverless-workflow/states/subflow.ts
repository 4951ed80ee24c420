import { call, literal, variable } from "../../../expressions/index.ts";
import { spanOf } from "../context.ts";
import { data } from "../data/paths.ts";
import type { SubflowState } from "../definition.ts";
import { abandonedSubflow } from "../diagnostics/kinds.ts";
import { assignData, type Fragment, sequence, step } from "../fragments.ts";
import { declare, type Writer } from "../writer.ts";

/** A subflow state starts a workflow with a copy of the data. If it waits, what comes out is merged into the data, and a subflow that terminates ends this run too. */
export function subflow(writer: Writer, state: SubflowState): Fragment {
  const { context } = writer;
  const wait = state.waitForCompletion ?? false;
  const span = spanOf(context, state, "workflowId");
  if (!wait && state.end) context.report(abandonedSubflow(span, { workflow: state.workflowId }));
  const started = {
    workflow: { name: state.workflowId, span },
    input: data,
    wait,
    terminates: wait,
    retries: [],
    handlers: [],
  } as const;
  const bind = wait ? declare(writer, "result") : undefined;
  const invoked = step(writer, "invoke", span, (base, next) => ({ ...base, kind: "invoke", ...started, bind, next }));
  if (!wait) return invoked;
  return sequence(
    invoked,
    assignData(writer, "merge", span, call("absorb", data, variable("result"), literal(state.workflowId))),
  );
}
