import { isAbsolute, join } from "node:path";
import { yamlEdit } from "../edit/yaml.ts";
import { ABOUT } from "../guide.ts";
import { given, type Host, type Machine } from "../host.ts";
import { serverCommand } from "../program.ts";

const EXTENSION = ["extensions", "yore"] as const;
/** In seconds, as Goose has it for those that it adds itself. */
const TIMEOUT = 300;

export const goose: Host = {
  agent: "goose",
  name: "Goose",
  programs: ["goose"],
  folders: (machine) => [configFolder(machine)],
  notes: [],
  files: (wish) => {
    const { command, args } = serverCommand(wish.program);
    return [
      {
        name: "config",
        path: join(configFolder(wish.machine), "config.yaml"),
        edit: yamlEdit(
          EXTENSION,
          {
            enabled: true,
            type: "stdio",
            name: "yore",
            description: ABOUT,
            cmd: command,
            args,
            envs: wish.program.variables,
            env_keys: [],
            timeout: TIMEOUT,
          },
          [["envs", "YORE_HOME"]],
        ),
      },
    ];
  },
  wiring: (machine) => [{ path: join(configFolder(machine), "config.yaml"), format: "yaml", server: EXTENSION }],
};

function configFolder(machine: Machine): string {
  const { home, platform } = machine;
  const root = given(machine, "GOOSE_PATH_ROOT");
  if (root !== undefined && isAbsolute(root)) return join(root, "config");
  if (platform === "win32") {
    return join(given(machine, "APPDATA") ?? join(home, "AppData", "Roaming"), "Block", "goose", "config");
  }
  return join(given(machine, "XDG_CONFIG_HOME") ?? join(home, ".config"), "goose");
}
