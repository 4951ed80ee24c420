import { templates } from "../../src/generated/typescript-templates.js";
import { renderTemplate } from "../../src/js-ast/index.ts";
import type { OutputFile } from "../../src/target/contract.ts";
import type { BoundModule } from "./bindings/request.ts";
import { oneLine } from "./format.ts";
import type { HostName } from "./runtime-files.ts";

/** How a program becomes an image: with what lies outside of its folder where that is told, at the same place beside it. */
export interface Image {
  /** The context that it is built in, and the file that says how, from the program's folder. */
  readonly context: string;
  /** The program's folder in the context; `.` where it is the context itself. */
  readonly program: string;
  /** The folder in the image that stands for the context. */
  readonly root: string;
  /** The files besides it, by their paths in the context. */
  readonly files: readonly string[];
  /** The folders in which packages are installed, in the context, besides the program's, and whether their exact versions are told there. */
  readonly installs: ReadonlyMap<string, boolean>;
  /** What is not in it, as it cannot be told where that is. */
  readonly missing: readonly string[];
}

/** The image of a program whose folder is `folder`, with the modules that its functions are bound to. */
export function imageOf(modules: readonly BoundModule[], folder: string | undefined): Image {
  const files = [...new Set(modules.flatMap((module) => module.files))].filter(isOutside).sort();
  const installs = modules.flatMap((module) => module.installs).filter((install) => isOutside(install.folder));
  const elsewhere = modules.flatMap(({ module }) => (/^(?:file:|\/)/.test(module) ? [module] : []));
  const levels = Math.max(0, ...files.map(levelsOf));
  const names = (folder ?? "").split("/").filter((name) => name !== "");
  const own = levels === 0 ? [] : names.slice(-levels);
  const isTold = own.length === levels && own.every(isSafePath);
  const taken = isTold ? files.filter(isSafePath) : [];
  const inContext = (path: string): string => {
    const up = levelsOf(path);
    const down = path.split("/").slice(up);
    return [...own.slice(0, levels - up), ...down.filter((step) => step !== "")].join("/");
  };
  const isNeeded = taken.length > 0;
  return {
    context: isNeeded ? Array.from({ length: levels }, () => "..").join("/") : ".",
    program: isNeeded ? own.join("/") : ".",
    root: isNeeded ? "/srv" : "/app",
    files: taken.map(inContext),
    installs: new Map(isNeeded ? installs.map((each) => [inContext(each.folder), each.isLocked]) : []),
    missing: [...new Set([...files.filter((file) => !taken.includes(file)), ...elsewhere])],
  };
}

/** The files that make an image. */
export function imageFiles(image: Image, host: HostName, hasPackages: boolean): readonly OutputFile[] {
  const isApart = image.context !== ".";
  const within = (path: string): string => (path === "" ? image.root : `${image.root}/${path}`);
  const program = isApart ? within(image.program) : image.root;
  const isOfInstall = (path: string): boolean => image.installs.has(folderOf(path)) && packageDescription.test(path);
  const copies = (files: readonly string[]) =>
    [...Map.groupBy(files, folderOf)].map(([folder, paths]) => ({
      words: jsonArray([...paths, `${within(folder)}/`]),
    }));
  const own = isApart ? `${image.program}/` : "";
  const dockerfile = renderTemplate(templates["Dockerfile"], {
    command: buildCommand(image),
    program: quoted(program),
    descriptions: copies(image.files.filter(isOfInstall)),
    beside: copies(image.files.filter((path) => !isOfInstall(path))),
    installs: [...image.installs].map(([folder, isLocked]) => ({
      folder: quoted(within(folder)),
      how: isLocked ? "ci" : "install",
    })),
    packages: hasPackages ? [{ words: jsonArray([`${own}package*.json`, "./"]) }] : [],
    kept: host === "sqlite" ? [{ folder: "/data" }] : [],
    own: jsonArray([own || ".", "./"]),
    left: image.missing.map((path) => ({ path: oneLine(path) })),
  });
  const ignored = isApart
    ? renderTemplate(templates["Dockerfile.dockerignore"], {
        program: image.program,
        beside: image.files.map((path) => ({ path })),
      })
    : renderTemplate(templates["dockerignore"], {});
  return [
    { path: "Dockerfile", text: dockerfile },
    { path: isApart ? "Dockerfile.dockerignore" : ".dockerignore", text: ignored },
  ];
}

/** The command that builds an image, in the program's folder. */
export const buildCommand = ({ context }: Image): string =>
  context === "." ? "docker build -t workflows ." : `docker build -t workflows -f Dockerfile ${context}`;

/** What `build` of a service in a compose.yaml says. */
export const composeBuild = ({ context, program }: Image): string =>
  context === "." ? "." : `{ context: ${context}, dockerfile: ${JSON.stringify(`${program}/Dockerfile`)} }`;

/** Files by which packages are installed: what they are made of is copied later, so that it may change without a new installation. */
const packageDescription = /(?:^|\/)(?:package|package-lock|npm-shrinkwrap)\.json$/;

const isOutside = (path: string): boolean => path.startsWith("../") || path === "..";

/** How many folders a path goes up. */
const levelsOf = (path: string): number => path.split("/").filter((step) => step === "..").length;

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** Whether a path means in a Dockerfile, a .dockerignore and a shell what it is. */
const isSafePath = (path: string): boolean =>
  /^[\p{L}\p{N}_@.+,=~()&%/ -]+$/u.test(path) && !/(?:^|\/) | (?:\/|$)/.test(path);

/** The words of an instruction: `["a b.ts", "/srv/"]`. */
const jsonArray = (list: readonly string[]): string => JSON.stringify(list).replaceAll('","', '", "');

const quoted = (path: string): string => (/^[\w@.+,=/-]+$/.test(path) ? path : `"${path}"`);
