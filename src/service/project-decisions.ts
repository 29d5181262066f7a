import { YoreError } from "../core/errors.ts";
import { folderKey, isWithin, lastPart, normaliseFolder } from "../core/folder.ts";
import { projectId } from "../core/ids.ts";
import { clean, refreshRedaction } from "../ingest/prepare.ts";
import type { DecisionEvent, ProjectDecision, Store, StoredProject } from "../store/store.ts";
import { findProject } from "./find.ts";
import { projectSummary } from "./views.ts";
import type { Workbench } from "./workbench.ts";
import type { ProjectDecisionRecord, ProjectDecisionReply, ProjectDecisionRequest, Yore } from "./yore.ts";

const MAX_NAME = 100;

/** What a person says about projects. */
export function projectDecisions({
  store,
  keeper,
  clock,
  mirror,
}: Workbench): Pick<Yore, "decideProject" | "undoProjectDecision" | "projectDecisions"> {
  const reply = async (number: number, key: string, sessions: number): Promise<ProjectDecisionReply> => {
    const decision = recordsOf(await store.decisions.history()).find((one) => one.number === number);
    if (decision === undefined) throw new YoreError("internal", "The decision was not stored.");
    const project = await projectOfKey(store, key);
    return {
      decision,
      sessions,
      ...(project !== undefined && { project: projectSummary(project) }),
      warnings: mirror.problem === undefined ? [] : [mirror.problem],
    };
  };

  return {
    async decideProject(request) {
      await keeper.refresh();
      refreshRedaction();
      const { decision, was } = await decisionFor(store, request);
      const { number, sessions } = await mirror.write((tx) =>
        tx.decide(decision, { at: clock(), by: request.by ?? "person", was }),
      );
      return reply(number, decision.kind === "rename" ? decision.project : decision.into, sessions);
    },

    async undoProjectDecision(request = {}) {
      await keeper.refresh();
      const number = request.number ?? (await store.decisions.standing()).at(-1)?.number ?? 0;
      const undone = await mirror.write((tx) => tx.undo(number, { at: clock(), by: request.by ?? "person" }));
      if (undone === undefined) {
        const message =
          request.number === undefined ? "There is no decision to undo." : "No decision of that number stands.";
        throw new YoreError("not-found", message, { hint: "`yore projects history` lists what was decided." });
      }
      return reply(number, undone.decision.project, undone.sessions);
    },

    async projectDecisions() {
      return recordsOf(await store.decisions.history());
    },
  };
}

interface Checked {
  readonly decision: ProjectDecision;
  readonly was: Was;
}

/** What things were called when it was decided. */
interface Was {
  readonly name: string;
  readonly into?: string;
}

async function decisionFor(store: Store, request: ProjectDecisionRequest): Promise<Checked> {
  const project = await findProject(store, request.project);
  if (request.kind === "merge") return mergeInto(project, await findProject(store, request.into));
  return request.kind === "split" ? split(project, request.folder) : rename(project, request.name);
}

function mergeInto(project: StoredProject, into: StoredProject): Checked {
  if (project.key === into.key) {
    throw new YoreError("bad-input", "Both names are of one project.", {
      hint: "`yore projects` lists projects and their ids.",
    });
  }
  return {
    decision: { kind: "merge", project: project.key, into: into.key },
    was: { name: project.name, into: into.name },
  };
}

function split(project: StoredProject, wanted: string): Checked {
  const path = folderIn(project, wanted);
  const folder = folderKey(path);
  if (project.folders.every((one) => isWithin(folderKey(one), folder))) {
    throw new YoreError("bad-input", "All of the project was worked in that folder, so nothing would be left of it.", {
      hint: "Name a folder that only a part of it was worked in, or rename the project.",
    });
  }
  const name = lastPart(normaliseFolder(path));
  const into = `split:${folder}`;
  if (project.key === into)
    throw new YoreError("bad-input", "The project is what was split off by that folder already.");
  return { decision: { kind: "split", project: project.key, folder, into, name }, was: { name: project.name } };
}

/** The folder named by its path, or by the last part of the path of one that the project was worked in. */
function folderIn({ folders }: StoredProject, wanted: string): string {
  const key = folderKey(wanted);
  if (key !== "" && folders.some((folder) => isWithin(folderKey(folder), key))) return wanted.trim();
  const ending = folders.filter((folder) => key !== "" && folderKey(folder).endsWith(`/${key}`));
  const [only, other] = ending;
  if (only !== undefined && other === undefined) return only;
  if (only !== undefined) {
    throw new YoreError("ambiguous", "The project was worked in more than one folder of that name.", {
      hint: "Give the whole path: `yore projects --long` lists the folders.",
    });
  }
  throw new YoreError("not-found", "The project was not worked in that folder.", {
    hint: "`yore projects --long` lists the folders of each project.",
  });
}

function rename(project: StoredProject, wanted: string): Checked {
  const name = clean(wanted).replace(/\s+/g, " ").trim();
  if (name === "" || name.length > MAX_NAME || /\p{Cc}/u.test(name)) {
    throw new YoreError("bad-input", `A name has 1 to ${MAX_NAME} characters on one line.`);
  }
  if (name === project.name) throw new YoreError("bad-input", "The project is called that already.");
  return { decision: { kind: "rename", project: project.key, name }, was: { name: project.name } };
}

async function projectOfKey(store: Store, key: string): Promise<StoredProject | undefined> {
  const matches = await store.sessions.matchProjects(key);
  return (
    matches.find((project) => project.key === key) ?? matches.find(({ formerKeys = [] }) => formerKeys.includes(key))
  );
}

/** Decisions, oldest first, each with whether it was undone. */
function recordsOf(history: readonly DecisionEvent[]): ProjectDecisionRecord[] {
  const undone = new Map(history.filter(({ action }) => action === "undo").map((event) => [event.decision, event.at]));
  return history.flatMap((event) => {
    if (event.action === "undo") return [];
    const [was, became] = [fieldsOf(event.was), fieldsOf(event.became)];
    const { project = "", into, folder, name } = became;
    const undoneAt = undone.get(event.decision);
    const intoName = event.action === "split" ? name : was.into;
    return [
      {
        number: event.decision,
        kind: event.action,
        at: event.at,
        by: event.by,
        project: { id: projectId(project), name: was.name ?? "" },
        ...(into !== undefined && { into: { id: projectId(into), name: intoName ?? "" } }),
        ...(folder !== undefined && { folder }),
        ...(event.action === "rename" && name !== undefined && { name }),
        ...(undoneAt !== undefined && { undoneAt }),
      },
    ];
  });
}

function fieldsOf(value: unknown): Readonly<Record<string, string | undefined>> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => (typeof field === "string" ? [[name, field]] : [])),
  );
}
