import type { Yore } from "../../service/yore.ts";
import { joinLines, oneLine, staleWords } from "./reply.ts";

/** What to say when nothing is indexed at all; undefined when something is. */
export async function emptyStoreWords(yore: Yore): Promise<string | undefined> {
  const status = await yore.status();
  if (status.sessions > 0) return undefined;
  return joinLines(
    "Nothing is remembered yet: no session of any coding agent is indexed on this machine.",
    staleWords(status.freshness),
    await folderWords(yore),
    "Next: run `yore index` in a terminal (the first run takes in the history that is already there), then ask again. `yore doctor` shows what was found and what could not be read.",
  );
}

async function folderWords(yore: Yore): Promise<string> {
  const { agents } = await yore.doctor();
  const folders = agents.flatMap((agent) =>
    agent.roots.map((root) => `- ${agent.name}: ${oneLine(root.path, 200)}${root.exists ? "" : " (not there)"}`),
  );
  return folders.length === 0 ? "" : joinLines("Folders that are read:", ...folders.slice(0, 30));
}
