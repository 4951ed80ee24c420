import {
  bind,
  collect,
  type Expression,
  identity,
  iterate,
  literal,
  object,
  pipe,
  simplify,
  variable,
} from "../../expressions/index.ts";
import type { MapState } from "../../generated/asl-definition.ts";
import { spanOf } from "../shared/properties.ts";
import type { Writer } from "./context.ts";
import { checkReference, isJsonata, within } from "./data-flow.ts";
import { missingField } from "./diagnostics/kinds.ts";
import { isProgram } from "./dialects.ts";
import { queryFailure, runtimeFailure } from "./failures.ts";
import { program } from "./intrinsic-functions.ts";
import { jsonataAt } from "./jsonata-values.ts";
import type { PathRoots } from "./paths.ts";
import { wholeNumber } from "./seconds.ts";
import { type Field, pathAt, templateAt, valueAt } from "./templates.ts";

/** The member of a batch with its items. */
export const batchItems = "Items";

/** The inputs of the executions of a distributed Map: items, or batches of them. */
export function batchesOf(writer: Writer<MapState>, input: Expression, items: Expression): Expression {
  const { state, context } = writer;
  const { ItemBatcher: batcher } = state;
  if (!batcher) return items;
  const count = limitOf(writer, input, batcher, "MaxItemsPerBatch");
  const bytes = limitOf(writer, input, batcher, "MaxInputBytesPerBatch");
  if (!count && !bytes) {
    const fields = ["MaxItemsPerBatch", "MaxInputBytesPerBatch"];
    context.report(missingField(spanOf(context, state, "ItemBatcher", "key"), { type: "`ItemBatcher`", fields }));
    return items;
  }
  const made = variable("batch");
  const common: [string, Expression][] =
    batcher.BatchInput === undefined
      ? []
      : [["BatchInput", templateIn({ writer, input }, { owner: batcher, key: "BatchInput" })]];
  const batch = bind("batch", identity, object([...common, [batchItems, made]]));
  const parts = bytes ? sizedChunks(items, count ?? literal(Number.MAX_SAFE_INTEGER), bytes) : chunks(items, count!);
  return simplify(collect(pipe(iterate(parts), batch)));
}

const chunks = program("[range(0; $a | length; $b) as $start | $a[$start:$start + $b]]");

/** Adds each item to the last batch, or begins another one if the last has `$b` items or would have more than `$c` bytes. */
const sizedChunks = program(`reduce $a[] as $item ([];
  if length > 0 and (.[-1] | length) < $b and (.[-1] + [$item] | tojson | utf8bytelength) <= $c
  then .[:-1] + [.[-1] + [$item]]
  else . + [[$item]] end)`);

/** A limit of a batch, which is computed with the batches. */
function limitOf(
  writer: Writer<MapState>,
  input: Expression,
  batcher: object,
  name: "MaxItemsPerBatch" | "MaxInputBytesPerBatch",
): Expression | undefined {
  const stated = valueAt({ owner: batcher, key: name });
  if (typeof stated === "number") return literal(stated);
  const key = isProgram(stated ?? null) ? name : `${name}Path`;
  const field = { owner: batcher, key };
  if (valueAt(field) === undefined) return undefined;
  const failed = (isJsonata(writer) ? queryFailure : runtimeFailure)(
    `The value of the field '${key}' is no integer from 1 to 99,999,999.`,
  );
  const checked = (given: Expression): Expression => within("limit", given, (value) => wholeNumber(value, 1, failed));
  if (isProgram(stated ?? null)) return checked(jsonataAt({ writer }, field, `ItemBatcher/${key}`));
  const path = pathAt({ writer, input }, field);
  return path && checkReference(writer, field, path) ? checked(path.value) : undefined;
}

/** What a template in JSONPath or JSONata gives. */
export const templateIn = (roots: PathRoots, field: Field): Expression =>
  simplify(isJsonata(roots.writer) ? jsonataAt(roots, field) : templateAt(roots, field));
