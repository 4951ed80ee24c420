import type { Step } from "../ir/workflow.ts";

/** A sequence of structured control flow. */
export type StructuredBlock = readonly StructuredItem[];

/** An element of structured control flow. */
export type StructuredItem = StepItem | BranchItem | LoopItem | LabeledItem | JumpItem | SelectItem;

/** A step. Handler blocks do not fall through. */
export interface StepItem {
  readonly kind: "step";
  readonly step: Step;
  /** No jump leaves the body of an attempt. */
  readonly body?: StructuredBlock | undefined;
  readonly handlers: readonly StructuredBlock[];
}

/** A branch by a step's cases or the last selected target. */
export interface BranchItem {
  readonly kind: "branch";
  readonly by:
    | { readonly kind: "step"; readonly step: Extract<Step, { kind: "choose" }> }
    | { readonly kind: "select"; readonly targets: readonly string[] };
  readonly arms: readonly StructuredBlock[];
  /** If undefined, a step without a matching case fails. */
  readonly otherwise: StructuredBlock | undefined;
}

/** An infinite loop that only jumps leave. */
export interface LoopItem {
  readonly kind: "loop";
  readonly label: string;
  readonly body: StructuredBlock;
}

/** A block that jumps can leave. */
export interface LabeledItem {
  readonly kind: "labeled";
  readonly label: string;
  readonly body: StructuredBlock;
}

/** Breaks out of or continues a block. */
export interface JumpItem {
  readonly kind: "break" | "continue";
  readonly label: string;
}

/** Selects the target of the next dispatch. */
export interface SelectItem {
  readonly kind: "select";
  readonly target: string;
}

/** Removes redundant jumps and unused labels. */
export const removeRedundantJumps = (block: StructuredBlock): StructuredBlock => simplifyBlock(block, []);

/** Whether control can reach the end of a block. */
export function mayFallThrough(block: StructuredBlock): boolean {
  const last = block.at(-1);
  if (!last) return true;
  switch (last.kind) {
    case "step":
      return last.step.kind !== "end";
    case "branch":
      return [...last.arms, ...(last.otherwise ? [last.otherwise] : [])].some(mayFallThrough);
    case "labeled":
      return mayFallThrough(last.body) || jumpsTo(last.body, "break", last.label);
    case "loop":
      return jumpsTo(last.body, "break", last.label);
    case "select":
      return true;
    default:
      return false;
  }
}

/** Whether a block jumps to a label. */
export function jumpsTo(block: StructuredBlock, kind: JumpItem["kind"], label: string): boolean {
  return block.some((item) =>
    isJump(item)
      ? item.kind === kind && item.label === label
      : innerBlocks(item).some((part) => jumpsTo(part, kind, label)),
  );
}

/** `ends`: jumps that equal reaching the end. */
function simplifyBlock(block: StructuredBlock, ends: readonly JumpItem[]): StructuredBlock {
  const items = block.flatMap((item, i) => simplifyItem(item, i === block.length - 1 ? ends : []));
  const last = items.at(-1);
  const isFree = last && isJump(last) && ends.some(({ kind, label }) => last.kind === kind && last.label === label);
  return isFree ? items.slice(0, -1) : items;
}

function simplifyItem(item: StructuredItem, ends: readonly JumpItem[]): StructuredBlock {
  switch (item.kind) {
    case "step":
      return [{ ...item, handlers: item.handlers.map((handler) => simplifyBlock(handler, ends)) }];
    case "branch":
      return [
        {
          ...item,
          arms: item.arms.map((way) => simplifyBlock(way, ends)),
          otherwise: item.otherwise && simplifyBlock(item.otherwise, ends),
        },
      ];
    case "loop":
      return [{ ...item, body: simplifyBlock(item.body, [{ kind: "continue", label: item.label }]) }];
    case "labeled":
      return labelBlock(item.label, simplifyBlock(item.body, [...ends, { kind: "break", label: item.label }]));
    default:
      return [item];
  }
}

function labelBlock(label: string, body: StructuredBlock): StructuredBlock {
  if (!jumpsTo(body, "break", label)) return body;
  const [only, ...rest] = body;
  if (only?.kind !== "loop" || rest.length > 0) return [{ kind: "labeled", label, body }];
  return [{ ...only, body: renameLabel(only.body, label, only.label) }];
}

function renameLabel(block: StructuredBlock, from: string, to: string): StructuredBlock {
  return block.map((item): StructuredItem => {
    if (isJump(item)) return item.kind === "break" && item.label === from ? { kind: "break", label: to } : item;
    switch (item.kind) {
      case "step":
        return { ...item, handlers: item.handlers.map((part) => renameLabel(part, from, to)) };
      case "branch":
        return {
          ...item,
          arms: item.arms.map((part) => renameLabel(part, from, to)),
          otherwise: item.otherwise && renameLabel(item.otherwise, from, to),
        };
      case "loop":
      case "labeled":
        return { ...item, body: renameLabel(item.body, from, to) };
      default:
        return item;
    }
  });
}

/** The blocks nested in an item. */
export function innerBlocks(item: StructuredItem): readonly StructuredBlock[] {
  switch (item.kind) {
    case "step":
      return item.body ? [item.body, ...item.handlers] : item.handlers;
    case "branch":
      return [...item.arms, ...(item.otherwise ? [item.otherwise] : [])];
    case "loop":
    case "labeled":
      return [item.body];
    default:
      return [];
  }
}

const isJump = (item: StructuredItem): item is JumpItem => item.kind === "break" || item.kind === "continue";
