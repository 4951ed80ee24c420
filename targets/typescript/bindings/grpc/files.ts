import { clip } from "../../../../src/text/clip.ts";
import type { Source, Span } from "../../../../src/text/source.ts";
import { unusableDocument } from "../../diagnostics/kinds.ts";
import { beside, type Documents, documentNamed } from "../documents.ts";
import { ProtoFault, parseProto } from "./parse.ts";
import type { ProtoFile } from "./proto.ts";

/** A .proto file with all that it imports, by the names that the imports have: the first is the file itself. */
export interface ProtoFiles {
  readonly name: string;
  readonly files: ReadonlyMap<string, { readonly source: Source; readonly proto: ProtoFile }>;
}

/** Reads a .proto file and what it imports, which is looked for from the folder of the file on. Undefined where that cannot be used, which is reported. */
export function protoFiles(file: string, span: Span, documents: Documents): ProtoFiles | undefined {
  const name = file.slice(file.replaceAll("\\", "/").lastIndexOf("/") + 1);
  const files = new Map<string, { readonly source: Source; readonly proto: ProtoFile }>();
  const waiting = [name];
  for (let imported = waiting.pop(); imported !== undefined; imported = waiting.pop()) {
    if (files.has(imported) || imported.startsWith("google/protobuf/")) continue;
    if (!isInside(imported, span, documents)) return undefined;
    const source = documentNamed(imported === name ? file : beside(file, imported), span, documents);
    const proto = source && parsed(source, documents);
    if (!proto) return undefined;
    files.set(imported, { source, proto });
    waiting.push(...proto.imports);
  }
  return { name, files };
}

function parsed(source: Source, { report }: Documents): ProtoFile | undefined {
  try {
    return parseProto(source.text);
  } catch (fault) {
    if (!(fault instanceof ProtoFault)) throw fault;
    const end = Math.min(source.text.length, fault.start + 1);
    report(unusableDocument({ source, start: fault.start, end }, { detail: fault.message }));
    return undefined;
  }
}

/** The files are copied beside the program: their names have to be ones for every file system, and none may lead out of the folder. */
function isInside(imported: string, span: Span, { report }: Documents): boolean {
  if (/^(?!.*(?:^|\/)\.)[\w.-]+(?:\/[\w.-]+)*$/.test(imported)) return true;
  report(
    unusableDocument(span, {
      detail: `\`${clip(imported)}\` has to be a name of letters, digits, \`_\`, \`-\` and \`.\`, in the folder of the file that is bound.`,
    }),
  );
  return false;
}
