import type { Host } from "./event.ts";
import { isFields } from "./fields.ts";
import { contextFor, type HookCall, type HookOptions, type HookYore, keep } from "./handle.ts";
import { callerOf, eventOf, hostOf } from "./registry.ts";

export interface HookWorld {
  /** Left out where hooks are to do nothing. */
  readonly open: ((agent: string) => Promise<HookYore>) | undefined;
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

/** Answers one event of an agent's session: hands over what it is told, then brings what it wrote into the store. */
export async function answerEvent(argv: readonly string[], world: HookWorld): Promise<void> {
  const { name, host } = asked(argv);
  const event = host === undefined ? undefined : eventOf(host, name);
  if (host === undefined || event === undefined || world.open === undefined) return;
  const fields = parsed(await world.read());
  const caller = callerOf(host, fields);
  const input = caller.read(fields);
  const call: HookCall = { event, host, caller, input, folder: input.folder ?? world.folder };
  const yore = await world.open(caller.agent);
  const said = await contextFor(yore, call, world.options);
  if (said === undefined) printSilence(host, world);
  else {
    world.print(JSON.stringify(host.answer(event, said.text)));
    await keep(yore, call, said, world.now());
  }
  const { session, paths } = input;
  const budgetMs = world.left();
  await yore.capture({ agent: caller.agent, paths, budgetMs, ...(session !== undefined && { session }) });
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
