import { ResourceNotFoundError } from "@modelcontextprotocol/server";
import { YoreError } from "../../core/errors.ts";
import { neutralise } from "../../core/fence.ts";
import { formatDay } from "../../core/time.ts";
import type { Yore } from "../../service/yore.ts";
import { join, projectRecord, sessionRecord } from "./lines.ts";
import { textPage } from "./pages.ts";
import { observationBlocks } from "./record.ts";
import { clip, composeReply, countOf, MAX_REPLY_CHARS, oneLine } from "./reply.ts";

export const RESOURCE_KINDS = ["project", "session", "observation"] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

export interface ResourceContext {
  readonly yore: Yore;
  readonly timeZone?: string;
  readonly nonce: () => string;
}

const MARKDOWN = "text/markdown";

export const RESOURCE_TEMPLATES = [
  template("project", "Project", "A project: its folders, agents and latest sessions"),
  template("session", "Session", "Condensed context of a session"),
  template("observation", "Observation", "One observation, condensed"),
];

/** The latest projects and sessions. Titles are stored text: neutralised and on one line. */
export async function listResources(context: ResourceContext) {
  const [projects, sessions] = await Promise.all([
    context.yore.projects({ limit: 10 }),
    context.yore.sessions({ limit: 20 }),
  ]);
  return [
    ...projects.items.map((project) => ({
      ...describe("project", project.id, project.name),
      description: join([countOf(project.sessions, "session"), project.agents.join(", ")]),
    })),
    ...sessions.items.map((session) => ({
      ...describe("session", session.id, session.alias ?? session.title),
      description: join([
        session.startedAt === undefined ? "" : formatDay(session.startedAt, context.timeZone),
        session.agent,
        session.project.name,
      ]),
    })),
  ];
}

/** Throws the protocol's not-found error where the URI names nothing. */
export async function readResource(uri: string, context: ResourceContext) {
  const { kind, id } = parseUri(uri);
  const text = await READERS[kind](id, context).catch((error: unknown) => {
    if (error instanceof YoreError && (error.code === "not-found" || error.code === "ambiguous")) return undefined;
    throw error;
  });
  if (text === undefined) throw notFound(uri);
  return { contents: [{ uri, mimeType: MARKDOWN, text }] };
}

type Reader = (id: string, context: ResourceContext) => Promise<string | undefined>;

const READERS: Readonly<Record<ResourceKind, Reader>> = {
  async project(id, { yore, timeZone, nonce }) {
    const { items } = await yore.projects({ filter: { project: id }, limit: 50 });
    const project = items.find((item) => item.id === id);
    if (project === undefined) return undefined;
    const sessions = await yore.sessions({ filter: { project: id }, limit: 20 });
    return composeReply({
      nonce: nonce(),
      records: [projectRecord(project, timeZone), ...sessions.items.map((session) => sessionRecord(session, timeZone))],
      words: (shown) => ({ head: `A project and its latest ${countOf(shown - 1, "session")} of ${sessions.total}.` }),
    });
  },
  async session(id, { yore, timeZone, nonce }) {
    const { session, text, messagesLeftOut } = await yore.context({ session: id, budget: CONTEXT_TOKENS });
    const page = textPage([neutralise(text)], 0, MAX_REPLY_CHARS - ROOM_FOR_HEAD);
    const leftOut = messagesLeftOut === 0 ? "" : `; ${countOf(messagesLeftOut, "message")} left out`;
    return composeReply({
      nonce: nonce(),
      maxChars: MAX_REPLY_CHARS,
      records: [sessionRecord(session, timeZone), page?.text ?? ""],
      words: () => ({ head: `A session, condensed${leftOut}.` }),
    });
  },
  async observation(id, { yore, timeZone, nonce }) {
    const record = (await yore.observations({ ids: [id] })).observations.find((found) => found.id === id);
    if (record === undefined) return undefined;
    const page = textPage(observationBlocks(record, "condensed", timeZone), 0, MAX_REPLY_CHARS - ROOM_FOR_HEAD);
    return composeReply({
      nonce: nonce(),
      maxChars: MAX_REPLY_CHARS,
      records: [page?.text ?? ""],
      words: () => ({ head: `An observation, condensed${page?.next === undefined ? "" : " and cut"}.` }),
    });
  },
};

// The length is checked before the pattern sees it: templates have been a way to keep servers busy.
function parseUri(uri: string): { readonly kind: ResourceKind; readonly id: string } {
  const match = uri.length > MAX_URI_CHARS ? null : /^yore:\/\/([a-z]+)\/([^/?#]+)$/.exec(uri);
  const kind = RESOURCE_KINDS.find((known) => known === match?.[1]);
  const id = decode(match?.[2] ?? "");
  if (kind === undefined || id === undefined || id === "") throw notFound(uri);
  return { kind, id };
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function notFound(uri: string): ResourceNotFoundError {
  const shown = clip(uri, MAX_URI_CHARS);
  return new ResourceNotFoundError(shown, `Resource not found: ${oneLine(shown, 200)}`);
}

function describe(kind: ResourceKind, id: string, title: string) {
  return {
    uri: `yore://${kind}/${encodeURIComponent(id)}`,
    name: `${kind} ${oneLine(id, 80)}`,
    title: oneLine(title, 100),
    mimeType: MARKDOWN,
  };
}

function template(kind: ResourceKind, title: string, description: string) {
  return { name: kind, title, description, uriTemplate: `yore://${kind}/{id}`, mimeType: MARKDOWN };
}

const MAX_URI_CHARS = 2_048;
const CONTEXT_TOKENS = 2_000;
const ROOM_FOR_HEAD = 1_200;
