import { createNames, type NameStyle, shortHash } from "../../../src/ir/names.ts";

/** Names of entities of one collection: each thing gets a name of its own, the same one whenever it is asked for. */
export interface EntityNames {
  /** What a thing of a kind is called that people call by a name. */
  of(kind: string, name: string): string;
}

/** Names beside those that are taken. A name that differs from another only by case is one of its own: OpenWhisk tells them apart. */
export function entityNames(taken: Iterable<string>): EntityNames {
  const names = createNames(taken, style);
  const known = new Map<string, string>();
  return {
    of(kind, name) {
      const key = `${kind} ${name}`;
      const old = known.get(key);
      if (old !== undefined) return old;
      const entity = names.fresh(entityName(name));
      known.set(key, entity);
      return entity;
    },
  };
}

const style: NameStyle = { number: (wanted, count) => `${wanted}-${count}` };

/** What OpenWhisk takes as a name, of letters, digits and signs that mean nothing to a shell, to YAML or to wskdeploy. */
const fits = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,198}[A-Za-z0-9_-])?$/;

/** `order.paid` stays as it is; `charge card!` is `charge-card-` and its mark. */
export function entityName(name: string): string {
  if (fits.test(name)) return name;
  const plain = name
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9_.-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  return `${plain.slice(0, 80) || "unnamed"}-${shortHash(name)}`;
}
