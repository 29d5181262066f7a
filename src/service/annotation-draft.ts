import { YoreError } from "../core/errors.ts";
import type {
  AnnotationKey,
  AnnotationReader,
  AnnotationStep,
  SessionKey,
  StoredAnnotationKind,
} from "../store/store.ts";
import { annotationId } from "./annotation-files.ts";

/** Steps of a change that is being made up, and how things would stand after them. */
export class AnnotationDraft {
  readonly steps: AnnotationStep[] = [];
  readonly #reader: AnnotationReader;
  readonly #values = new Map<string, string | undefined>();
  readonly #known = new Set<string>();

  constructor(reader: AnnotationReader) {
    this.#reader = reader;
  }

  /** Undefined where there is none. */
  async value(kind: StoredAnnotationKind, session: SessionKey, key = ""): Promise<string | undefined> {
    await this.#learn(session);
    return this.#values.get(annotationId({ kind, session, key }));
  }

  /** Whether the session carries the tag, by whomever it was put there. */
  async hasTag(session: SessionKey, tag: string): Promise<boolean> {
    if ((await this.value("tag", session, tag)) !== undefined) return true;
    return (await this.isOwnTag(session, tag)) && (await this.value("untag", session, tag)) === undefined;
  }

  /** Whether the agent itself put it there. */
  async isOwnTag(session: SessionKey, tag: string): Promise<boolean> {
    return (await this.#reader.ownTags(session)).includes(tag);
  }

  set(key: AnnotationKey, value: string | undefined): void {
    this.steps.push({ ...key, value });
    this.#values.set(annotationId(key), value);
  }

  /** Throws where another session has the alias. */
  async requireFree(alias: string, session: SessionKey): Promise<void> {
    const holder = await this.#holder(alias, session);
    if (holder === undefined) return;
    throw new YoreError("bad-input", "Another session has that alias.", {
      hint: `It is ${holder.nativeId}. Give another alias, or take it off that one first.`,
    });
  }

  async isFree(alias: string, session: SessionKey): Promise<boolean> {
    return (await this.#holder(alias, session)) === undefined;
  }

  /** The other session that has the alias. */
  async #holder(alias: string, session: SessionKey): Promise<SessionKey | undefined> {
    const holder = await this.#reader.aliased(alias);
    if (holder === undefined || (holder.agent === session.agent && holder.nativeId === session.nativeId))
      return undefined;
    return (await this.value("alias", holder)) === alias ? holder : undefined;
  }

  async #learn(session: SessionKey): Promise<void> {
    const id = JSON.stringify([session.agent, session.nativeId]);
    if (this.#known.has(id)) return;
    this.#known.add(id);
    for (const one of await this.#reader.of(session)) {
      const own = annotationId(one);
      if (!this.#values.has(own)) this.#values.set(own, one.value);
    }
  }
}
