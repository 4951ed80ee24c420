import type { Step } from "../ir/workflow.ts";

/** Structured control flow: what is done one after the other. */
export type StructuredBlock = readonly StructuredItem[];

/** One thing that is done, as a language with loops and labels says it. */
export type StructuredItem = StepItem | BranchItem | LoopItem | LabeledItem | JumpItem | SelectItem;

/** A step; what comes after it stands after it. Its handlers' blocks do not go on to that. */
export interface StepItem {
  readonly kind: "step";
  readonly step: Step;
  /** The body of an attempt; no jump leaves it. */
  readonly body?: StructuredBlock | undefined;
  /** What is done for an error that the handler of the same index takes. */
  readonly handlers: readonly StructuredBlock[];
}

/** A choice: by the cases of a step, or by where an `Aim` has pointed. */
export interface BranchItem {
  readonly kind: "branch";
  readonly by:
    | { readonly kind: "step"; readonly step: Extract<Step, { kind: "choose" }> }
    | { readonly kind: "select"; readonly targets: readonly string[] };
  readonly arms: readonly StructuredBlock[];
  /** Absent where a choice without a way fails. */
  readonly otherwise: StructuredBlock | undefined;
}

/** Does its body again and again, until a jump leaves it. */
export interface LoopItem {
  readonly kind: "loop";
  /** The node that begins it. */
  readonly label: string;
  readonly body: StructuredBlock;
}

/** A block that a jump can leave for what comes after it. */
export interface LabeledItem {
  readonly kind: "labeled";
  /** The node that comes after it. */
  readonly label: string;
  readonly body: StructuredBlock;
}

/** Leaves the loop or labelled block of that label, or begins the loop again. */
export interface JumpItem {
  readonly kind: "break" | "continue";
  readonly label: string;
}

/** Notes where the next branch by aim goes. */
export interface SelectItem {
  readonly kind: "select";
  readonly target: string;
}

/** The same control flow with fewer jumps: those to where control goes anyway are left out, and so are labels that no jump names any more. */
export const removeRedundantJumps = (block: StructuredBlock): StructuredBlock => simplifyBlock(block, []);

/** Whether control can go on behind a block. */
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

/** Whether a block has a jump of a kind to a label. */
export function jumpsTo(block: StructuredBlock, kind: JumpItem["kind"], label: string): boolean {
  return block.some((item) =>
    isJump(item)
      ? item.kind === kind && item.label === label
      : innerBlocks(item).some((part) => jumpsTo(part, kind, label)),
  );
}

/** `ends`: the jumps that lead to where control goes at the end of the block. */
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

/** A labelled block: what is in it where nothing jumps out of it; a loop alone takes the jumps itself. */
function labelBlock(label: string, body: StructuredBlock): StructuredBlock {
  if (!jumpsTo(body, "break", label)) return body;
  const [only, ...rest] = body;
  if (only?.kind !== "loop" || rest.length > 0) return [{ kind: "labeled", label, body }];
  return [{ ...only, body: renameLabel(only.body, label, only.label) }];
}

/** A block whose jumps out of one label leave another instead. */
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

/** The blocks in an item. */
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
