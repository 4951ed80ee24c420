import type { Detail, GraphNode, GraphPart } from "./model.ts";
import { printable, shortenText, textWidth, wrapText } from "./text.ts";

/** Sizes of a picture, in pixels. */
export const sizes = {
  /** The font sizes of names, and of details and labels. */
  name: 13,
  small: 11,
  /** The heights of their lines. */
  nameLine: 17,
  line: 15,
  pad: 12,
  gap: 12,
  /** The height between rows of nodes. */
  rows: 50,
  /** The height of the title of a part. */
  title: 26,
  /** The maximum widths of the text in nodes and of labels. */
  maxText: 230,
  maxLabel: 210,
  /** The width of the mark before a detail. */
  mark: 16,
} as const;

/** The text of a node, and the size of the node without its parts. */
export interface NodeText {
  readonly noun: string | undefined;
  readonly name: readonly string[];
  readonly details: readonly DetailLine[];
  readonly width: number;
  readonly height: number;
}

/** A line about what a node does. */
export interface DetailLine {
  readonly kind: Detail["kind"];
  readonly text: string;
}

const maxDetails = 8;

/** Breaks the text of a node into lines. */
export function nodeText(node: GraphNode): NodeText {
  const { kind, noun, label, details } = node;
  const name = wrapText(printable(label), sizes.maxText, sizes.name, 3, true);
  if (isTerminal(node)) {
    const width = Math.max(...name.map((line) => textWidth(line, sizes.name, true))) + 32;
    return { noun: undefined, name, details: [], width, height: name.length * sizes.nameLine + 13 };
  }
  const shownNoun = noun === undefined ? undefined : shortenText(printable(noun), sizes.maxText, sizes.small);
  const lines = detailLines(details);
  const widths = [
    ...name.map((line) => textWidth(line, sizes.name, true)),
    ...(shownNoun === undefined ? [] : [textWidth(shownNoun, sizes.small)]),
    ...lines.map(({ text, kind: mark }) => textWidth(text, sizes.small) + (hasMark(mark) ? sizes.mark : 0)),
  ];
  const sides = 2 * sizes.pad + (kind === "choice" ? 20 : 8);
  const height =
    (shownNoun === undefined ? 0 : sizes.line) +
    name.length * sizes.nameLine +
    (lines.length === 0 ? 0 : lines.length * sizes.line + 5);
  return { noun: shownNoun, name, details: lines, width: Math.max(64, ...widths) + sides, height: height + 18 };
}

/** Whether a node is drawn as a pill: a start or an end without further text. */
export const isTerminal = ({ kind, noun, details }: GraphNode): boolean =>
  (kind === "start" || kind === "end" || kind === "fail") && noun === undefined && details.length === 0;

/** Notes have no mark. */
export const hasMark = (kind: Detail["kind"]): boolean => kind !== "note";

function detailLines(details: readonly Detail[]): readonly DetailLine[] {
  const kept = details.length > maxDetails ? details.slice(0, maxDetails - 1) : details;
  const left = details.length - kept.length;
  return [
    ...kept.map(
      ({ kind, text }): DetailLine => ({ kind, text: shortenText(printable(text), sizes.maxText, sizes.small) }),
    ),
    ...(left === 0 ? [] : [{ kind: "note" as const, text: `and ${left} more` }]),
  ];
}

/** The title of a part. */
export const partTitle = ({ label }: GraphPart): string => printable(label);
