// What is published in `plugins`, looked at by the programs of those for whom it is.
import assert from "node:assert/strict";
import { join } from "node:path";
import { assertHas } from "./checks.mjs";
import { ROOT } from "./installs.mjs";

const PLUGINS = join(ROOT, "plugins");

export async function checkPlugins({ home, check, programs }) {
  for (const folder of ["claude-code", "claude-code/yore"]) {
    await check(`\`claude plugin validate --strict\` passes ${folder}`, async () => {
      const { code } = await home.run([programs.claude, "plugin", "validate", "--strict", join(PLUGINS, folder)]);
      assert.equal(code, 0, `exit code ${code}`);
    });
  }
  await check("`gemini extensions validate` passes", async () => {
    const extension = join(PLUGINS, "gemini-cli");
    const { code, stdout, stderr } = await home.run([
      programs.node24,
      programs.gemini,
      "extensions",
      "validate",
      extension,
    ]);
    assert.equal(code, 0, `exit code ${code}`);
    assertHas(stdout + stderr, "successfully validated", "what it printed");
  });
  await check("`mcpb validate` passes, and `mcpb pack` packs it", async () => {
    const bundle = join(PLUGINS, "claude-desktop");
    for (const args of [
      ["validate", join(bundle, "manifest.json")],
      ["pack", bundle, join(home.path, "yore.mcpb")],
    ]) {
      const { code } = await home.run([process.execPath, programs.mcpb, ...args]);
      assert.equal(code, 0, `exit code ${code} of ${args[0]}`);
    }
  });
}
