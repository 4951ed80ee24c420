import type { Problem, TextFile } from "../protocol.ts";
import { createEditor, type Editor, type EditorOptions } from "./editor.ts";
import { createProblemList, type ProblemList } from "./problems.ts";

/** One of the two files that the reader edits, with its problems. */
export interface EditedFile {
  readonly editor: Editor;
  readonly problems: ProblemList;
  file(): TextFile;
  load(file: TextFile): void;
  showProblems(problems: readonly Problem[]): void;
}

/** How to create an edited file. */
export interface EditedFileOptions extends EditorOptions {
  /** Its path until another one is loaded. */
  readonly path: string;
  /** The label of its problems. */
  readonly problems: string;
  /** Whether nothing is shown without problems. */
  readonly isQuiet?: boolean;
  explain(code: string): void;
}

/** Creates an empty file. */
export function createEditedFile({
  path,
  problems: label,
  isQuiet,
  explain,
  ...options
}: EditedFileOptions): EditedFile {
  const editor = createEditor(options);
  const actions = {
    select: ({ start }: Problem) => editor.select(start),
    fix: (problem: Problem) => editor.apply(problem),
    explain,
  };
  const problems = createProblemList(label, actions, isQuiet);
  let currentPath = path;
  return {
    editor,
    problems,
    file: () => ({ path: currentPath, text: editor.text() }),
    load(file) {
      currentPath = file.path;
      editor.load(file.path, file.text);
    },
    showProblems(found) {
      editor.setProblems(found);
      problems.show(found);
    },
  };
}
