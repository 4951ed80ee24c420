import { defineError } from "../text/diagnostics.ts";
import { truncate } from "../text/messages.ts";

// WB06xx: output folders. By default, the span is in the output file.

/** The note at the definition of an output file. */
export const definitionNote = "Its definition is here.";

/** The note at the entry of a configuration that names the folder of an output file. */
export const folderNote = "Its folder is named here.";

/** An output file is missing; only with `--check`. */
export const missingOutput = defineError("WB0601", (_: object) => ({
  message: "This file is missing.",
  hint: "Run the command again without `--check`.",
}));

/** An outdated output file; only with `--check`. `lineEnds`: only line endings differ. */
export const outdatedOutput = defineError("WB0602", (a: { lineEnds: boolean }) => ({
  message: a.lineEnds ? "The line endings of this file have changed." : "This file is out of date.",
  hint: a.lineEnds
    ? "Add `<folder>/** text eol=lf` to `.gitattributes`, so that Git keeps them."
    : "Run the command again without `--check`.",
}));

/**
 * An output file is obsolete; only with `--check`. `source`: its definition, which does not exist. `isKept`: the command
 * would not remove it without `--prune`.
 */
export const staleOutput = defineError("WB0603", (a: { source: string | undefined; isKept: boolean }) => ({
  message:
    a.source === undefined
      ? "This file is no longer generated."
      : `This file is no longer generated: its definition \`${truncate(a.source)}\` does not exist.`,
  hint: `Run the command again without \`--check\`${a.isKept ? " and with `--prune`" : ""}.`,
}));

/** An edited output file, whose edit would be lost. */
export const editedOutput = defineError("WB0604", (a: { isStale: boolean }) => ({
  message: `This file was changed after Waybill wrote it and would be ${a.isStale ? "removed" : "overwritten"}.`,
  hint: `Change the definition instead, or pass \`--force\` to ${a.isStale ? "remove" : "overwrite"} the file.`,
}));

/** A foreign file, folder or link blocks an output path. */
export const occupiedOutput = defineError("WB0605", (a: { what: "file" | "folder" | "link" | "other" }) => ({
  message: obstacles[a.what],
  hint: "Remove it, or choose another output folder.",
}));

const obstacles = {
  file: "This file was not written by Waybill.",
  folder: "This is a folder, but Waybill must write a file here.",
  link: "This path is or contains a link; Waybill does not write through links.",
  other: "This is not a regular file, but Waybill must write a file here.",
} as const;

/** An output path of another definition (`source`) or target (`target`). */
export const takenOutput = defineError(
  "WB0606",
  (a: { path: string; source: string | undefined; target: string | undefined; workflow: string }) => {
    const what = `\`${truncate(a.path)}\` is already generated ${a.target === undefined ? "" : `for target ${a.target} `}from ${a.source === undefined ? "another definition" : `\`${truncate(a.source)}\``}; workflow \`${truncate(a.workflow)}\` would overwrite it.`;
    return {
      message: what,
      hint:
        a.target === undefined
          ? "Compile both together, change one of the ids, or choose another folder. `--prune` removes files of other definitions."
          : "Choose another output folder.",
    };
  },
);

/** Workflows of an existing program would be dropped. */
export const incompleteProgram = defineError(
  "WB0607",
  (a: { workflows: readonly { readonly id: string; readonly source: string | undefined }[] }) => ({
    message: `The program in this folder has ${a.workflows.length === 1 ? "a workflow that is" : "workflows that are"} not among the sources: ${listed(a.workflows.map(({ id, source }) => (source === undefined ? `\`${truncate(id)}\`` : `\`${truncate(id)}\` (\`${truncate(source)}\`)`)))}.`,
    hint: "Pass all definitions of the program, or remove these workflows with `--prune`.",
  }),
);

/** A workflow and its subflow, compiled separately into one folder. `isStarter`: the older one starts the other. */
export const separateWorkflow = defineError(
  "WB0608",
  (a: { name: string; source: string | undefined; isStarter: boolean }) => ({
    message: `Workflow \`${truncate(a.name)}\`${a.source === undefined ? "" : ` (\`${truncate(a.source)}\`)`}, compiled into this folder earlier, ${a.isStarter ? "starts this workflow" : "is started here"} but is not among the sources.`,
    hint: "Compile both together: the output of a workflow depends on its subflows.",
  }),
);

/** Two outputs of projects in one folder. `target`: that of the other output. */
export const sharedOutputFolder = defineError("WB0609", (a: { folder: string; target: string }) => ({
  message: `\`${truncate(a.folder)}\` is already the folder of an output for target ${a.target}.`,
  hint: "Choose a folder of its own for each output: `build` removes files that it wrote for other definitions.",
}));

const listed = (names: readonly string[]): string =>
  names.length > 5 ? `${names.slice(0, 4).join(", ")} and ${names.length - 4} more` : names.join(", ");
