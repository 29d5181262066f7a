import type { Freshness, Yore } from "../../service/yore.ts";
import { joinLines, oneLine, staleWords } from "./reply.ts";

/** What to say when nothing is indexed at all; undefined when something is. `freshness`: of the reply that was empty. */
export async function emptyStoreWords(yore: Yore, freshness: Freshness): Promise<string | undefined> {
  if ((await yore.status()).sessions > 0) return undefined;
  // Asking which folders are read waits for a pass that is under way, which can take minutes.
  if (freshness.stale !== undefined) {
    return joinLines(
      "Nothing is remembered yet, but the history on this machine is being read for the first time.",
      staleWords(freshness),
      "Next: ask again in a minute, or run `yore index` in a terminal to see how far it is.",
    );
  }
  return joinLines(
    "Nothing is remembered yet: no session of any coding agent is indexed on this machine.",
    await folderWords(yore),
    "Next: run `yore index` in a terminal (the first run takes in the history that is already there), then ask again. `yore doctor` shows what was found and what could not be read.",
  );
}

async function folderWords(yore: Yore): Promise<string> {
  const { agents } = await yore.doctor();
  const folders = agents.map(({ name, roots }) => {
    const root = roots.find((one) => one.exists) ?? roots[0];
    return `- ${name}: ${oneLine(root?.path ?? "", 200)}${root?.exists === true ? "" : " (not there)"}`;
  });
  return folders.length === 0 ? "" : joinLines("Folders that are read:", ...folders.slice(0, 30));
}
