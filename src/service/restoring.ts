import { readdirSync, statSync } from "node:fs";

/** What the name of such a folder begins with; the process follows. */
export const STAGING = "restoring-";

/** Whether one was begun and did not come to its end, or goes on. */
export function isRestoring(yoreHome: string): boolean {
  return stagingIn(yoreHome).length > 0;
}

/** Folders into which backups are written out, or were. */
export function stagingIn(yoreHome: string): readonly string[] {
  // What else stands there is told when the store is opened.
  if (statSync(yoreHome, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(yoreHome).filter((name) => name.startsWith(STAGING) && /^\d+$/.test(name.slice(STAGING.length)));
}
