import { createNames, type NameStyle, shortHash } from "../../../src/ir/names.ts";

/** Allocates names of entities. The same source name always gets the same entity name. */
export interface NameAllocator {
  nameFor(kind: string, name: string): string;
}

/** Creates an allocator that avoids some names. OpenWhisk names are case-sensitive. */
export function createNameAllocator(taken: Iterable<string>): NameAllocator {
  const names = createNames(taken, style);
  const allocated = new Map<string, string>();
  return {
    nameFor(kind, name) {
      const key = `${kind} ${name}`;
      const known = allocated.get(key);
      if (known !== undefined) return known;
      const entity = names.fresh(entityName(name));
      allocated.set(key, entity);
      return entity;
    },
  };
}

const style: NameStyle = { number: (wanted, count) => `${wanted}-${count}` };

/** Names that OpenWhisk allows and that are safe in a shell, in YAML and in wskdeploy. */
const validName = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,198}[A-Za-z0-9_-])?$/;

/** A valid entity name: `charge card!` → `charge-card-<hash>` */
export function entityName(name: string): string {
  if (validName.test(name)) return name;
  const plain = name
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9_.-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  return `${plain.slice(0, 80) || "unnamed"}-${shortHash(name)}`;
}
