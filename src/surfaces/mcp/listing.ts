import type { Page } from "../../service/yore.ts";
import { type PagedInput, pastTheEnd } from "./cursor.ts";
import { emptyStoreWords } from "./empty.ts";
import { composeReply, countOf, formatCount, joinLines, moreWords, staleWords, warningRecords } from "./reply.ts";
import type { ToolContext } from "./tool.ts";

/** Shows one page of a list, or says why there is nothing to show. */
export async function showPage<T>(
  page: Page<T>,
  list: {
    readonly input: PagedInput;
    readonly context: ToolContext;
    /** Of one item: `session`. */
    readonly noun: string;
    /** How the list is ordered: `newest activity first`. */
    readonly order: string;
    readonly record: (item: T) => string;
    /** What to do with what was found. */
    readonly next: string;
    /** What to do when nothing was. */
    readonly otherwise: string;
  },
): Promise<string> {
  const { context, input, noun } = list;
  if (page.items.length === 0 && page.offset > 0) throw pastTheEnd();
  if (page.items.length === 0) {
    const empty = await emptyStoreWords(context.yore, page.freshness);
    return (
      empty ??
      joinLines(
        `No ${noun} matches.`,
        ...warningRecords(page.warnings, context),
        staleWords(page.freshness),
        list.otherwise,
      )
    );
  }
  return composeReply({
    nonce: context.nonce(),
    records: page.items.map(list.record),
    words: (shown) => {
      const next = page.offset + shown;
      return {
        head: joinLines(
          `${formatCount(page.offset + 1)}–${formatCount(next)} of ${countOf(page.total, noun)}, ${list.order}.`,
          staleWords(page.freshness),
        ),
        more: next < page.total ? moreWords(context.paging.next(input, next)) : undefined,
        tail: list.next,
      };
    },
  });
}
