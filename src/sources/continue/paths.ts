import { join, resolve } from "node:path";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";
import { Walk } from "../walk.ts";

/** The folder of sessions, of the editors' extension and of `cn` alike. */
export function continueRoots({ home, variables }: SourceEnvironment): readonly string[] {
  const own = variables.CONTINUE_GLOBAL_DIR?.trim();
  return [join(own === undefined || own === "" ? join(home, ".continue") : resolve(own), "sessions")];
}

/** Sessions by name, then what could not be looked at. */
export function findSessions(environment: SourceEnvironment): (FoundFile | FindProblem)[] {
  const walk = new Walk();
  const found = new Map<string, FoundFile>();
  const file = (path: string, name: string): void => {
    if (SESSION.test(name) && name !== INDEX) found.set(path, { path, unit: "document" });
  };
  for (const root of continueRoots(environment)) walk.start(root, { file });
  return [...found.values(), ...walk.problems];
}

/** Id of the session that a file is named after: Continue itself goes by the name. */
export function sessionOf(path: string): string {
  return (path.split(/[\\/]/).at(-1) ?? path).replace(/\.json$/, "");
}

/** The list of all sessions, which stands beside them. */
export function indexFile(path: string): string {
  return path.replace(/[^\\/]*$/, INDEX);
}

const INDEX = "sessions.json";
const SESSION = /^[^.].*\.json$/;
