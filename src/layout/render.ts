import { assertNever } from "../json.ts";
import { type Document, type Group, isConcatenation, textWidth, widthOf, willBreak } from "./document.ts";

/** The columns of a level of indentation. */
const indentWidth = 2;

/** Deeper levels are not indented further, which keeps the text linear in the size of the document. */
const maxIndentation = 32;

/** Whether the lines of a document are broken. */
type Mode = "flat" | "broken";

/** A document that remains to be printed. */
interface Rest {
  readonly document: Document;
  readonly mode: Mode;
  readonly indentation: number;
}

/** The state of a rendering. */
interface Rendering {
  readonly width: number;
  readonly pieces: string[];
  /** The next document is last. */
  readonly rests: Rest[];
  readonly brokenGroups: Set<Group>;
  column: number;
  /** Whether a flat document has broken a line, so that its inner groups are measured. */
  mustMeasure: boolean;
}

/**
 * Prints a document so that lines fit the width where possible. Lookahead ends at the next possible line break, so the
 * time is linear in the size of the document times the width.
 */
export function render(document: Document, width: number): string {
  const rests: Rest[] = [{ document, mode: "broken", indentation: 0 }];
  const state: Rendering = { width, pieces: [], rests, brokenGroups: new Set(), column: 0, mustMeasure: false };
  for (let rest = rests.pop(); rest; rest = rests.pop()) print(rest, state);
  return state.pieces.join("");
}

function print({ document, mode, indentation }: Rest, state: Rendering): void {
  const { rests, brokenGroups } = state;
  if (typeof document === "string") write(document, state);
  else if (isConcatenation(document))
    for (let i = document.length - 1; i >= 0; i -= 1) rests.push({ document: document[i]!, mode, indentation });
  else
    switch (document.kind) {
      case "line":
        if (mode === "broken" || willBreak(document)) breakLine(mode, indentation, state);
        else write(document.flat, state);
        break;
      case "indent":
        rests.push({ document: document.contents, mode, indentation: deeper(indentation) });
        break;
      case "group": {
        const isFlat = !willBreak(document) && (isMeasured(mode, state) || fits(document, state));
        if (isFlat) writeFlat(document, state);
        else {
          brokenGroups.add(document);
          rests.push({ document: document.contents, mode: "broken", indentation });
        }
        break;
      }
      case "choice": {
        const fitting = isMeasured(mode, state)
          ? document.states[0]
          : document.states.find((each) => fits(each, state));
        if (fitting !== undefined) rests.push({ document: fitting, mode: "flat", indentation });
        else rests.push({ document: document.states.at(-1)!, mode: "broken", indentation });
        break;
      }
      case "ifBroken":
        rests.push({ document: mode === "broken" ? document.broken : document.flat, mode, indentation });
        break;
      case "indentIfBroken": {
        const isDeeper = brokenGroups.has(document.group);
        rests.push({ document: document.contents, mode, indentation: isDeeper ? deeper(indentation) : indentation });
        break;
      }
      case "oneLine":
        writeFlat(document, state);
        break;
      default:
        assertNever(document);
    }
}

const deeper = (indentation: number): number => Math.min(indentation + indentWidth, maxIndentation);

/** Whether a document is part of one that fits its line. */
function isMeasured(mode: Mode, state: Rendering): boolean {
  const isInLine = mode === "flat" && !state.mustMeasure;
  state.mustMeasure = false;
  return isInLine;
}

function write(text: string, state: Rendering): void {
  state.pieces.push(text);
  state.column += textWidth(text);
}

function breakLine(mode: Mode, indentation: number, state: Rendering): void {
  const { pieces } = state;
  if (pieces.at(-1)?.endsWith(" ")) pieces.push(pieces.pop()!.trimEnd());
  pieces.push(`\n${" ".repeat(indentation)}`);
  state.column = indentation;
  state.mustMeasure ||= mode === "flat";
}

function writeFlat(document: Document, state: Rendering): void {
  addFlat(document, state.pieces);
  state.column += widthOf(document);
}

function addFlat(document: Document, pieces: string[]): void {
  if (typeof document === "string") pieces.push(document);
  else if (isConcatenation(document)) for (let i = 0; i < document.length; i += 1) addFlat(document[i]!, pieces);
  else addFlat(flatContents(document), pieces);
}

/** What a document prints on one line. */
function flatContents(document: Exclude<Document, string | readonly Document[]>): Document {
  switch (document.kind) {
    case "line":
    case "ifBroken":
      return document.flat;
    case "choice":
      return document.states[0]!;
    default:
      return document.contents;
  }
}

/** Whether a document, and the rest up to the next possible line break, fit the line. */
function fits(document: Document, { width, column, rests }: Rendering): boolean {
  const measure: Measure = { columns: width - column };
  let end = endsLine(document, "flat", measure);
  for (let i = rests.length - 1; !end && i >= 0; i -= 1) end = endsLine(rests[i]!.document, rests[i]!.mode, measure);
  return measure.columns >= 0;
}

/** The columns that remain, which are negative if the text does not fit. */
interface Measure {
  columns: number;
}

/** Subtracts what a document prints on the line; returns whether the line ends, or is too long. */
function endsLine(document: Document, mode: Mode, measure: Measure): boolean {
  if (typeof document === "string") {
    measure.columns -= textWidth(document);
    return measure.columns < 0;
  }
  if (isConcatenation(document)) {
    for (const part of document) if (endsLine(part, mode, measure)) return true;
    return false;
  }
  if (mode === "flat" && !willBreak(document)) {
    measure.columns -= document.width;
    return measure.columns < 0;
  }
  switch (document.kind) {
    case "line":
      return true;
    case "group":
      return endsLine(document.contents, willBreak(document) ? "broken" : mode, measure);
    case "choice":
      return endsLine(mode === "broken" ? document.states.at(-1)! : document.states[0]!, mode, measure);
    case "ifBroken":
      return endsLine(mode === "broken" ? document.broken : document.flat, mode, measure);
    case "indent":
    case "indentIfBroken":
      return endsLine(document.contents, mode, measure);
    case "oneLine":
      return endsLine(document.contents, "flat", measure);
    default:
      return assertNever(document);
  }
}
