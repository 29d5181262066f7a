import { realpathSync } from "node:fs";
import manifest from "../../package.json" with { type: "json" };
import type { Settings } from "../config/settings.ts";
import { createInstaller } from "../install/create-installer.ts";
import type { Installer } from "../install/installer.ts";

/** What agents are told to start is what runs now: this Node, and the script behind whatever link led to it. */
export function openInstaller({ home, yoreHome, platform, variables }: Settings): Installer {
  return createInstaller({
    home,
    yoreHome,
    platform,
    variables,
    node: process.execPath,
    script: realpathSync(process.argv[1] ?? ""),
    version: manifest.version,
  });
}
