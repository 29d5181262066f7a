import { join } from "node:path";

/**
 * Where a program works that Yore itself starts. What is worked there is Yore's own doing, and never becomes history. The
 * folder is made when the first one is started.
 */
export function insideFolderIn(yoreHome: string): string {
  return join(yoreHome, "inside");
}
