import { YoreError } from "../../src/core/errors.ts";
import type {
  AnnotateRequest,
  AnnotationChange,
  AnnotationKind,
  AnnotationOutcome,
  SessionSummary,
  Yore,
} from "../../src/service/yore.ts";

type Annotations = Pick<
  Yore,
  "annotate" | "undoAnnotation" | "annotations" | "annotationLog" | "forgotten" | "pins" | "collections"
>;

export interface FakeAnnotationDeps {
  /** Throws as the service does. */
  readonly find: (name: string) => SessionSummary;
  readonly all: () => readonly SessionSummary[];
  readonly freshness: { readonly indexedAt?: number };
  readonly at: number;
  readonly log: (method: keyof Annotations, request?: unknown) => void;
}

/** Annotations that are told as done, and change nothing: what a session has already is unchanged. */
export function fakeAnnotations({ find, all, freshness, at, log }: FakeAnnotationDeps): Annotations {
  const page = <T>(items: readonly T[]) => ({ items, total: items.length, offset: 0, freshness });
  const change = (summary: SessionSummary, number = 1): AnnotationChange => ({
    number,
    at,
    by: "person",
    via: "cli",
    edits: [{ kind: "tag", session: { id: summary.id, title: summary.title, agent: summary.agent }, became: "mcp" }],
  });
  const first = (): SessionSummary => {
    const [summary] = all();
    if (summary === undefined) throw new YoreError("not-found", "There is no change to undo.");
    return summary;
  };

  return {
    async annotate(request) {
      log("annotate", request);
      const wanted = wantedOf(request);
      const isOne = new Set(wanted.map(({ asked }) => asked)).size === 1;
      const outcomes = wanted.map(({ asked, kind, name, removes }): AnnotationOutcome => {
        try {
          const summary = find(asked);
          const session = { id: summary.id, title: summary.title };
          const has = stands(summary, kind, name);
          if (has !== removes) {
            return { asked, session, kind, name, outcome: "unchanged", ...(has && { was: name }) };
          }
          return { asked, session, kind, name, outcome: removes ? "removed" : "added" };
        } catch (error) {
          if (isOne || !(error instanceof YoreError)) throw error;
          const { code, message, hint } = error;
          return {
            asked,
            kind,
            name,
            outcome: "failed",
            problem: { code, message, ...(hint !== undefined && { hint }) },
          };
        }
      });
      const isChange = outcomes.some(({ outcome }) => outcome !== "unchanged" && outcome !== "failed");
      if (outcomes.length > 0) return { ...(isChange && { number: 1 }), outcomes, warnings: [] };
      const [summary] = all();
      const renamed = { asked: summary?.id ?? "", kind: "tag", name: "new", outcome: "changed", was: "old" } as const;
      return { number: 1, outcomes: [renamed], warnings: [] };
    },
    async undoAnnotation(request = {}) {
      log("undoAnnotation", request);
      if ((request.number ?? 1) !== 1) throw new YoreError("not-found", "There is no such change.");
      const undone = change(first());
      return {
        undone: { ...undone, undoneBy: 2 },
        change: {
          ...undone,
          number: 2,
          undoes: 1,
          edits: undone.edits.map(({ became = "", ...edit }) => ({ ...edit, was: became })),
        },
        kept: [],
        warnings: [],
      };
    },
    async annotations(request) {
      log("annotations", request);
      const session = find(request.session);
      const dated = { at, by: "person" };
      return {
        session,
        tags: session.tags.map((value) => ({ value, ...dated })),
        collections: session.collections.map((value) => ({ value, ...dated })),
        ...(session.alias !== undefined && { alias: { value: session.alias, ...dated } }),
        ...(session.pinned && { pin: { value: "", ...dated } }),
        ...(session.hasNote && { note: { value: "A *note*.", ...dated } }),
      };
    },
    async annotationLog(request = {}) {
      log("annotationLog", request);
      return page([change(request.session === undefined ? first() : find(request.session))]);
    },
    async forgotten(request = {}) {
      log("forgotten", request);
      const forgotten = all()
        .slice(0, 1)
        .map(({ id, title, agent }) => ({
          session: { id, title, agent },
          at,
          by: "person",
          reason: "a customer's data",
        }));
      return page(forgotten);
    },
    async pins(request = {}) {
      log("pins", request);
      return page(
        all()
          .slice(0, 1)
          .map((session) => ({ session, at, by: "person", decision: { id: "k00000000001", title: "A decision" } })),
      );
    },
    async collections(request = {}) {
      log("collections", request);
      return page([
        { collection: "work", sessions: 0, sessionsBelow: 1 },
        { collection: "work/api", sessions: 1, sessionsBelow: 1 },
      ]);
    },
  };
}

interface Wanted {
  readonly asked: string;
  readonly kind: AnnotationKind;
  readonly name: string;
  readonly removes: boolean;
}

function wantedOf(request: AnnotateRequest): readonly Wanted[] {
  switch (request.kind) {
    case "alias":
      return [{ asked: request.session, kind: "alias", name: request.alias, removes: false }];
    case "unalias":
      return [{ asked: request.session, kind: "alias", name: "", removes: true }];
    case "tags":
      return request.items.flatMap(({ session, add = [], remove = [] }) => [
        ...add.map((name) => ({ asked: session, kind: "tag" as const, name, removes: false })),
        ...remove.map((name) => ({ asked: session, kind: "tag" as const, name, removes: true })),
      ]);
    case "note":
    case "unnote":
      return [{ asked: request.session, kind: "note", name: "", removes: request.kind === "unnote" }];
    case "pin":
    case "unpin":
      return request.sessions.map((asked) => ({ asked, kind: "pin", name: "", removes: request.kind === "unpin" }));
    case "forget":
    case "unforget":
      return request.sessions.map((asked) => ({
        asked,
        kind: "forgotten",
        name: request.kind === "forget" ? (request.reason ?? "") : "",
        removes: request.kind === "unforget",
      }));
    case "collect":
    case "uncollect":
      return request.sessions.map((asked) => ({
        asked,
        kind: "collection",
        name: request.collection,
        removes: request.kind === "uncollect",
      }));
    case "rename-tag":
    case "rename-collection":
      return [];
  }
}

function stands(summary: SessionSummary, kind: AnnotationKind, name: string): boolean {
  if (kind === "alias") return name === "" ? summary.alias !== undefined : summary.alias === name;
  if (kind === "tag") return summary.tags.includes(name);
  if (kind === "forgotten") return false;
  if (kind === "note") return summary.hasNote && name === "";
  return kind === "pin" ? summary.pinned : summary.collections.includes(name);
}
