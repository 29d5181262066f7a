import type { Part, Role } from "../core/session.ts";
import type { Store, StoredMessage, StoredSession } from "../store/store.ts";

/** A session can have more messages than should be held at once. */
const PAGE = 500;

interface Spoken {
  readonly roles?: readonly Role[];
  readonly parts?: readonly Part[];
}

/** What was said and done, without thinking and notices. */
export const SPOKEN: Spoken = {
  roles: ["human", "assistant", "tool", "summary"],
  parts: ["text", "call", "result"],
};

/** All messages of a session in order. */
export async function* messagesOf(
  store: Store,
  { id }: StoredSession,
  options: Spoken = {},
): AsyncGenerator<StoredMessage> {
  for (let offset = 0; ; offset += PAGE) {
    const { items } = await store.sessions.messages(id, options, { offset, limit: PAGE });
    yield* items;
    if (items.length < PAGE) return;
  }
}
