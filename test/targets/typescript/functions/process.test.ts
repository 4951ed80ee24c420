import { expect, test, vi } from "vitest";
import { javascript, shell } from "../../../../targets/typescript/runtime/functions/process.ts";
import { stepOf } from "./servers.ts";

const failing = (work: Promise<unknown>) =>
  work.then(
    () => "no failure",
    ({ name, message, origin }) => ({ name, message, origin }),
  );

test.each<[string, object, object]>([
  ["the output", { command: "echo hello; echo oops >&2" }, { code: 0, stdout: "hello\n", stderr: "oops\n" }],
  ["the exit code", { command: "exit 3" }, { code: 3, stdout: "", stderr: "" }],
  ["a signal", { command: "kill -TERM $$" }, { code: 143, stdout: "", stderr: "" }],
  ["the standard input", { command: "cat", stdin: "Grüße" }, { code: 0, stdout: "Grüße", stderr: "" }],
  ["an unread input", { command: "true", stdin: "x".repeat(1e6) }, { code: 0, stdout: "", stderr: "" }],
  [
    "arguments, which the shell does not interpret",
    { command: "printf '%s|'", arguments: ["a b", "$(echo c)", "; echo d", "'", 5, true] },
    { code: 0, stdout: "a b|$(echo c)|; echo d|'|5|true|", stderr: "" },
  ],
  [
    "arguments after a command of several lines",
    { command: "echo first\nprintf '%s|'\n", arguments: ["echo", "b"] },
    { code: 0, stdout: "first\necho|b|", stderr: "" },
  ],
  [
    "variables, which the shell does not interpret",
    { command: 'printf %s "$GREETING"', environment: { GREETING: "$(echo c)`echo d`" } },
    { code: 0, stdout: "$(echo c)`echo d`", stderr: "" },
  ],
])("a shell command returns %s", async (_, argument, wanted) => {
  expect(await shell()(argument, stepOf())).toEqual(wanted);
});

test.each<[string, object, object]>([
  ["the output", { code: "console.log(1 + 1)" }, { code: 0, stdout: "2\n", stderr: "" }],
  [
    "arguments",
    { code: "console.log(process.argv.slice(1).join())", arguments: ["a b", "--eval", "c"] },
    { code: 0, stdout: "a b,--eval,c\n", stderr: "" },
  ],
  [
    "named arguments",
    { code: "console.log(name, __proto__.a)", arguments: { name: "a\u2028'\"b", ["__proto__"]: { a: 1 } } },
    { code: 0, stdout: "a\u2028'\"b 1\n", stderr: "" },
  ],
  ["an exit code", { code: "process.exit(7)" }, { code: 7, stdout: "", stderr: "" }],
])("a program of JavaScript returns %s", async (_, argument, wanted) => {
  expect(await javascript()(JSON.parse(JSON.stringify(argument)), stepOf())).toEqual(wanted);
});

test("the program's own environment is not passed on", async () => {
  vi.stubEnv("SECRET_SHOP_KEY", "hush");
  expect(await shell()({ command: "env" }, stepOf())).not.toMatchObject({ stdout: expect.stringContaining("hush") });
});

test("a timeout ends the process and its own processes", async () => {
  const started = Date.now();
  const failed = await failing(shell({ timeout: 0.3 })({ command: "sleep 30 & sleep 30; wait" }, stepOf()));
  expect(failed).toMatchObject({ name: "Timeout", origin: "timeout" });
  expect(Date.now() - started).toBeLessThan(5000);
});

test.each([
  ["a process that outlives its parent", "sleep 30 &"],
  ["a process that has left the group", "setsid sleep 5 & exit 0"],
])("a timeout ends the wait for the output of %s", async (_, command) => {
  const started = Date.now();
  const failed = await failing(shell({ timeout: 0.3 })({ command }, stepOf()));
  expect(failed).toMatchObject({ name: "Timeout", origin: "timeout" });
  expect(Date.now() - started).toBeLessThan(4000);
});

test("an aborted step ends the process", async () => {
  const stopping = new AbortController();
  const call = failing(shell()({ command: "sleep 30" }, stepOf("run/Step#1", stopping.signal)));
  setTimeout(() => stopping.abort(new Error("cut off")), 100);
  expect(await call).toMatchObject({ message: "cut off" });
});

test.each<[string, object]>([
  ["arguments that are too long", { command: "echo", arguments: ["x".repeat(5e6)] }],
  ["a NUL character in a variable", { command: "true", environment: { A: "a\0b" } }],
])("%s fail the start of the process", async (_, argument) => {
  expect(await failing(shell()(argument, stepOf()))).toMatchObject({ name: "ProcessError" });
});

test("an output without end is an error", async () => {
  const failed = await failing(shell({ maximumBytes: 1000 })({ command: "yes" }, stepOf()));
  expect(failed).toEqual({
    name: "ProcessError",
    message: "The output of the process is longer than 1000 bytes.",
    origin: "fail",
  });
});

test.each<[string, unknown]>([
  ["no command", {}],
  ["another type of command", { command: 5 }],
  ["a NUL character", { command: "echo", arguments: ["a\0b"] }],
  ["a command that ends with an operator", { command: "true ;", arguments: ["echo"] }],
  ["a command that ends in the background", { command: "true &\n", arguments: ["echo"] }],
  ["a command that ends with a comment", { command: "ls # all", arguments: ["a"] }],
  ["a command without text", { command: " \n", arguments: ["echo"] }],
  ["a here-document", { command: "cat << END\nEND\n", arguments: ["a"] }],
])("%s is rejected", async (_, argument) => {
  expect(await failing(shell()(argument, stepOf()))).toMatchObject({ name: "ArgumentError" });
});
