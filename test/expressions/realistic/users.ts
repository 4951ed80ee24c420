import { pick, programsOf, times } from "./program.ts";

type User = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly active: boolean;
  readonly age: number;
  readonly team: string;
  readonly roles: readonly string[];
  readonly lastLogin: string | null;
};

const userOf = (index: number): User => ({
  id: `u${index}`,
  name: `${pick(["Noor", "Mika", "Ines", "Olav", "Yuki"], index)} ${index}`,
  email: index % 9 === 0 ? `user${index}` : `user${index}@example.com`,
  active: index % 3 !== 0,
  age: 20 + ((index * 13) % 45),
  team: pick(["core", "infra", "design", "sales"], index * 7),
  roles: pick([["viewer"], ["viewer", "editor"], ["admin"], []], index),
  lastLogin: index % 5 === 0 ? null : `2026-0${1 + (index % 9)}-11T08:00:00Z`,
});

const lists = [times(100, userOf), times(80, (index) => userOf(index + 3))];

/** Programs on an array of users. */
export const userPrograms = programsOf(lists, [
  ["map(select(.active) | .email)", (users) => users.filter(({ active }) => active).map(({ email }) => email)],
  [
    "group_by(.team) | map({team: .[0].team, count: length})",
    (users) => {
      const counts = new Map<string, number>();
      for (const { team } of users) counts.set(team, (counts.get(team) ?? 0) + 1);
      return [...counts.keys()].sort().map((team) => ({ team, count: counts.get(team)! }));
    },
  ],
  [
    'map(select(.roles | index("admin"))) | length',
    (users) => users.filter(({ roles }) => roles.includes("admin")).length,
  ],
  [
    "[.[] | select(.lastLogin == null) | .id]",
    (users) => users.filter(({ lastLogin }) => lastLogin === null).map(({ id }) => id),
  ],
  ["map({(.id): .name}) | add", (users) => Object.fromEntries(users.map(({ id, name }) => [id, name]))],
  [
    "sort_by(.age) | .[-3:] | map(.name)",
    (users) =>
      users
        .toSorted((a, b) => a.age - b.age)
        .slice(-3)
        .map(({ name }) => name),
  ],
  ["map(.age) | add / length", (users) => users.reduce((sum, { age }) => sum + age, 0) / users.length],
  ["[.[].roles[]] | unique", (users) => [...new Set(users.flatMap(({ roles }) => roles))].sort()],
  ['all(.[]; .email | contains("@"))', (users) => users.every(({ email }) => email.includes("@"))],
  [
    'map(select(.team == "infra" and .age < 40)) | length',
    (users) => users.filter(({ team, age }) => team === "infra" && age < 40).length,
  ],
]);
