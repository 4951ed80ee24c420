import { execFileSync } from "node:child_process";
import { createWriteStream, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { broken, folderWith, greeting, waybill } from "./command.ts";

const located = (text: string): readonly string[] => text.match(/^\S+:\d+:\d+: \w+ WB\d{4}/gm) ?? [];

describe("a file that is not UTF-8 is rejected in one line:", () => {
  test.each([
    [
      "UTF-16, as some editors save it",
      Buffer.from(`\uFEFF${greeting()}`, "utf16le"),
      /^a\.yaml:1:1: error WB0016: Cannot read this file: it is UTF-16, not UTF-8\.\n/,
    ],
    [
      "UTF-16 without a mark",
      Buffer.from(greeting(), "utf16le"),
      /^a\.yaml:1:1: error WB0016: Cannot read this file: it contains zero bytes, so it is not UTF-8 text\.\n/,
    ],
    [
      "a zero byte",
      Buffer.from(greeting().replace("greet", "gr\0et")),
      /^a\.yaml:1:1: error WB0016: Cannot read this file: it contains zero bytes, so it is not UTF-8 text\.\n/,
    ],
    [
      "Latin-1",
      Buffer.from(greeting().replace("Greet", "Gré"), "latin1"),
      /^a\.yaml:2:9: error WB0016: Cannot read this file: the byte E9 is not valid UTF-8\.\n {2}2 \| name: Gr.\n/,
    ],
  ])("%s", async (_, bytes, reason) => {
    const folder = folderWith({});
    writeFileSync(join(folder, "a.yaml"), bytes);
    const expected = { status: 1, err: expect.stringMatching(reason) };
    expect(await waybill(folder, ["check", "a.yaml"])).toMatchObject(expected);
    expect(await waybill(folder, ["check", "."])).toMatchObject(expected);
  });
});

describe("links in a folder", () => {
  test("to files are read, each file once; links to folders are not followed", async () => {
    const folder = folderWith({
      "flows/a.yaml": broken,
      "elsewhere/b.yaml": broken.replace("greet", "b"),
      "elsewhere/c.yaml": broken,
    });
    symlinkSync("../elsewhere/b.yaml", join(folder, "flows/b.yaml"));
    symlinkSync("a.yaml", join(folder, "flows/z.yaml"));
    symlinkSync("../elsewhere", join(folder, "flows/more"));
    expect(located((await waybill(folder, ["check", "flows"])).err)).toEqual([
      "flows/a.yaml:9:28: error WB2001",
      "flows/b.yaml:9:28: error WB2001",
    ]);
  });

  test("that dangle or form a cycle are reported", async () => {
    const folder = folderWith({ "a/a.yaml": greeting(), "b/b.yaml": greeting() });
    symlinkSync("nowhere.yaml", join(folder, "a/x.yaml"));
    symlinkSync("y.yaml", join(folder, "b/y.yaml"));
    expect(await waybill(folder, ["check", "a"])).toEqual({
      status: 1,
      out: "",
      err: "a/x.yaml:1:1: error WB0016: Cannot read this file: no such file or folder.\n\n1 error\n",
    });
    expect((await waybill(folder, ["check", "b"])).err).toBe(
      "b/y.yaml:1:1: error WB0016: Cannot read this file: its links form a cycle.\n\n1 error\n",
    );
  });
});

describe.skipIf(process.platform === "win32")("a pipe", () => {
  const withPipe = (): { readonly folder: string; readonly pipe: string } => {
    const folder = folderWith({ "a.yaml": greeting() });
    const pipe = join(folder, "pipe.yaml");
    execFileSync("mkfifo", [pipe]);
    return { folder, pipe };
  };

  test("without a writer is empty, and skipped in a folder", async () => {
    const { folder } = withPipe();
    expect(located((await waybill(folder, ["check", "pipe.yaml"])).err)).toEqual(["pipe.yaml:1:1: error WB0002"]);
    expect((await waybill(folder, ["check", "."])).status).toBe(0);
  });

  test("is read to its end, however slowly it is written", async () => {
    const { folder, pipe } = withPipe();
    const writer = createWriteStream(pipe, { flags: "r+" });
    const write = (text: string) => new Promise((resolve) => writer.write(text, resolve));
    await write(broken.slice(0, 50));
    const checked = waybill(folder, ["check", "pipe.yaml"]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await write(broken.slice(50));
    writer.end();
    expect(located((await checked).err)).toEqual(["pipe.yaml:9:28: error WB2001"]);
  });
});
