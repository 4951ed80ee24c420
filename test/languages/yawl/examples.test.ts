import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { namesOf } from "../../../src/cli/registry.ts";
import { check } from "../../../src/compile.ts";
import type { Json } from "../../../src/json.ts";
import { readScenarioFile } from "../../../src/scenario/read.ts";
import { renderResults } from "../../../src/scenario/report/results.ts";
import { onReference, onTarget, type Runner, runScenarios } from "../../../src/scenario/run.ts";
import { positionOf } from "../../../src/text/source.ts";
import { targets } from "../../../targets/index.ts";
import { languages } from "../../languages.ts";

const folder = new URL("../../../../shared/examples/yawl/", import.meta.url);
const textOf = (name: string): string => readFileSync(new URL(name, folder), "utf8");

/** The diagnostics of each example: line and code. */
const expected: { readonly [file: string]: string } = {
  "d01-docs-spec-example.yaml": "21 WB3205, 40 WB3207, 171 WB3204",
  "d02-docs-create-collect-info.yaml": "",
  "d03-docs-noop.yaml": "",
  "d04-docs-quickstart-users.yaml": "",
  "d05-docs-telegrambot.yaml": "",
  "t01-tutorial-telegram-ai-bot.yaml": "",
  "t03-tutorial-github-ai-review.yaml": "",
};

/** The results of the examples' steps. */
const emails = [
  "Sincere@april.biz",
  "Shanna@melissa.tv",
  "Nathan@yesenia.net",
  "Julianne.OConner@kory.org",
  "Lucio_Hettinger@annie.ca",
  "Karley_Dach@jasper.info",
  "Telly.Hoeger@billy.biz",
  "Sherwood@rosamond.me",
  "Chaim_McDermott@dana.io",
  "Rey.Padberg@karina.biz",
];
const nothing = { returns: {} };
const post = (body: string) => ({ id: 1, body });
const answers: { readonly [example: string]: { readonly [step: string]: Json } } = {
  d01: {
    fetch_posts: { returns: [post("short")] },
    filter_posts: { computes: "{ posts: .posts }" },
    fetch_users: { returns: [{ id: 1 }] },
    join_post_and_users: { returns: { posts: [post("first")], user_posts: [post("short"), post("long".repeat(50))] } },
    call_crop_long_posts: { returns: { cropped: true } },
    ymq_write: { returns: { id: "m1" } },
    ...Object.fromEntries(
      ["grpc_call", "ydb_call", "yagpt_call", "yds_step", "storage_step", "wait_call"].map((step) => [step, nothing]),
    ),
  },
  d04: {
    get_users: { returns: emails.map((_, i) => ({ id: i + 1 })) },
    process_user_get_info: { returns: { email: "a" } },
    process_user_transform_info: { computes: "{ email: .user.email }" },
    upload_users: { returns: { result: "OK", emails } },
  },
  t03: {
    GetDiff: { returns: "diff" },
    Review: { returns: { Result: "Good." } },
    PostComment: nothing,
  },
};

/** The expected requests of the examples. */
const calls: { readonly [example: string]: Json } = {
  t03: [
    {
      GetDiff: {
        url: "https://api.github.com/repos/<organization_name_on_GitHub>/<repository_name>/pulls/42",
        method: "GET",
        headers: { Accept: "application/vnd.github.v3.diff", Authorization: "Bearer s3cret" },
      },
    },
    {
      Review: {
        agentConfig: {
          role: "Experienced software developer specializing in reviewing changes in repositories in the project’s language(s).",
          goal: "Review the diff: find logical errors, vulnerabilities, style issues, suggest improvements and tests.",
          model: { name: "<model_name>" },
        },
        tasks: [
          {
            result:
              "Text with comments for publication on GitHub. Structure:\n1) Logical errors 2) Potential security issues 3) Code style and minor comments 4) Suggestions for testing and refactoring",
            description: "Review these changes: diff",
          },
        ],
      },
    },
    {
      PostComment: {
        url: "https://api.github.com/repos/<organization_name_on_GitHub>/<repository_name>/issues/42/comments",
        method: "POST",
        body: '{"body":"Good."}',
        headers: { Authorization: "Bearer s3cret", "X-GitHub-Api-Version": "2022-11-28" },
      },
    },
  ],
};

interface Case {
  readonly input: Json;
  readonly expect?: {
    readonly status: string;
    readonly output?: Json;
    readonly error?: string;
    readonly message?: string;
  };
}

describe.skipIf(!existsSync(folder))("the examples (skipped without ../shared)", async () => {
  const runners: readonly Runner[] = [onReference, ...(await Promise.all(targets.map(onTarget)))];
  afterAll(() => {
    for (const { executor } of runners) executor?.close();
  });

  test("are complete", () => {
    expect(readdirSync(folder).filter((name) => name.endsWith(".yaml"))).toEqual(Object.keys(expected).sort());
  });

  test.each(Object.entries(expected))("%s", (file, findings) => {
    const source = { path: file, text: textOf(file) };
    const { diagnostics } = check({ sources: [source], options: {} }, languages);
    expect(diagnostics.map(({ code, span }) => `${positionOf(source, span.start).line} ${code}`).join(", ")).toBe(
      findings,
    );
  });

  const files = Object.keys(expected).filter((file) => existsSync(new URL(casesOf(file), folder)));
  const held = files.flatMap((file) => runners.map((runner) => [file, runner.name, runner] as const));
  test.each(held)("the cases of %s hold on %s", async (file, _, runner) => {
    const cases = JSON.parse(textOf(casesOf(file))) as readonly Case[];
    const text = JSON.stringify(scenariosOf(file, cases));
    const scenarios = readScenarioFile(
      { path: "cases.json", text },
      { languages, targets: namesOf(targets) },
      () => {},
    );
    const source = { path: file, text: textOf(file) };
    const definitions = { sources: [source], configurationOf: () => undefined, read: () => undefined };
    const results = await runScenarios(scenarios!, definitions as never, runner, languages);
    expect(results.length).toBe(cases.length);
    const outcomes = results.map(({ outcome }) => outcome);
    expect([...new Set(outcomes)], renderResults(results)).toEqual(["passed"]);
  });
});

const casesOf = (file: string): string => file.replace(".yaml", ".cases.json");

function scenariosOf(file: string, cases: readonly Case[]): Json {
  const example = file.slice(0, 3);
  return {
    workflow: file,
    ...(example === "d04" ? { options: { resultMode: "last-output" } } : {}),
    scenarios: cases.map(({ input, expect: { status = "success", output, error, message } = {} as never }, i) => ({
      name: `case ${i + 1}`,
      input,
      functions: answers[example]!,
      secrets: { "<secret_ID>": { token: "s3cret" } },
      expect: {
        status: status === "success" ? "succeeded" : status,
        ...(output === undefined ? {} : { output }),
        ...(error === undefined ? {} : { error: { name: error, ...(message === undefined ? {} : { message }) } }),
        ...(calls[example] ? { calls: calls[example]! } : {}),
      },
    })),
  } as unknown as Json;
}
