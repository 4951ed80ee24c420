import { expect, test } from "vitest";
import { createRunPages } from "../../../../targets/typescript/runtime/dashboard/run-pages.ts";

// The list of runs that the page has loaded: continued by cursors, and refreshed in place.

interface Run {
  readonly id: string;
  readonly status: string;
}

/** A server with runs, newest first; it examines at most `examined` of them for a page. */
function serverOf(runs: Run[], examined = Number.POSITIVE_INFINITY) {
  const requests: string[] = [];
  const api = {
    async get(_: string, { limit, after, status }: { readonly [name: string]: string | number | undefined } = {}) {
      requests.push(`${after ?? "newest"} ${limit}`);
      const from = after === undefined ? 0 : runs.findIndex(({ id }) => id === after) + 1;
      const end = Math.min(runs.length, from + examined);
      const found: Run[] = [];
      let at = from;
      for (; at < end && found.length < Number(limit); at++)
        if (status === undefined || runs[at]!.status === status) found.push(runs[at]!);
      return { runs: found, ...(at < runs.length && { next: runs[at - 1]!.id }) };
    },
  };
  const pages = createRunPages(api as never, {});
  return { runs, requests, pages, filtered: (status: string) => createRunPages(api as never, { status }) };
}

const runsOf = (count: number, status = "waiting"): Run[] =>
  Array.from({ length: count }, (_, i) => ({ id: `r${count - 1 - i}`, status }));

const idsOf = ({ runs }: { readonly runs: readonly { readonly id: string }[] }) => runs.map(({ id }) => id);

test("continues with the next page until there is none", async () => {
  const { pages, runs } = serverOf(runsOf(450));
  while (pages.hasMore) await pages.more();
  expect(idsOf(pages)).toEqual(runs.map(({ id }) => id));
});

test("new runs come first, and changes in sight are read again", async () => {
  const { pages, runs } = serverOf(runsOf(450));
  while (pages.hasMore) await pages.more();
  runs.unshift({ id: "new", status: "running" });
  runs[301] = { ...runs[301]!, status: "failed" };
  expect(await pages.refresh(290, 320)).toBe(true);
  expect(idsOf(pages)).toEqual(runs.map(({ id }) => id));
  expect(pages.runs[301]).toMatchObject({ status: "failed" });
  runs[430] = { ...runs[430]!, status: "failed" };
  await pages.refresh(0, 20);
  expect(pages.runs[430]).toMatchObject({ status: "waiting" });
});

test("reports that more runs are new than a page has, and leaves the list as it is", async () => {
  const { pages, runs } = serverOf(runsOf(150));
  await pages.more();
  runs.unshift(...Array.from({ length: 120 }, (_, i) => ({ id: `new${i}`, status: "running" })));
  expect(await pages.refresh(0, 20)).toBe(false);
  expect(idsOf(pages)[0]).toBe("r149");
});

test("many refreshes with new runs need few requests each", async () => {
  const { pages, runs, requests } = serverOf(runsOf(300));
  while (pages.hasMore) await pages.more();
  for (let i = 0; i < 60; i++) {
    for (let j = 0; j < 3; j++) runs.unshift({ id: `new${i}.${j}`, status: "running" });
    expect(await pages.refresh(0, 20)).toBe(true);
  }
  expect(idsOf(pages)).toEqual(runs.map(({ id }) => id));
  requests.length = 0;
  await pages.refresh(0, runs.length);
  expect(requests.length).toBeLessThan(6);
});

test("a run that no longer matches disappears, and one that has begun to match appears", async () => {
  const { runs, filtered } = serverOf(runsOf(50, "failed"));
  const pages = filtered("failed");
  await pages.more();
  runs[10] = { ...runs[10]!, status: "running" };
  await pages.refresh(0, 20);
  expect(idsOf(pages)).not.toContain(runs[10]!.id);
  runs[10] = { ...runs[10]!, status: "failed" };
  await pages.refresh(0, 20);
  expect(idsOf(pages)).toEqual(runs.map(({ id }) => id));
});

test("a search goes on through pages without matches", async () => {
  const all = runsOf(100).map((run, i) => (i === 70 || i === 95 ? { ...run, status: "failed" } : run));
  const { filtered, runs } = serverOf(all, 10);
  const pages = filtered("failed");
  await pages.more();
  expect(idsOf(pages)).toEqual(["r29"]);
  await pages.more();
  expect(idsOf(pages)).toEqual(["r29", "r4"]);
  await pages.refresh(0, 1);
  expect(idsOf(pages)).toEqual(["r29", "r4"]);
  runs.unshift({ id: "new", status: "failed" });
  await pages.refresh(0, 1);
  expect(idsOf(pages)).toEqual(["new", "r29", "r4"]);
});
