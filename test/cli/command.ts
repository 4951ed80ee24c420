import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { main } from "../../src/cli/main.ts";

/** The result of a command. */
export interface CommandResult {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Creates a folder with files for the current test. */
export function folderWith(files: { readonly [path: string]: string }): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Reads all files below a folder. */
export function filesIn(folder: string): { readonly [path: string]: string } {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return Object.fromEntries(
    paths.map((path) => [relative(folder, path).replaceAll("\\", "/"), readFileSync(path, "utf8")]),
  );
}

/** Runs the command in a folder. Reading standard input throws if it is an error. */
export async function waybill(
  cwd: string,
  args: readonly string[],
  stdin: string | Error = "",
  color = false,
  workspace?: string,
): Promise<CommandResult> {
  let out = "";
  let err = "";
  const status = await main(args, {
    stdin: typeof stdin === "string" ? Readable.from([stdin]) : new Readable({ read: () => {} }).destroy(stdin),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    color,
    workspace,
    cwd,
    debug: false,
  });
  return { status, out, err };
}

/** A definition with one state. */
export const greeting = (id = "greet"): string => `id: ${id}
name: Greet
version: '1.0'
states:
- name: Greet
  type: inject
  start: { kind: default }
  data: { hello: world }
  end: { kind: default }
`;

/** The definition with a transition to an unknown state. */
export const broken = greeting().replace("end: { kind: default }", "transition: { nextState: Gret }");

/** The definition with an unknown property. */
export const doubtful = greeting().replace("name: Greet\nv", "name: Greet\nowner: shop\nv");
