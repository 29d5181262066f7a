import { existsSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PATH = fileURLToPath(new URL("../../../shared/samples/home", import.meta.url));

/**
 * A home folder of real transcripts, which lies beside the project and is no part of it. With every link resolved, as
 * found files are. It may be missing: whoever needs it says that it did not run.
 */
export const SAMPLES_HOME = existsSync(PATH) ? realpathSync(PATH) : PATH;
