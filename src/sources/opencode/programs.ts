import { isAbsolute, join } from "node:path";
import type { SourceEnvironment } from "../source.ts";

/** A program that writes OpenCode's history: OpenCode itself, or one that came from it. */
export interface Program {
  /** Name of its database. */
  readonly usual: string;
  /** Names of its databases, of any release channel. */
  readonly database: RegExp;
  /** Variable that names another database: a path, or a name in the data folder. */
  readonly variable: string;
  dataFolders(environment: SourceEnvironment): readonly string[];
}

export const OPENCODE: Program = {
  usual: "opencode.db",
  database: /^opencode(?:-[\w.-]+)?\.db$/,
  variable: "OPENCODE_DB",
  dataFolders: (environment) => [dataFolder(environment, "opencode"), ...supportFolder(environment, "opencode")],
};

/** Kilo's databases had OpenCode's name before they had its own. */
export const KILO: Program = {
  usual: "kilo.db",
  database: /^(?:kilo|opencode)(?:-[\w.-]+)?\.db$/,
  variable: "KILO_DB",
  dataFolders: (environment) => [dataFolder(environment, "kilo"), ...supportFolder(environment, "kilo")],
};

export const MIMO_CODE: Program = {
  usual: "mimocode.db",
  database: /^mimocode(?:-[\w.-]+)?\.db$/,
  variable: "MIMOCODE_DB",
  dataFolders: (environment) => {
    const home = environment.variables.MIMOCODE_HOME;
    return [home !== undefined && isAbsolute(home) ? join(home, "data") : dataFolder(environment, "mimocode")];
  },
};

/** The database that the program's variable names; undefined where there is none, or one in memory alone. */
export function namedDatabase(program: Program, environment: SourceEnvironment): string | undefined {
  const name = environment.variables[program.variable]?.trim();
  if (name === undefined || name === "" || name === ":memory:") return undefined;
  return isAbsolute(name) ? name : join(program.dataFolders(environment)[0] ?? environment.home, name);
}

/** All systems have it in the same place, Windows too: the programs go by the XDG folders alone. */
function dataFolder({ home, variables }: SourceEnvironment, name: string): string {
  return join(variables.XDG_DATA_HOME || join(home, ".local", "share"), name);
}

/** Some builds went by the customs of macOS. */
function supportFolder({ home, platform }: SourceEnvironment, name: string): readonly string[] {
  return platform === "darwin" ? [join(home, "Library", "Application Support", name)] : [];
}
