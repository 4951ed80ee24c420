import { type Document, type ReadResult, readDocuments } from "../../../documents/index.ts";
import { isObject, type Json, own } from "../../../json.ts";
import {
  certainScore,
  type Detection,
  type EmbeddedDefinition,
  type EmbeddingContext,
  noMatch,
} from "../../../language.ts";
import type { Diagnostic } from "../../../text/diagnostics.ts";
import type { Source } from "../../../text/source.ts";
import { shortForms } from "./intrinsics.ts";
import { member } from "./machines.ts";
import { resolvePlaceholders } from "./resolve.ts";
import { machinesOfServerless, readServerless } from "./serverless.ts";
import { machinesOfTemplate, readTemplate } from "./template.ts";
import { machineResource, readTerraform, readTerraformFile } from "./terraform/machines.ts";

/** Matches every file that may embed machines. */
export const embeds = /AWS::(?:Serverless|StepFunctions)::StateMachine|\bstateMachines\b|"aws_sfn_state_machine"/;

/** Detects machines by `StartAt` and a state with one of the types, and files that embed machines. */
export function detect(value: Json): Detection {
  if (!isObject(value)) return noMatch;
  const states = own(value, "States") ?? null;
  if (typeof own(value, "StartAt") === "string" && isObject(states)) {
    const hasState = Object.values(states).some((state) => types.has(member(state, "Type")));
    return { score: hasState ? 3 * certainScore : certainScore, evidence: [{ owner: value, key: "StartAt" }] };
  }
  const key = formOf(value)?.key;
  return key === undefined ? noMatch : { score: 3 * certainScore, evidence: [{ owner: value, key }] };
}

const types: ReadonlySet<unknown> = new Set("Pass Task Choice Wait Succeed Fail Parallel Map".split(" "));

/** A form of files that embed machines, by a key that they have. */
interface EmbeddingForm {
  readonly key: string;
  isIn(value: Json): boolean;
  read(document: Document, context: EmbeddingContext): readonly EmbeddedDefinition[];
}

const forms: readonly EmbeddingForm[] = [
  { key: "Resources", isIn: (value) => machinesOfTemplate(value).length > 0, read: readTemplate },
  { key: "stepFunctions", isIn: (value) => machinesOfServerless(value).length > 0, read: readServerless },
  {
    key: "resource",
    isIn: (value) => isObject(member(member(value, "resource"), machineResource) ?? null),
    read: readTerraform,
  },
];

const formOf = (value: Json): EmbeddingForm | undefined => forms.find(({ isIn }) => isIn(value));

/** The machines that a file embeds; a machine itself with the values of its placeholders. */
export function embedded(document: Document, context: EmbeddingContext): readonly EmbeddedDefinition[] | undefined {
  const form = formOf(document.value);
  if (form && typeof member(document.value, "StartAt") !== "string") return form.read(document, context);
  const isTagged = hasShortForms(document.source);
  if (context.placeholders.size === 0 && !isTagged) return undefined;
  const placeholders = { values: context.placeholders, mappings: isTagged ? null : undefined };
  const read: EmbeddedDefinition["read"] = (report) => resolvePlaceholders(document, placeholders, report);
  return [{ id: undefined, span: document.span, read }];
}

/** Reads Terraform files, and YAML with the short forms of intrinsic functions. */
export function read(source: Source, plain: ReadResult, isSelected: boolean): ReadResult | undefined {
  if (/\.tf$/i.test(source.path)) {
    if (!source.text.includes(machineResource)) return undefined;
    const found = readTerraformFile(source);
    return found.documents.length > 0 ? found : undefined;
  }
  if (!hasShortForms(source)) return undefined;
  const isMachine = ({ value }: Document): boolean => isSelected || detect(value).score > 0;
  if (!plain.documents.some(isMachine)) return undefined;
  const diagnostics: Diagnostic[] = [];
  const options = { recovers: true, tags: shortForms };
  return { documents: readDocuments(source, (found) => diagnostics.push(found), options), diagnostics };
}

const hasShortForms = ({ path, text }: Source): boolean =>
  !/\.(?:json|asl)$/i.test(path) && /(?:^|[\s[{,])![A-Z][A-Za-z\d]+\s/m.test(text);
