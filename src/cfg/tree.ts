import type { Step } from "../ir/workflow.ts";

/** Structured control flow: what is done one after the other. */
export type Block = readonly Item[];

/** One thing that is done, as a language with loops and labels says it. */
export type Item = Act | Branch | Loop | Labelled | Jump | Aim;

/** A step; what comes after it stands after it. Its handlers' blocks do not go on to that. */
export interface Act {
  readonly kind: "act";
  readonly step: Step;
  /** The body of an attempt; no jump leaves it. */
  readonly body?: Block | undefined;
  /** What is done for an error that the handler of the same index takes. */
  readonly handlers: readonly Block[];
}

/** A choice: by the cases of a step, or by where an `Aim` has pointed. */
export interface Branch {
  readonly kind: "branch";
  readonly by:
    | { readonly kind: "step"; readonly step: Extract<Step, { kind: "choose" }> }
    | { readonly kind: "aim"; readonly targets: readonly string[] };
  readonly ways: readonly Block[];
  /** Absent where a choice without a way fails. */
  readonly otherwise: Block | undefined;
}

/** Does its body again and again, until a jump leaves it. */
export interface Loop {
  readonly kind: "loop";
  /** The node that begins it. */
  readonly label: string;
  readonly body: Block;
}

/** A block that a jump can leave for what comes after it. */
export interface Labelled {
  readonly kind: "labelled";
  /** The node that comes after it. */
  readonly label: string;
  readonly body: Block;
}

/** Leaves the loop or labelled block of that label, or begins the loop again. */
export interface Jump {
  readonly kind: "leave" | "again";
  readonly label: string;
}

/** Notes where the next branch by aim goes. */
export interface Aim {
  readonly kind: "aim";
  readonly target: string;
}

/** The same control flow with fewer jumps: those to where control goes anyway are left out, and so are labels that no jump names any more. */
export const tidy = (block: Block): Block => tidied(block, []);

/** Whether control can go on behind a block. */
export function completes(block: Block): boolean {
  const last = block.at(-1);
  if (!last) return true;
  switch (last.kind) {
    case "act":
      return last.step.kind !== "end";
    case "branch":
      return [...last.ways, ...(last.otherwise ? [last.otherwise] : [])].some(completes);
    case "labelled":
      return completes(last.body) || jumpsTo(last.body, "leave", last.label);
    case "loop":
      return jumpsTo(last.body, "leave", last.label);
    case "aim":
      return true;
    default:
      return false;
  }
}

/** Whether a block has a jump of a kind to a label. */
export function jumpsTo(block: Block, kind: Jump["kind"], label: string): boolean {
  return block.some((item) =>
    isJump(item)
      ? item.kind === kind && item.label === label
      : innerBlocks(item).some((part) => jumpsTo(part, kind, label)),
  );
}

/** `ends`: the jumps that lead to where control goes at the end of the block. */
function tidied(block: Block, ends: readonly Jump[]): Block {
  const items = block.flatMap((item, i) => tidiedItem(item, i === block.length - 1 ? ends : []));
  const last = items.at(-1);
  const isFree = last && isJump(last) && ends.some(({ kind, label }) => last.kind === kind && last.label === label);
  return isFree ? items.slice(0, -1) : items;
}

function tidiedItem(item: Item, ends: readonly Jump[]): Block {
  switch (item.kind) {
    case "act":
      return [{ ...item, handlers: item.handlers.map((handler) => tidied(handler, ends)) }];
    case "branch":
      return [
        {
          ...item,
          ways: item.ways.map((way) => tidied(way, ends)),
          otherwise: item.otherwise && tidied(item.otherwise, ends),
        },
      ];
    case "loop":
      return [{ ...item, body: tidied(item.body, [{ kind: "again", label: item.label }]) }];
    case "labelled":
      return labelled(item.label, tidied(item.body, [...ends, { kind: "leave", label: item.label }]));
    default:
      return [item];
  }
}

/** A labelled block: what is in it where nothing jumps out of it; a loop alone takes the jumps itself. */
function labelled(label: string, body: Block): Block {
  if (!jumpsTo(body, "leave", label)) return body;
  const [only, ...rest] = body;
  if (only?.kind !== "loop" || rest.length > 0) return [{ kind: "labelled", label, body }];
  return [{ ...only, body: renamed(only.body, label, only.label) }];
}

/** A block whose jumps out of one label leave another instead. */
function renamed(block: Block, from: string, to: string): Block {
  return block.map((item): Item => {
    if (isJump(item)) return item.kind === "leave" && item.label === from ? { kind: "leave", label: to } : item;
    switch (item.kind) {
      case "act":
        return { ...item, handlers: item.handlers.map((part) => renamed(part, from, to)) };
      case "branch":
        return {
          ...item,
          ways: item.ways.map((part) => renamed(part, from, to)),
          otherwise: item.otherwise && renamed(item.otherwise, from, to),
        };
      case "loop":
      case "labelled":
        return { ...item, body: renamed(item.body, from, to) };
      default:
        return item;
    }
  });
}

/** The blocks in an item. */
export function innerBlocks(item: Item): readonly Block[] {
  switch (item.kind) {
    case "act":
      return item.body ? [item.body, ...item.handlers] : item.handlers;
    case "branch":
      return [...item.ways, ...(item.otherwise ? [item.otherwise] : [])];
    case "loop":
    case "labelled":
      return [item.body];
    default:
      return [];
  }
}

const isJump = (item: Item): item is Jump => item.kind === "leave" || item.kind === "again";
