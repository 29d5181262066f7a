/** What surfaces know of installing: plans to show, and what came of them. */
export interface Installer {
  /** Agents that can be connected, in the order in which they are told of. */
  readonly agents: readonly KnownAgent[];
  /** Without names: all agents that are found. Throws `bad-input` for a name that none has. */
  planInstall(agents: readonly string[], options: InstallOptions): Plan;
  /** Without names: all agents of which something was installed. */
  planUninstall(agents: readonly string[]): Plan;
  /** Makes the changes of a plan; a file that was changed meanwhile is left alone. */
  apply(plan: Plan): Outcome;
  /** A block of JSON for agents that are not known here. */
  print(): string;
  /** Looks whether what is configured works, by starting it. Only our own command lines are started. */
  check(): Promise<readonly WiringCheck[]>;
}

export interface KnownAgent {
  readonly agent: string;
  readonly name: string;
  readonly isFound: boolean;
}

export interface InstallOptions {
  /** Recall before a tool is used, too. */
  readonly toolRecall: boolean;
}

export interface Plan {
  readonly kind: "install" | "uninstall";
  readonly agents: readonly AgentPlan[];
  /** What a person should know before they say yes. */
  readonly warnings: readonly string[];
}

export interface AgentPlan {
  readonly agent: string;
  readonly name: string;
  readonly isFound: boolean;
  readonly files: readonly FilePlan[];
  /** What has to be done by hand afterwards. */
  readonly notes: readonly string[];
}

export interface FilePlan {
  readonly path: string;
  readonly change: "create" | "edit" | "remove" | "none" | "refused";
  /** Why it is left as it is; only of those that are refused. */
  readonly reason?: string;
  /** Lines of the change, for people, without secrets. */
  readonly diff: readonly string[];
}

export interface Outcome {
  /** Of files that a plan would change. */
  readonly files: readonly { readonly path: string; readonly agent: string; readonly failure?: string }[];
}

/** What was found where an agent is told to start Yore. */
export interface WiringCheck {
  readonly agent: string;
  readonly name: string;
  readonly path: string;
  /** What was looked at: a server, or the hooks. */
  readonly part: "server" | "hooks" | "file";
  readonly state: "ok" | "wrong";
  /** Where something is wrong: what, and what to do. */
  readonly message?: string;
  readonly remedy?: string;
  /** Whether it does not work at all. */
  readonly isBroken?: boolean;
}
