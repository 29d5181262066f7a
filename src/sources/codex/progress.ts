import { dropOldest } from "../bounded.ts";
import { asFields, type Fields, listOf, numberOf, pairsOf, stringsOf, textOf } from "../fields.ts";

/** Codex writes most things more than once. Each way of writing is counted apart. */
export const CHANNEL = { response: 0, event: 1, completed: 2 } as const;
export type Channel = (typeof CHANNEL)[keyof typeof CHANNEL];

/** Running token totals of the latest snapshot. */
export interface Totals {
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
  readonly total: number;
}

/** What holds for the records that follow. */
interface Setting {
  /** Id of the session_meta last seen: another session's while copied history is being read. */
  scope: string;
  turn?: string | undefined;
  cwd?: string | undefined;
  branch?: string | undefined;
  model?: string | undefined;
  /** When this session began, in milliseconds. */
  startedAt?: number | undefined;
  /** The session's own first session_meta was read. */
  hasMeta?: boolean | undefined;
  /** Another agent's prompts stand where a person's would. */
  isSubagent?: boolean | undefined;
  hasCwd?: boolean | undefined;
  /** Said before the folder was: together they tell which project it is. */
  repositoryUrl?: string | undefined;
  totals?: Totals | undefined;
  countsTokens?: boolean | undefined;
}

/**
 * What a reader remembers between two records. Bounded: entries of the current turn, and the latest calls.
 *
 * Ids are named after turns, not files, so that a copy of a turn in a fork gives the same ids. Where Codex wrote no
 * turn ids, a turn is the n-th prompt below a session_meta.
 */
export class Progress {
  readonly session: string;
  readonly setting: Setting;
  #settled = false;
  #prompts = 0;
  /** Nothing was said or done since the latest prompt. */
  #unanswered = false;
  readonly #told = new Map<string, number[]>();
  readonly #calls = new Map<string, string>();
  readonly #inScripts = new Set<string>();
  #scriptExits: readonly number[] = [];

  constructor(session: string) {
    this.session = session;
    this.setting = { scope: session };
  }

  /** No record was read yet. The first one settles whose session the file is. */
  get isFresh(): boolean {
    return !this.#settled;
  }

  settle(): void {
    this.#settled = true;
  }

  /** Names the turn in ids. */
  get label(): string {
    const { turn, scope } = this.setting;
    return turn === undefined ? `s:${scope}#${this.#prompts}` : `t:${turn}`;
  }

  enterScope(id: string): void {
    if (id === this.setting.scope) return;
    this.setting.scope = id;
    this.setting.turn = undefined;
    this.#forgetTurn();
  }

  enterTurn(turn: string | undefined): void {
    if (turn === undefined || turn === this.setting.turn) return;
    this.setting.turn = turn;
    this.#forgetTurn();
  }

  /** A prompt opens a turn where turns have no ids of their own. */
  prompted(key: string): void {
    if (this.setting.turn === undefined) {
      this.#prompts += 1;
      const counts = this.#told.get(key);
      this.#forgetTurn();
      if (counts !== undefined) this.#told.set(key, counts);
    }
    this.#unanswered = true;
  }

  answered(): void {
    this.#unanswered = false;
  }

  get isUnanswered(): boolean {
    return this.#unanswered;
  }

  /**
   * Counts one telling of `key` in a channel. Gives its number within the turn, or undefined where another channel
   * has told this one before.
   */
  tell(key: string, channel: Channel): number | undefined {
    const counts = this.#told.get(key);
    if (counts === undefined) {
      this.#told.set(key, firstTold(channel));
      dropOldest(this.#told, MAX_TOLD);
      return 1;
    }
    const before = Math.max(...counts);
    const now = (counts[channel] ?? 0) + 1;
    counts[channel] = now;
    return now > before ? now : undefined;
  }

  rememberCall(id: string, name: string): void {
    this.#calls.set(id, name);
    dropOldest(this.#calls, MAX_CALLS);
  }

  /** Name of the tool behind a call that a response item made. */
  callName(id: string | undefined): string | undefined {
    return id === undefined ? undefined : this.#calls.get(id);
  }

  /** Something that a code-mode script of this turn says it does. */
  rememberInScript(what: string): void {
    this.#inScripts.add(what);
    dropOldest(this.#inScripts, MAX_IN_SCRIPTS);
  }

  isInScript(what: string): boolean {
    return this.#inScripts.has(what);
  }

  beginScript(): void {
    this.#scriptExits = [];
  }

  /** A command of the latest code-mode script has ended. */
  endInScript(exitCode: number): void {
    this.#scriptExits = [...this.#scriptExits, exitCode].slice(0, 2);
  }

  /** Exit code of the latest code-mode script's command; undefined unless one alone has ended. */
  get scriptExit(): number | undefined {
    return this.#scriptExits.length === 1 ? this.#scriptExits[0] : undefined;
  }

  state(): unknown {
    return {
      session: this.session,
      settled: this.#settled,
      setting: { ...this.setting },
      prompts: this.#prompts,
      unanswered: this.#unanswered,
      told: Array.from(this.#told, ([key, counts]) => [key, ...counts]),
      calls: [...this.#calls],
      inScripts: [...this.#inScripts],
      scriptExits: this.#scriptExits,
    };
  }

  /** Goes on from an earlier `state()`; undefined where it is none. */
  static from(state: unknown): Progress | undefined {
    const fields = asFields(state);
    const session = textOf(fields?.session);
    const setting = asFields(fields?.setting);
    if (fields === undefined || session === undefined || setting === undefined) return undefined;
    const progress = new Progress(session);
    Object.assign(progress.setting, settingFrom(setting, session));
    progress.#settled = fields.settled === true;
    progress.#prompts = numberOf(fields.prompts) ?? 0;
    progress.#unanswered = fields.unanswered === true;
    for (const entry of listOf(fields.told)) {
      const [key, ...counts] = listOf(entry);
      if (typeof key === "string")
        progress.#told.set(
          key,
          counts.map((count) => numberOf(count) ?? 0),
        );
    }
    for (const [id, name] of pairsOf(fields.calls)) progress.#calls.set(id, name);
    for (const what of stringsOf(fields.inScripts)) progress.#inScripts.add(what);
    progress.#scriptExits = listOf(fields.scriptExits).flatMap((code) => numberOf(code) ?? []);
    return progress;
  }

  /**
   * Forgets what was told, except prompts that came in one channel only and were not answered: their second copy may
   * stand behind the record that opens the turn.
   */
  #forgetTurn(): void {
    this.#inScripts.clear();
    for (const [key, counts] of this.#told) {
      const isHalfTold = counts.filter((count) => count > 0).length === 1;
      if (!(this.#unanswered && isHalfTold && key.startsWith(PROMPT_KEY))) this.#told.delete(key);
    }
  }
}

/** How keys of prompts begin, whoever gave the prompt. */
export const PROMPT_KEY = "human/text:";

const MAX_TOLD = 512;
const MAX_CALLS = 128;
const MAX_IN_SCRIPTS = 256;

function firstTold(channel: Channel): number[] {
  const counts = [0, 0, 0];
  counts[channel] = 1;
  return counts;
}

function settingFrom(fields: Fields, session: string): Setting {
  return {
    scope: textOf(fields.scope) ?? session,
    turn: textOf(fields.turn),
    cwd: textOf(fields.cwd),
    branch: textOf(fields.branch),
    model: textOf(fields.model),
    startedAt: numberOf(fields.startedAt),
    hasMeta: fields.hasMeta === true,
    isSubagent: fields.isSubagent === true,
    hasCwd: fields.hasCwd === true,
    repositoryUrl: textOf(fields.repositoryUrl),
    totals: totalsFrom(asFields(fields.totals)),
    countsTokens: fields.countsTokens === true,
  };
}

function totalsFrom(fields: Fields | undefined): Totals | undefined {
  if (fields === undefined) return undefined;
  const count = (key: string): number => numberOf(fields[key]) ?? 0;
  return {
    input: count("input"),
    cached: count("cached"),
    written: count("written"),
    output: count("output"),
    total: count("total"),
  };
}
