import { call, literal } from "../../../expressions/index.ts";
import { spanOf } from "../context.ts";
import { data } from "../data/paths.ts";
import type { InjectState } from "../definition.ts";
import { assignData, type Fragment } from "../fragments.ts";
import type { Writer } from "../writer.ts";

/** An inject state merges fixed data into the data. */
export const inject = (writer: Writer, state: InjectState): Fragment =>
  assignData(writer, "inject", spanOf(writer.context, state, "data"), call("merge", data, literal(state.data ?? {})));
