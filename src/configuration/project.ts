import { outsideProject, unknownOutputTarget, wrongConfigurationValue } from "../diagnostics/configuration.ts";
import { sharedOutputFolder } from "../diagnostics/output.ts";
import type { Document } from "../documents/index.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { TargetSettings } from "../target/contract.ts";
import type { Report } from "../text/diagnostics.ts";
import { truncate } from "../text/messages.ts";
import type { Span } from "../text/source.ts";
import { normalizePath } from "../text/uris.ts";
import { type ConfigurableTarget, readSettings } from "./bindings.ts";

/** The definitions of a configuration and what is built from them. A configuration with `sources` is a project. */
export interface Project {
  readonly sources: readonly ProjectGlob[];
  readonly outputs: readonly ProjectOutput[];
  readonly scenarios: readonly ProjectGlob[];
}

/** A file, a folder or a glob, relative to the configuration and inside its folder. */
export interface ProjectGlob {
  readonly pattern: string;
  readonly span: Span;
}

/** An output of a project. */
export interface ProjectOutput {
  readonly target: string;
  /** The output folder, relative to the configuration. */
  readonly out: string;
  /** The value of `out`. */
  readonly span: Span;
  /** Settings that override those under `targets`. */
  readonly settings?: TargetSettings | undefined;
}

/** The keys of a configuration that describe a project. */
export const projectKeys = ["sources", "outputs", "scenarios"] as const;

/** The project that a configuration extends. */
export interface ProjectExtension {
  readonly base: Project | undefined;
  /** Whether other configurations extend this one, so that `sources` may be theirs. */
  readonly isBase: boolean;
}

/**
 * Reads the project of a configuration, if it has one; reports and drops invalid parts. What it omits is that of its
 * base, whose globs and folders then start from the folder of this configuration.
 */
export function readProject(
  root: JsonObject,
  document: Document,
  targets: readonly ConfigurableTarget[],
  { base, isBase }: ProjectExtension,
  report: Report,
): Project | undefined {
  const has = (key: (typeof projectKeys)[number]): boolean => own(root, key) !== undefined;
  const other = projectKeys.find(has);
  if (!has("sources") && (base?.sources ?? []).length === 0 && !(isBase && (other !== undefined || base))) {
    if (other !== undefined)
      report(
        wrongConfigurationValue(document.spanOf(root, other, "key"), {
          name: `\`sources\`, which \`${other}\` requires,`,
          wanted: "an array of globs",
        }),
      );
    return undefined;
  }
  return {
    sources: has("sources") ? readGlobs(root, "sources", document, report) : (base?.sources ?? []),
    outputs: has("outputs") ? readOutputs(root, document, targets, report) : (base?.outputs ?? []),
    scenarios: has("scenarios") ? readGlobs(root, "scenarios", document, report) : (base?.scenarios ?? []),
  };
}

function readGlobs(
  root: JsonObject,
  key: "sources" | "scenarios",
  document: Document,
  report: Report,
): readonly ProjectGlob[] {
  const given = own(root, key);
  if (given === undefined) return [];
  if (!Array.isArray(given) || given.length === 0) {
    report(wrongConfigurationValue(document.spanOf(root, key), { name: `\`${key}\``, wanted: "an array of globs" }));
    return [];
  }
  return (given as readonly Json[]).flatMap((pattern, index) => {
    const span = document.spanOf(given, index);
    if (typeof pattern !== "string" || !isGlob(pattern)) {
      report(wrongConfigurationValue(span, { name: `An entry of \`${key}\``, wanted: globForm }));
      return [];
    }
    if (isOutside(pattern)) {
      report(outsideProject(span, { path: pattern }));
      return [];
    }
    return [{ pattern: pattern.replaceAll("\\", "/"), span }];
  });
}

const globForm = "a file, a folder or a glob such as `flows/**/*.yaml`; `exclude` omits files";

/** Bounds the time of a search: alternatives multiply, and nested groups can backtrack. */
function isGlob(pattern: string): boolean {
  const isBounded = pattern.length <= 1000 && count(pattern, "{") <= 4 && count(pattern, "**") <= 4;
  return pattern !== "" && isBounded && !/^!|[*?+@!]\(|\{[^}]*(?:\.\.|\{)|[\0\n]/.test(pattern);
}

const count = (text: string, part: string): number => text.split(part).length - 1;

const isAbsolute = (path: string): boolean => /^(?:[\\/]|[A-Za-z]:)/.test(path);

/** A `..` after a wildcard is outside, too: what it leaves is unknown. */
function isOutside(pattern: string): boolean {
  const path = normalizePath(pattern.replaceAll("\\", "/"));
  return isAbsolute(pattern) || path.startsWith("../") || path === ".." || /[*?[{].*\/\.\.(?:\/|$)/.test(pattern);
}

function readOutputs(
  root: JsonObject,
  document: Document,
  targets: readonly ConfigurableTarget[],
  report: Report,
): readonly ProjectOutput[] {
  const given = own(root, "outputs");
  if (given === undefined) return [];
  const wrong = (span: Span, name: string, wanted: string) => report(wrongConfigurationValue(span, { name, wanted }));
  if (!Array.isArray(given)) {
    wrong(document.spanOf(root, "outputs"), "`outputs`", "an array of outputs");
    return [];
  }
  const outputs: ProjectOutput[] = [];
  for (const [index, value] of (given as readonly Json[]).entries()) {
    if (!isObject(value)) {
      wrong(document.spanOf(given, index), "An output", "an object with `target` and `out`");
      continue;
    }
    const output = readOutput(value, document.spanOf(given, index), document, targets, report);
    const folder = output && normalizePath(output.out);
    const first = outputs.find(({ out }) => normalizePath(out) === folder);
    if (output && first) {
      const notes = [{ message: "The other output is here.", span: first.span }];
      report(sharedOutputFolder(output.span, { folder: output.out, target: first.target }, notes));
    } else if (output) outputs.push(output);
  }
  return outputs;
}

const outputKeys: readonly string[] = ["target", "out", "settings"];

function readOutput(
  value: JsonObject,
  span: Span,
  document: Document,
  targets: readonly ConfigurableTarget[],
  report: Report,
): ProjectOutput | undefined {
  for (const key of Object.keys(value).filter((name) => !outputKeys.includes(name)))
    report(
      wrongConfigurationValue(document.spanOf(value, key, "key"), {
        name: `The key \`${truncate(key)}\` of an output`,
        wanted: "`target`, `out` or `settings`",
      }),
    );
  const texts = (["target", "out"] as const).map((key) => {
    const text = own(value, key);
    if (typeof text === "string" && text !== "") return text;
    const wanted = key === "target" ? "the name of a target" : "the path of a folder";
    const at = text === undefined ? span : document.spanOf(value, key);
    report(wrongConfigurationValue(at, { name: `\`${key}\` of an output`, wanted }));
    return undefined;
  });
  const [name, out] = texts;
  if (name === undefined || out === undefined) return undefined;
  const target = targets.find((known) => known.name === name);
  if (!target) {
    report(unknownOutputTarget(document.spanOf(value, "target"), { name, known: targets.map((known) => known.name) }));
    return undefined;
  }
  const settings =
    own(value, "settings") === undefined ? undefined : readSettings(value, "settings", target, document, report);
  return { target: name, out: out.replaceAll("\\", "/"), span: document.spanOf(value, "out"), settings };
}

/** Overrides settings of a target by those of an output. */
export const withOutputSettings = (
  targets: ReadonlyMap<string, TargetSettings>,
  { target, settings }: ProjectOutput,
): ReadonlyMap<string, TargetSettings> => {
  if (!settings) return targets;
  const before = targets.get(target);
  const merged: TargetSettings = {
    values: { ...before?.values, ...settings.values },
    spanOf: (...path) => settings.spanOf(...path) ?? before?.spanOf(...path),
  };
  return new Map([...targets, [target, merged]]);
};
