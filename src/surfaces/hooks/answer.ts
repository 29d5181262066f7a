import type { Host } from "./event.ts";
import { isFields } from "./fields.ts";
import {
  contextFor,
  type HookCall,
  type HookCapture,
  type HookMemory,
  type HookOptions,
  keep,
  mayTell,
} from "./handle.ts";
import { callerOf, eventOf, hostOf } from "./registry.ts";

export interface HookWorld {
  /** Each is opened when it is needed. Left out where hooks are to do nothing. */
  readonly parts:
    | {
        readonly memory: () => Promise<HookMemory>;
        readonly capture: (agent: string) => Promise<HookCapture>;
      }
    | undefined;
  readonly options: HookOptions;
  /** The folder that the agent called in. */
  readonly folder: string;
  readonly now: () => number;
  /** All of standard input. */
  readonly read: () => Promise<string>;
  /** Prints the answer. Called once at most. */
  readonly print: (text: string) => void;
  /** How long there is still time for what comes after the answer, in milliseconds. */
  readonly left: () => number;
}

/** Answers one event of an agent's session: hands over what it is told, or brings what it wrote into the store. */
export async function answerEvent(argv: readonly string[], world: HookWorld): Promise<void> {
  const { parts } = world;
  const { name, host } = asked(argv);
  const event = host === undefined ? undefined : eventOf(host, name);
  if (host === undefined || event === undefined || parts === undefined) return;
  const fields = parsed(await world.read());
  const caller = callerOf(host, fields);
  const input = caller.read(fields);
  const call: HookCall = { event, host, caller, input, folder: input.folder ?? world.folder };
  if (mayTell(call, world.options)) return hand(await parts.memory(), call, world);
  printSilence(host, world);
  const { session, paths } = input;
  const yore = await parts.capture(caller.agent);
  const budgetMs = world.left();
  await yore.capture({ agent: caller.agent, paths, budgetMs, ...(session !== undefined && { session }) });
}

/**
 * An agent waits for these events before it goes on, and what it wrote was brought in when its last turn ended; what is left
 * then is brought in when this one ends.
 */
async function hand(yore: HookMemory, call: HookCall, world: HookWorld): Promise<void> {
  const said = await contextFor(yore, call, world.options);
  if (said === undefined) return printSilence(call.host, world);
  world.print(JSON.stringify(call.host.answer(call.event, said.text)));
  await keep(yore, call, said, world.now());
}

/** What the agent that these arguments name understands as nothing to say. */
export function silenceFor(argv: readonly string[]): string | undefined {
  const { silence } = asked(argv).host ?? {};
  return silence === undefined ? undefined : JSON.stringify(silence);
}

function printSilence({ silence }: Host, { print }: HookWorld): void {
  if (silence !== undefined) print(JSON.stringify(silence));
}

function asked(argv: readonly string[]): { readonly name: string; readonly host: Host | undefined } {
  const at = argv.indexOf("--agent");
  const joined = argv.find((word) => word.startsWith(JOINED))?.slice(JOINED.length);
  const agent = joined ?? (at === -1 ? undefined : argv[at + 1]);
  const name = argv.find((word, index) => !word.startsWith("-") && (at === -1 || index !== at + 1)) ?? "";
  return { name, host: hostOf(agent) };
}

const JOINED = "--agent=";

function parsed(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
  if (!isFields(value)) throw new TypeError("An event is an object.");
  return value;
}
