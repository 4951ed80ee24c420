import {
  type StructuredBlock,
  type StructuredItem,
  innerBlocks,
  type Web,
  type WebTable,
} from "../../../src/cfg/index.ts";
import { exitOf } from "./blocks.ts";

/** The webs that are constants declared where they are defined: there alone they get a value, and what reads them comes after, in the same block. */
export function constantsOf(block: StructuredBlock, webs: WebTable): ReadonlySet<string> {
  const constants = new Set<string>();
  const candidates = webs.all.filter((web) => !web.isInitial && web.definitions.size === 1);
  const byStep = new Map<string, Web[]>();
  for (const web of candidates)
    for (const step of web.definitions) byStep.set(step, [...(byStep.get(step) ?? []), web]);
  visit(block, (steps, before) => {
    for (const [i, own] of before.entries()) {
      for (const web of own.flatMap((step) => byStep.get(step) ?? [])) {
        const after = new Set(steps.slice(i + 1).flat());
        if ([...web.uses].every((use) => after.has(use))) constants.add(web.id);
      }
    }
  });
  return constants;
}

/**
 * Shows each block: for each of its items the steps in it, and the steps that the item itself is. What a handler binds counts as before its block, and
 * what is bound in a `try` is no constant, as nothing outside could see it.
 */
function visit(
  block: StructuredBlock,
  see: (steps: readonly (readonly string[])[], own: readonly (readonly string[])[]) => void,
): readonly string[] {
  const inner = block.map((item) => {
    if (item.kind === "step" && item.handlers.length > 0)
      for (const handler of item.handlers) seeHandler(item.step.id, handler, see);
    const nested = partsOf(item).flatMap((part) => visit(part, see));
    return item.kind === "step"
      ? [item.step.id, ...nested]
      : item.kind === "branch" && item.by.kind === "step"
        ? [item.by.step.id, ...nested]
        : nested;
  });
  see(
    inner,
    block.map((item) => (item.kind === "step" && item.handlers.length === 0 ? [item.step.id] : [])),
  );
  return inner.flat();
}

/** The blocks that see nothing of each other: what decides at the end of a loop whether it goes on is outside its body. */
function partsOf(item: StructuredItem): readonly StructuredBlock[] {
  const exit = item.kind === "loop" ? exitOf(item) : undefined;
  return item.kind === "loop" && exit ? [item.body.slice(0, -1), [exit]] : innerBlocks(item);
}

function seeHandler(step: string, handler: StructuredBlock, see: Parameters<typeof visit>[1]): void {
  const inside = handler.flatMap((item) => visit([item], () => undefined));
  see([[], inside], [[step], []]);
}
