import { join } from "node:path";

export function archivePathIn(yoreHome: string): string {
  return join(yoreHome, "archive");
}

export function storePathIn(yoreHome: string): string {
  return join(yoreHome, "yore.db");
}
