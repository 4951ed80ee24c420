import { clip } from "../text/clip.ts";
import { defineError } from "../text/diagnostics.ts";

// WB06xx: what is written to a folder. Where nothing else is said, the place is the file that is written.

/** A file that is to be there is not: only for `--check`. */
export const missingOutput = defineError("WB0601", (_: object) => ({
  message: "This file is missing.",
  hint: "Compile again, without `--check`.",
}));

/** A file is not as it would be written: only for `--check`. `lineEnds`: nothing but the ends of its lines differs. */
export const outdatedOutput = defineError("WB0602", (a: { lineEnds: boolean }) => ({
  message: a.lineEnds ? "The lines of this file do not end as they were written." : "This file is not up to date.",
  hint: a.lineEnds
    ? "Keep version control from changing it: `<folder>/** text eol=lf` in `.gitattributes`."
    : "Compile again, without `--check`.",
}));

/** A file that Waybill wrote would be removed: only for `--check`. */
export const staleOutput = defineError("WB0603", (_: object) => ({
  message: "This file is no longer made.",
  hint: "Compile again, without `--check`.",
}));

/** A file that Waybill wrote has another text now, which writing or removing it would lose. */
export const editedOutput = defineError("WB0604", (a: { isStale: boolean }) => ({
  message: `This file has been changed since Waybill wrote it, and ${a.isStale ? "would be removed" : "is to be written again"}.`,
  hint: `Change the definition, not this file; \`--force\` ${a.isStale ? "removes" : "overwrites"} it.`,
}));

/** Something that Waybill did not write stands where a file is to be written. */
export const obstructedOutput = defineError("WB0605", (a: { what: "file" | "folder" | "link" | "other" }) => ({
  message: obstacles[a.what],
  hint: "Remove it, or choose another folder.",
}));

const obstacles = {
  file: "This file was not written by Waybill.",
  folder: "This is a folder, where a file is to be written.",
  link: "This is, or is reached through, a link; Waybill does not write through links.",
  other: "This is in the way of a file to be written.",
} as const;

/** A file that is to be written is made of something else already. `source`: its definition; `target`: another target that makes it. */
export const takenOutput = defineError(
  "WB0606",
  (a: { path: string; source: string | undefined; target: string | undefined; workflow: string }) => {
    const what = `\`${clip(a.path)}\` is made ${a.target === undefined ? "" : `for target ${a.target} `}of ${a.source === undefined ? "another definition" : `\`${clip(a.source)}\``}, and would be of workflow \`${clip(a.workflow)}\` too.`;
    return {
      message: what,
      hint:
        a.target === undefined
          ? "Compile both together, give one of them another id, or choose another folder; `--prune` removes what other definitions have there."
          : "Choose another folder.",
    };
  },
);

/** A program would lose workflows that it has. */
export const incompleteProgram = defineError(
  "WB0607",
  (a: { workflows: readonly { readonly id: string; readonly source: string | undefined }[] }) => ({
    message: `The program in this folder has ${a.workflows.length === 1 ? "a workflow that is" : "workflows that are"} not among the definitions: ${listed(a.workflows.map(({ id, source }) => (source === undefined ? `\`${clip(id)}\`` : `\`${clip(id)}\` of \`${clip(source)}\``)))}.`,
    hint: "A program is made of all its definitions at once: give them too, or take these workflows out of it with `--prune`.",
  }),
);

/** A workflow starts another that was compiled into the same folder, without it. `starter`: the one of the two that was compiled before, where that is the starting one. */
export const separateWorkflow = defineError(
  "WB0608",
  (a: { name: string; source: string | undefined; isStarter: boolean }) => ({
    message: `Workflow \`${clip(a.name)}\`${a.source === undefined ? "" : ` of \`${clip(a.source)}\``}, which was compiled into this folder before, ${a.isStarter ? "starts this one" : "is started here"} and is not among the definitions.`,
    hint: "What a workflow becomes depends on those that it starts: compile both together.",
  }),
);

const listed = (names: readonly string[]): string =>
  names.length > 5 ? `${names.slice(0, 4).join(", ")} and ${names.length - 4} more` : names.join(", ");
