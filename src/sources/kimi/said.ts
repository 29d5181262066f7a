import { type Fields, fieldsOf, textOf } from "../fields.ts";
import { contentText } from "./content.ts";

/** What a message that stands in the user's name is. */
export type Said =
  | { readonly kind: "prompt" | "command" | "task" | "notice" | "summary"; readonly text: string }
  | { readonly kind: "output"; readonly text: string; readonly isError: boolean };

/** Tells a person's words from what Kimi CLI put in, by the tag that a text begins with. */
export function readText(text: string): Said {
  const words = text.trim();
  if (CHECKPOINT.test(words)) return { kind: "notice", text: "" };
  if (words.startsWith(COMPACTED)) return { kind: "summary", text: words.slice(COMPACTED.length) };
  const system = SYSTEM.exec(words)?.[1];
  if (system !== undefined) return { kind: "notice", text: system };
  const typed = words.replace(REMINDERS, "");
  if (typed !== "" && typed !== words) return { kind: "prompt", text: typed };
  return { kind: INJECTED.test(words) ? "notice" : "prompt", text: words };
}

/**
 * Tells a person's words from what Kimi Code put in, by the message's `origin`. Kinds that aren't known are the
 * machine's; without an origin it is a person's.
 */
export function readOrigin(message: Fields): Said {
  const origin = fieldsOf(message.origin);
  const text = contentText(message.content);
  switch (origin.kind) {
    case undefined:
    case "user":
      // Sessions that were imported from Kimi CLI have its tags.
      return readText(text);
    case "skill_activation":
      return origin.trigger === "user-slash" ? command(origin.skillName, origin.skillArgs) : { kind: "notice", text };
    case "plugin_command":
      return command([origin.pluginId, origin.commandName].filter(textOf).join(":"), origin.commandArgs);
    case "shell_command":
      return readShell(text, origin);
    case "compaction_summary":
      return { kind: "summary", text };
    case "system_trigger":
      return { kind: origin.name === "subagent" ? "task" : "notice", text };
    default:
      return { kind: "notice", text };
  }
}

/** What a forked agent is for: a person's side question, or a task of its spawner. */
export type ForkMark = "aside" | "subagent";

/** The mark that ends what a forked agent's file copied: all that follows is its own. */
export function forkMark(message: Fields): ForkMark | undefined {
  const { kind, name, variant } = fieldsOf(message.origin);
  if (kind === "system_trigger" && name === "subagent") return "subagent";
  if (kind === "system_trigger" && name === "btw") return "aside";
  return kind === "injection" && variant === "btw" ? "aside" : undefined;
}

const CHECKPOINT = /^<system>CHECKPOINT \d+<\/system>$/;
const COMPACTED = "<system>Previous context has been compacted. Here is the compaction output:</system>";
const SYSTEM = /^<system>([\s\S]*)<\/system>$/;
/** Put before what a person typed; of no worth to others. */
const REMINDERS = /^(?:<(system-reminder|notification)\b[^>]*>[\s\S]*?<\/\1>\s*)+/;
const INJECTED = /^<(?:system|system-reminder|notification)[\s>]/;

/** What was typed; the message itself holds the skill's or the command's own text. */
function command(name: unknown, args: unknown): Said {
  return { kind: "command", text: `/${textOf(name) ?? ""} ${textOf(args) ?? ""}`.trim() };
}

/** A command that was run with `!`, and what it printed. */
function readShell(text: string, origin: Fields): Said {
  const input = INPUT.exec(text)?.[1];
  if (origin.phase !== "output" && input !== undefined) return { kind: "command", text: `!${unescaped(input).trim()}` };
  const printed = Array.from(text.matchAll(OUTPUT), (match) => match[2] ?? "").filter((part) => part.trim() !== "");
  return {
    kind: "output",
    text: unescaped(printed.length === 0 ? text.replace(OUTPUT, "") : printed.join("\n")),
    isError: origin.isError === true,
  };
}

const INPUT = /<bash-input>([\s\S]*?)<\/bash-input>/;
const OUTPUT = /<bash-(stdout|stderr)>([\s\S]*?)<\/bash-\1>/g;
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", "#39": "'" };

function unescaped(text: string): string {
  return text.replace(/&(lt|gt|amp|quot|apos|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
