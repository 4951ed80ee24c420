import { type CodeAction, CodeActionKind, type Range, type TextEdit } from "vscode-languageserver";
import { applySafeFixes } from "../documents/fixes.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import { convertDiagnostic, type PageAddress } from "./diagnostics.ts";
import { offsetAt, rangeOf } from "./positions.ts";

/** The kind of the action that applies all fixes of a file. */
export const fixAllKind = `${CodeActionKind.SourceFixAll}.waybill`;

/** A request for actions, with the diagnostics of the source's current text. */
export interface ActionRequest {
  readonly uri: string;
  readonly source: Source;
  readonly diagnostics: readonly Diagnostic[];
  readonly range: Range;
  /** The kinds that the editor requests; if omitted, all. */
  readonly only?: readonly string[] | undefined;
  readonly uriOf: (source: Source) => string;
  readonly pageOf: PageAddress;
}

/** The fixes of the diagnostics that touch a range, and one action for those of the whole file. */
export function actionsFor(request: ActionRequest): readonly CodeAction[] {
  const { source, range, diagnostics } = request;
  const [start, end] = [offsetAt(source, range.start), offsetAt(source, range.end)];
  const own = diagnostics.filter((each) => each.span.source === source && each.fix);
  const touched = own.filter(({ span }) => span.start <= end && start <= span.end);
  const quick = isWanted(CodeActionKind.QuickFix, request) ? touched.flatMap((each) => quickFix(each, request)) : [];
  const certain = own.filter(({ isGuess }) => !isGuess);
  return isWanted(fixAllKind, request) ? [...quick, ...fixAll(certain, request)] : quick;
}

/** Whether the editor requests actions of a kind. */
export const isWanted = (kind: string, { only }: Pick<ActionRequest, "only">): boolean =>
  only === undefined || only.some((each) => kind === each || kind.startsWith(`${each}.`));

function quickFix(diagnostic: Diagnostic, { uri, source, uriOf, pageOf }: ActionRequest): readonly CodeAction[] {
  const { applied } = applySafeFixes(source, [diagnostic]);
  if (applied.length === 0) return [];
  return [
    {
      title: titleOf(diagnostic),
      kind: CodeActionKind.QuickFix,
      diagnostics: [convertDiagnostic(diagnostic, uriOf, pageOf)],
      isPreferred: diagnostic.isGuess !== true,
      edit: { changes: { [uri]: editsOf(applied) } },
    },
  ];
}

function fixAll(own: readonly Diagnostic[], { uri, source }: ActionRequest): readonly CodeAction[] {
  const { applied } = applySafeFixes(source, own);
  if (applied.length === 0) return [];
  return [
    {
      title: "Apply all fixes of Waybill in this file",
      kind: fixAllKind,
      edit: { changes: { [uri]: editsOf(applied) } },
    },
  ];
}

const editsOf = (applied: readonly Diagnostic[]): TextEdit[] =>
  applied.flatMap(({ fix = [] }) => fix.map(({ span, text }) => ({ range: rangeOf(span), newText: text })));

function titleOf({ fix = [], message }: Diagnostic): string {
  const [edit, ...others] = fix;
  const text = edit?.text.trim() ?? "";
  if (!edit || others.length > 0 || text === "" || text.includes("\n") || text.length > 60) return `Fix: ${message}`;
  const written = edit.span.source.text.slice(edit.span.start, edit.span.end);
  return written === "" ? `Insert \`${text}\`` : `Replace with \`${text}\``;
}
