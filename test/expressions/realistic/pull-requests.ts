import { pick, programsOf, times } from "./program.ts";

type PullRequest = {
  readonly number: number;
  readonly title: string;
  readonly draft: boolean;
  readonly user: { readonly login: string };
  readonly head: { readonly ref: string };
  readonly labels: readonly { readonly name: string }[];
  readonly reviewers: readonly { readonly login: string }[];
  readonly merged_at: string | null;
  readonly additions: number;
  readonly deletions: number;
};

const labels = ["bug", "docs", "performance", "breaking"].map((name) => ({ name }));

const pullRequestOf = (index: number): PullRequest => ({
  number: 700 + index,
  title: `Change ${index}`,
  draft: index % 4 === 0,
  user: { login: pick(["lena", "raj", "sofia", "tom"], index * 3) },
  head: { ref: `${pick(["fix", "feature", "chore"], index)}/${index}` },
  labels: labels.slice(index % 3, (index % 3) + (index % 4)),
  reviewers: times(1 + (index % 3), (reviewer) => ({ login: pick(["raj", "tom", "wu"], index + reviewer) })),
  merged_at: index % 3 === 0 ? null : `2026-02-${10 + (index % 18)}T12:00:00Z`,
  additions: (index * 41) % 600,
  deletions: (index * 17) % 300,
});

const lists = [times(50, pullRequestOf), times(40, (index) => pullRequestOf(index + 11))];

/** Programs on pull requests, as an API of a source forge returns them. */
export const pullRequestPrograms = programsOf(lists, [
  ["[.[] | select(.draft | not) | .number]", (all) => all.filter(({ draft }) => !draft).map(({ number }) => number)],
  [
    "map({number, author: .user.login, labels: [.labels[].name]})",
    (all) =>
      all.map(({ number, user, labels }) => ({ number, author: user.login, labels: labels.map(({ name }) => name) })),
  ],
  [
    'map(select(any(.labels[]; .name == "bug"))) | length',
    (all) => all.filter(({ labels }) => labels.some(({ name }) => name === "bug")).length,
  ],
  [
    "[.[].labels[].name] | group_by(.) | map({name: .[0], count: length})",
    (all) => {
      const counts = new Map<string, number>();
      for (const { labels } of all) for (const { name } of labels) counts.set(name, (counts.get(name) ?? 0) + 1);
      return [...counts.keys()].sort().map((name) => ({ name, count: counts.get(name)! }));
    },
  ],
  [
    "map(.additions + .deletions) | max",
    (all) => all.reduce((most, { additions, deletions }) => Math.max(most, additions + deletions), 0),
  ],
  [
    '[.[] | select(.head.ref | startswith("fix/")) | .title]',
    (all) => all.filter(({ head }) => head.ref.startsWith("fix/")).map(({ title }) => title),
  ],
  [
    'map(select(.merged_at != null) | .user.login) | unique | join(", ")',
    (all) => {
      const merged = all.filter(({ merged_at }) => merged_at !== null);
      return [...new Set(merged.map(({ user }) => user.login))].sort().join(", ");
    },
  ],
  [
    '.[0].reviewers | map("@" + .login) | join(" ")',
    (all) => all[0]!.reviewers.map(({ login }) => `@${login}`).join(" "),
  ],
]);
