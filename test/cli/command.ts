import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { main } from "../../src/cli/main.ts";

/** What a call of the command gave. */
export interface Answer {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** A folder of its own for one test, with these files; gone when the test ends. */
export function folderWith(files: { readonly [path: string]: string }): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** All files below a folder with their texts. */
export function filesIn(folder: string): { readonly [path: string]: string } {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return Object.fromEntries(
    paths.map((path) => [relative(folder, path).replaceAll("\\", "/"), readFileSync(path, "utf8")]),
  );
}

/** Calls the command as from a folder, with a text on standard input; an error is thrown when that is read. */
export async function waybill(
  cwd: string,
  args: readonly string[],
  stdin: string | Error = "",
  color = false,
  workspace?: string,
): Promise<Answer> {
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

/** It with a transition to a state that does not exist. */
export const broken = greeting().replace("end: { kind: default }", "transition: { nextState: Gret }");

/** It with a property that means nothing. */
export const doubtful = greeting().replace("name: Greet\nv", "name: Greet\ndescripton: hi\nv");
