import type { Read } from "../../../src/program.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import type { Source, Span } from "../../../src/text/source.ts";
import { missingDocument } from "../diagnostics/kinds.ts";

/** The files that bindings name, read once they are asked for. */
export interface Documents {
  readonly read: Read | undefined;
  readonly report: Report;
}

/** A file that a binding names; undefined where it cannot be read, which is reported at `span`. */
export function documentNamed(path: string, span: Span, { read, report }: Documents): Source | undefined {
  const found = read?.(path);
  if (found && "text" in found) return found;
  report(missingDocument(span, { path, reason: found?.reason ?? "it was not given" }));
  return undefined;
}

/** The path of the file that a binding names: a relative one starts from the folder of its configuration. */
export const pathOf = ({ configuration, file }: { readonly configuration: Source; readonly file: string }): string =>
  beside(configuration.path, file);

/** The path of a file that another file names, in the form of that one's own path. */
export function beside(from: string, file: string): string {
  const path = file.replaceAll("\\", "/");
  if (path.startsWith("/")) return path;
  const steps: string[] = [];
  const folder = from.replaceAll("\\", "/").replace(/[^/]*$/, "");
  for (const step of (folder + path).split("/").slice(folder.startsWith("/") ? 1 : 0)) {
    if (step === "" || step === ".") continue;
    if (step === ".." && steps.length > 0 && steps.at(-1) !== "..") steps.pop();
    else steps.push(step);
  }
  return (folder.startsWith("/") ? "/" : "") + steps.join("/");
}
