import type { Page } from "../../service/yore.ts";
import type { Context } from "./command.ts";
import { EXIT, type ExitCode } from "./errors.ts";
import { describePage } from "./options.ts";
import { describeStaleness } from "./screen.ts";
import { oneLine } from "./text.ts";

/** How a page of a listing is printed. */
interface Listing<T> {
  /** Key of the items in JSON, and what they are called. */
  readonly name: string;
  readonly toJson: (item: T) => unknown;
  readonly toLines: (items: readonly T[]) => readonly string[];
}

export function printListing<T>(page: Page<T>, listing: Listing<T>, { screen, json }: Context): ExitCode {
  if (json) screen.printJson({ [listing.name]: page.items.map(listing.toJson) });
  else if (page.items.length > 0) screen.print(...listing.toLines(page.items));
  if (!json) {
    const note =
      page.items.length === 0 ? describeEmpty(page, listing.name) : describePage(page.items.length, page.total);
    if (note !== undefined) screen.note(note);
  }
  for (const warning of page.warnings ?? []) screen.warn(oneLine(warning));
  const staleness = describeStaleness(page.freshness);
  if (staleness !== undefined) screen.note(staleness);
  return page.items.length > 0 ? EXIT.done : EXIT.nothingFound;
}

function describeEmpty(page: Page<unknown>, name: string): string {
  return page.total > 0
    ? `no ${name} left: there are ${page.total}, and --offset is ${page.offset}`
    : `no ${name} found`;
}
