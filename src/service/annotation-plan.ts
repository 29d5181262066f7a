import { isWithinCollection, MAX_LEVELS, MAX_NAME, normaliseCollection, normaliseName } from "../core/annotation.ts";
import { YoreError } from "../core/errors.ts";
import { clean } from "../ingest/prepare.ts";
import type { AnnotationReader, SessionKey } from "../store/store.ts";
import type { AnnotationDraft } from "./annotation-draft.ts";
import { MAX_NOTE, tidyNote, tidyReason } from "./note-text.ts";
import type { AnnotateRequest, AnnotationKind, AnnotationOutcome } from "./yore.ts";

/** One thing to do to one session. Throws `YoreError` where it cannot be done, before it has drafted anything. */
export interface Task {
  /** The session as the request names it, or the session itself. */
  readonly target: string | SessionKey;
  readonly kind: AnnotationKind;
  /** As it was asked for; what it is stored as comes with the outcome. */
  readonly name: string;
  readonly run: (draft: AnnotationDraft, session: SessionKey) => Promise<Done>;
}

export type Done = Pick<AnnotationOutcome, "name" | "outcome" | "was">;

/** What a request asks for, thing by thing. Throws what is wrong with all of it. */
export async function tasksOf(request: AnnotateRequest, reader: AnnotationReader): Promise<readonly Task[]> {
  switch (request.kind) {
    case "alias":
      return [{ target: request.session, kind: "alias", name: request.alias, run: setAlias(request.alias) }];
    case "unalias":
      return [{ target: request.session, kind: "alias", name: "", run: takeOff("alias") }];
    case "tags":
      return request.items.flatMap(({ session: target, add = [], remove = [] }) => [
        ...add.map((tag): Task => ({ target, kind: "tag", name: tag, run: addTag(tag) })),
        ...remove.map((tag): Task => ({ target, kind: "tag", name: tag, run: removeTag(tag) })),
      ]);
    case "rename-tag":
      return renameTag(request.tag, request.to, reader);
    case "note":
      return [{ target: request.session, kind: "note", name: "", run: setNote(request.text, request.append ?? false) }];
    case "unnote":
      return [{ target: request.session, kind: "note", name: "", run: takeOff("note") }];
    case "pin":
      return request.sessions.map((target) => ({ target, kind: "pin", name: "", run: pin(request.decision) }));
    case "unpin":
      return request.sessions.map((target) => ({ target, kind: "pin", name: "", run: takeOff("pin") }));
    case "collect":
    case "uncollect": {
      const path = requireCollection(request.collection);
      const run = request.kind === "collect" ? collect(path) : uncollect(path);
      return request.sessions.map((target) => ({ target, kind: "collection", name: path, run }));
    }
    case "forget":
      return request.sessions.map((target) => ({ target, kind: "forgotten", name: "", run: forget(request.reason) }));
    case "unforget":
      return request.sessions.map((target) => ({ target, kind: "forgotten", name: "", run: takeOff("forgotten") }));
    case "rename-collection":
      return renameCollection(request.collection, request.to, reader);
  }
}

function setAlias(asked: string): Task["run"] {
  return async (draft, session) => {
    const alias = requireName(asked, "alias");
    const was = await draft.value("alias", session);
    if (was === alias) return { name: alias, outcome: "unchanged", was };
    await draft.requireFree(alias, session);
    draft.set({ kind: "alias", session, key: "" }, alias);
    return changed(alias, was);
  };
}

function addTag(asked: string): Task["run"] {
  return async (draft, session) => {
    const tag = requireName(asked, "tag");
    if (await draft.hasTag(session, tag)) return { name: tag, outcome: "unchanged", was: tag };
    if ((await draft.value("untag", session, tag)) !== undefined)
      draft.set({ kind: "untag", session, key: tag }, undefined);
    if (!(await draft.hasTag(session, tag))) draft.set({ kind: "tag", session, key: tag }, "");
    return { name: tag, outcome: "added" };
  };
}

function removeTag(asked: string): Task["run"] {
  return async (draft, session) => {
    const tag = requireName(asked, "tag");
    if (!(await draft.hasTag(session, tag))) return { name: tag, outcome: "unchanged" };
    if ((await draft.value("tag", session, tag)) !== undefined)
      draft.set({ kind: "tag", session, key: tag }, undefined);
    // The agent's history goes on telling of it, so that it was removed has to be remembered.
    if (await draft.hasTag(session, tag)) draft.set({ kind: "untag", session, key: tag }, "");
    return { name: tag, outcome: "removed", was: tag };
  };
}

async function renameTag(from: string, to: string, reader: AnnotationReader): Promise<Task[]> {
  const [tag, name] = [requireName(from, "tag"), requireName(to, "tag")];
  if (tag === name) throw new YoreError("bad-input", "The tag is called that already.");
  const sessions = await reader.taggedWith(tag);
  if (sessions.length === 0) {
    throw new YoreError("not-found", "No session has that tag.", { hint: "`yore tags` lists those there are." });
  }
  return sessions.map((target) => ({
    target,
    kind: "tag",
    name,
    run: async (draft, session) => {
      await removeTag(tag)(draft, session);
      await addTag(name)(draft, session);
      return { name, outcome: "changed", was: tag };
    },
  }));
}

function setNote(text: string, append: boolean): Task["run"] {
  return async (draft, session) => {
    const was = await draft.value("note", session);
    const added = tidyNote(text);
    const note = append && was !== undefined && added !== "" ? `${was}\n\n${added}` : added;
    if (added === "") {
      throw new YoreError("bad-input", "The note is empty.", { hint: "Give its text, or remove the note instead." });
    }
    if (text.length > MAX_NOTE || note.length > MAX_NOTE)
      throw new YoreError("bad-input", `A note has at most ${MAX_NOTE} characters.`);
    if (note === was) return { name: "", outcome: "unchanged", was };
    draft.set({ kind: "note", session, key: "" }, note);
    return changed("", was);
  };
}

/** A pin that stands for a decision stays so, unless another one is named. */
function pin(decision: string | undefined): Task["run"] {
  return async (draft, session) => {
    const was = await draft.value("pin", session);
    if (was !== undefined && (decision === undefined || decision === was)) {
      return { name: was, outcome: "unchanged", was };
    }
    draft.set({ kind: "pin", session, key: "" }, decision ?? "");
    return changed(decision ?? "", was);
  };
}

/** What is forgotten already stays so for the reason it had, unless another one is given. */
function forget(asked: string | undefined): Task["run"] {
  return async (draft, session) => {
    const was = await draft.value("forgotten", session);
    const reason = tidyReason(asked ?? was ?? "");
    if (reason === was) return { name: reason, outcome: "unchanged", was };
    draft.set({ kind: "forgotten", session, key: "" }, reason);
    return changed(reason, was);
  };
}

function collect(path: string): Task["run"] {
  return async (draft, session) => {
    if ((await draft.value("collection", session, path)) !== undefined)
      return { name: path, outcome: "unchanged", was: path };
    draft.set({ kind: "collection", session, key: path }, "");
    return { name: path, outcome: "added" };
  };
}

function uncollect(path: string): Task["run"] {
  return async (draft, session) => {
    if ((await draft.value("collection", session, path)) === undefined) return { name: path, outcome: "unchanged" };
    draft.set({ kind: "collection", session, key: path }, undefined);
    return { name: path, outcome: "removed", was: path };
  };
}

async function renameCollection(from: string, to: string, reader: AnnotationReader): Promise<Task[]> {
  const [outer, wanted] = [requireCollection(from), requireCollection(to)];
  if (outer === wanted) throw new YoreError("bad-input", "The collection is called that already.");
  const members = (await reader.all("collection")).filter(({ key }) => isWithinCollection(key, outer));
  if (members.length === 0) {
    throw new YoreError("not-found", "There is no such collection.", {
      hint: "`yore collections` lists those there are.",
    });
  }
  return members.map(({ session: target, key }) => {
    const name = requireCollection(`${wanted}${key.slice(outer.length)}`);
    return {
      target,
      kind: "collection",
      name,
      run: async (draft, session) => {
        await uncollect(key)(draft, session);
        await collect(name)(draft, session);
        return { name, outcome: "changed", was: key };
      },
    };
  });
}

function takeOff(kind: "alias" | "note" | "pin" | "forgotten"): Task["run"] {
  return async (draft, session) => {
    const was = await draft.value(kind, session);
    const name = kind === "note" ? "" : (was ?? "");
    if (was === undefined) return { name, outcome: "unchanged" };
    draft.set({ kind, session, key: "" }, undefined);
    return { name, outcome: "removed", was };
  };
}

function changed(name: string, was: string | undefined): Done {
  return was === undefined ? { name, outcome: "added" } : { name, outcome: "changed", was };
}

/** Looked at before it is put into lower case, which would hide a secret. */
function requireName(text: string, what: "alias" | "tag"): string {
  const name = text.length <= MAX_NAME * 4 && clean(text) === text ? normaliseName(text) : undefined;
  if (name !== undefined) return name;
  throw new YoreError("bad-input", `That cannot be ${what === "alias" ? "an alias" : "a tag"}.`, {
    hint: `It has up to ${MAX_NAME} letters and digits, with . _ / - between them, such as auth-rework. It must not hold a secret.`,
  });
}

function requireCollection(text: string): string {
  const isBounded = text.length <= (MAX_NAME + 1) * MAX_LEVELS * 4;
  const path = isBounded && clean(text) === text ? normaliseCollection(text) : undefined;
  if (path !== undefined) return path;
  throw new YoreError("bad-input", "That cannot be a collection.", {
    hint: `It is a path of up to ${MAX_LEVELS} names, such as work/api/auth; a name has up to ${MAX_NAME} letters and digits, with . _ - between them.`,
  });
}
