/** A message in a conversation that may branch. */
export interface TreeNode<T> {
  readonly id: string;
  readonly parent: string | undefined;
  readonly value: T;
}

/** A message in its place, or the beginning of a branch: one that was left, or the one that was kept. */
export type Step<T> = { readonly value: T } | { readonly branch: "left" | "kept" };

/**
 * All messages of a conversation in one order. Where it branches, the branches that were left come before the one that
 * `leaf` ends; each is announced. Without a leaf that is known, the last message is taken for it. Messages that no root
 * leads to come last.
 */
export function* orderTree<T>(nodes: readonly TreeNode<T>[], leaf: string | undefined): Generator<Step<T>> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const kept = pathTo(byId, leaf !== undefined && byId.has(leaf) ? leaf : nodes.at(-1)?.id);
  const children = childrenOf(nodes, byId);
  const seen = new Set<string>();
  const roots = children.get(undefined) ?? [];
  const open: (TreeNode<T> | "left" | "kept")[] = branchesAt(roots, kept, false).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === "left" || next === "kept") {
      yield { branch: next };
      continue;
    }
    if (seen.has(next.id)) continue;
    seen.add(next.id);
    yield { value: next.value };
    open.push(...branchesAt(children.get(next.id) ?? [], kept, true).reverse());
  }
  for (const node of nodes) if (!seen.has(node.id)) yield { value: node.value };
}

function pathTo<T>(byId: ReadonlyMap<string, TreeNode<T>>, leaf: string | undefined): ReadonlySet<string> {
  const path = new Set<string>();
  for (let id = leaf; id !== undefined && !path.has(id); id = byId.get(id)?.parent) path.add(id);
  return path;
}

function childrenOf<T>(
  nodes: readonly TreeNode<T>[],
  byId: ReadonlyMap<string, TreeNode<T>>,
): ReadonlyMap<string | undefined, TreeNode<T>[]> {
  const children = new Map<string | undefined, TreeNode<T>[]>();
  for (const node of nodes) {
    const parent = node.parent !== undefined && byId.has(node.parent) ? node.parent : undefined;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [node]);
    else siblings.push(node);
  }
  return children;
}

/** Several roots are no branches, unless one of them was kept: an export may have lost what they hung on. */
function branchesAt<T>(
  siblings: readonly TreeNode<T>[],
  kept: ReadonlySet<string>,
  isBranch: boolean,
): (TreeNode<T> | "left" | "kept")[] {
  if (siblings.length < 2 || !isBranch) return [...siblings];
  const left = siblings.filter(({ id }) => !kept.has(id));
  const rest = siblings.filter(({ id }) => kept.has(id));
  return [...left.flatMap((node) => ["left" as const, node]), ...rest.flatMap((node) => ["kept" as const, node])];
}
