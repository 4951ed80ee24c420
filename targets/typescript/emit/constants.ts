import {
  innerBlocks,
  type StructuredBlock,
  type StructuredItem,
  type Web,
  type WebTable,
} from "../../../src/cfg/index.ts";
import { trailingExit } from "./blocks.ts";

/** The webs with one definition and all uses after it in the same block. */
export function constantsOf(block: StructuredBlock, webs: WebTable): ReadonlySet<string> {
  const constants = new Set<string>();
  const candidates = webs.all.filter((web) => !web.isInitial && web.definitions.size === 1);
  const byStep = new Map<string, Web[]>();
  for (const web of candidates)
    for (const step of web.definitions) byStep.set(step, [...(byStep.get(step) ?? []), web]);
  visitBlocks(block, (steps, before) => {
    const itemOf = new Map(steps.flatMap((ids, i) => ids.map((id) => [id, i] as const)));
    for (const [i, own] of before.entries()) {
      for (const web of own.flatMap((step) => byStep.get(step) ?? []))
        if ([...web.uses].every((use) => (itemOf.get(use) ?? -1) > i)) constants.add(web.id);
    }
  });
  return constants;
}

/**
 * Visits each block with the step ids in its items. A handler's error is defined before its block; a result bound in
 * `try` is not a constant, since it would not be visible outside.
 */
function visitBlocks(
  block: StructuredBlock,
  visit: (steps: readonly (readonly string[])[], own: readonly (readonly string[])[]) => void,
): readonly string[] {
  const inner = block.map((item) => {
    if (item.kind === "step" && item.handlers.length > 0)
      for (const handler of item.handlers) visitHandler(item.step.id, handler, visit);
    const nested = scopesOfItem(item).flatMap((part) => visitBlocks(part, visit));
    return item.kind === "step"
      ? [item.step.id, ...nested]
      : item.kind === "branch" && item.by.kind === "step"
        ? [item.by.step.id, ...nested]
        : nested;
  });
  visit(
    inner,
    block.map((item) => (item.kind === "step" && item.handlers.length === 0 ? [item.step.id] : [])),
  );
  return inner.flat();
}

/** The trailing condition of a loop is outside the scope of its body. */
function scopesOfItem(item: StructuredItem): readonly StructuredBlock[] {
  const exit = item.kind === "loop" ? trailingExit(item) : undefined;
  return item.kind === "loop" && exit ? [item.body.slice(0, -1), [exit]] : innerBlocks(item);
}

function visitHandler(step: string, handler: StructuredBlock, visit: Parameters<typeof visitBlocks>[1]): void {
  const inside = handler.flatMap((item) => visitBlocks([item], () => undefined));
  visit([[], inside], [[step], []]);
}
