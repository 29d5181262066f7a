import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { YoreError } from "../../core/errors.ts";

/**
 * Lets a person edit a text in the program that `command` names, in a file that is gone afterwards. The folder is one
 * that only its owner can open. Throws where the program does not end well; the text is as it was then.
 */
export function editText(text: string, command: string | undefined): string {
  if (command === undefined || command.trim() === "") {
    throw new YoreError("bad-input", "No editor is set.", {
      hint: "Set VISUAL or EDITOR, or give the text: `yore note <session> -` reads it from standard input.",
    });
  }
  const folder = mkdtempSync(join(tmpdir(), "yore-note-"));
  const path = join(folder, "note.md");
  try {
    writeFileSync(path, text === "" ? "" : `${text}\n`, { mode: 0o600 });
    // Through a shell, since the variable may hold options too; the path comes as an argument of it.
    const isWindows = process.platform === "win32";
    const { status } = isWindows
      ? spawnSync(`${command} "${path}"`, { shell: true, stdio: "inherit" })
      : spawnSync("sh", ["-c", `${command} "$@"`, "sh", path], { stdio: "inherit" });
    if (status === 0 && existsSync(path)) return readFileSync(path, "utf8");
    throw new YoreError("bad-input", "The editor did not end well, so nothing was changed.");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
