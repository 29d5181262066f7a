import { clipLine } from "../core/text.ts";
import { clean } from "../ingest/prepare.ts";
import type { ChangeNote } from "../store/store.ts";
import type { Workbench } from "./workbench.ts";
import type { Author } from "./yore.ts";

const MAX_AUTHOR = 100;

/** Who makes a change now, as it stands in the history. */
export function noteOf(
  { clock, author }: Pick<Workbench, "clock" | "author">,
  { by, via = "cli" }: Author,
): ChangeNote {
  return { at: clock(), by: authorName(by ?? author) ?? "person", via };
}

function authorName(by: string | undefined): string | undefined {
  const name = by === undefined ? "" : clipLine(clean(by).replace(/\p{Cc}/gu, " "), MAX_AUTHOR);
  return name === "" ? undefined : name;
}
