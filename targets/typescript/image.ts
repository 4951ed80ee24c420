import { templates } from "../../src/generated/typescript-templates.js";
import { oneLine, renderTemplate } from "../../src/js-ast/index.ts";
import type { OutputFile } from "../../src/target/contract.ts";
import type { BoundModule } from "./bindings/request.ts";

/** A container image, where outside files keep their relative positions. */
export interface Image {
  readonly context: string;
  /** The program's folder in the context, or `.`. */
  readonly program: string;
  /** The folder of the context in the image. */
  readonly root: string;
  /** The files outside the program's folder. */
  readonly files: readonly string[];
  /** Other folders to install packages in, and whether they have a lock file. */
  readonly installs: ReadonlyMap<string, boolean>;
  /** Files whose location is unknown. */
  readonly missing: readonly string[];
}

/** The image of a program in `folder` with bound modules. */
export function imageOf(modules: readonly BoundModule[], folder: string | undefined): Image {
  const files = [...new Set(modules.flatMap((module) => module.files))].filter(isOutside).sort();
  const installs = modules.flatMap((module) => module.installs).filter((install) => isOutside(install.folder));
  const elsewhere = modules.flatMap(({ module }) => (/^(?:file:|\/)/.test(module) ? [module] : []));
  const levels = Math.max(0, ...files.map(levelsOf));
  const names = (folder ?? "").split("/").filter((name) => name !== "");
  const own = levels === 0 ? [] : names.slice(-levels);
  const isKnown = own.length === levels && own.every(isSafePath);
  const included = isKnown ? files.filter(isSafePath) : [];
  const inContext = (path: string): string => {
    const up = levelsOf(path);
    const down = path.split("/").slice(up);
    return [...own.slice(0, levels - up), ...down.filter((step) => step !== "")].join("/");
  };
  const hasContext = included.length > 0;
  return {
    context: hasContext ? Array.from({ length: levels }, () => "..").join("/") : ".",
    program: hasContext ? own.join("/") : ".",
    root: hasContext ? "/srv" : "/app",
    files: included.map(inContext),
    installs: new Map(hasContext ? installs.map((each) => [inContext(each.folder), each.isLocked]) : []),
    missing: [...new Set([...files.filter((file) => !included.includes(file)), ...elsewhere])],
  };
}

/** The files that build an image. `volume`: the folder that keeps its store, if any. */
export function imageFiles(image: Image, volume: string | undefined, hasPackages: boolean): readonly OutputFile[] {
  const hasContext = image.context !== ".";
  const within = (path: string): string => (path === "" ? image.root : `${image.root}/${path}`);
  const program = hasContext ? within(image.program) : image.root;
  const isOfInstall = (path: string): boolean => image.installs.has(folderOf(path)) && packageDescription.test(path);
  const copies = (files: readonly string[]) =>
    [...Map.groupBy(files, folderOf)].map(([folder, paths]) => ({
      words: jsonArray([...paths, `${within(folder)}/`]),
    }));
  const own = hasContext ? `${image.program}/` : "";
  const dockerfile = renderTemplate(templates["Dockerfile"], {
    command: buildCommand(image),
    program: quoted(program),
    descriptions: copies(image.files.filter(isOfInstall)),
    files: copies(image.files.filter((path) => !isOfInstall(path))),
    installs: [...image.installs].map(([folder, isLocked]) => ({
      folder: quoted(within(folder)),
      how: isLocked ? "ci" : "install",
    })),
    packages: hasPackages ? [{ words: jsonArray([`${own}package*.json`, "./"]) }] : [],
    volumes: volume === undefined ? [] : [{ folder: volume }],
    own: jsonArray([own || ".", "./"]),
    missing: image.missing.map((path) => ({ path: oneLine(path) })),
  });
  const ignored = hasContext
    ? renderTemplate(templates["Dockerfile.dockerignore"], {
        program: image.program,
        files: image.files.map((path) => ({ path })),
      })
    : renderTemplate(templates["dockerignore"], {});
  return [
    { path: "Dockerfile", text: dockerfile },
    { path: hasContext ? "Dockerfile.dockerignore" : ".dockerignore", text: ignored },
  ];
}

/** The command that builds an image, in the program's folder. */
export const buildCommand = ({ context }: Image): string =>
  context === "." ? "docker build -t workflows ." : `docker build -t workflows -f Dockerfile ${context}`;

/** The `build` value of a service in compose.yaml. */
export const composeBuild = ({ context, program }: Image): string =>
  context === "." ? "." : `{ context: ${context}, dockerfile: ${JSON.stringify(`${program}/Dockerfile`)} }`;

/** Copied before other files, so that changes to those do not repeat the installation. */
const packageDescription = /(?:^|\/)(?:package|package-lock|npm-shrinkwrap)\.json$/;

const isOutside = (path: string): boolean => path.startsWith("../") || path === "..";

const levelsOf = (path: string): number => path.split("/").filter((step) => step === "..").length;

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** Whether a path needs no escaping in Docker files or shells. */
const isSafePath = (path: string): boolean =>
  /^[\p{L}\p{N}_@.+,=~()&%/ -]+$/u.test(path) && !/(?:^|\/) | (?:\/|$)/.test(path);

const jsonArray = (list: readonly string[]): string => JSON.stringify(list).replaceAll('","', '", "');

const quoted = (path: string): string => (/^[\w@.+,=/-]+$/.test(path) ? path : `"${path}"`);
