import { closeSync, openSync } from "node:fs";
import { type Fields, isFields, parseJson } from "../fields.ts";
import type { Container, FindProblem, FoundFile, FoundPart } from "../source.ts";
import { conversationsIn } from "./conversation-files.ts";
import type { Element } from "./elements.ts";

/** What is told of a conversation without reading its messages. */
export interface Described {
  readonly id: string;
  readonly createdAt?: number;
  readonly updatedAt?: number;
}

/** How one kind of export is read. */
export interface ExportFormat {
  /** Undefined for what is no conversation. */
  describe(conversation: Fields): Described | undefined;
  /** A record with the conversation's own fields, then its messages. */
  records(conversation: Fields): Iterable<unknown>;
}

/**
 * The conversations of an export, one part each. They are read in one pass for the parts and in one more for the records,
 * if these are asked for in order; only one conversation is held at a time.
 */
export function openExport({ path }: FoundFile, { describe, records }: ExportFormat): Container {
  const file = openSync(path, "r");
  const places = new Map<string, number>();
  const cursor = openCursor(file);
  return {
    *parts() {
      places.clear();
      let place = -1;
      for (const element of upToDamage(conversationsIn(file))) {
        place += 1;
        if (element === DAMAGE) {
          yield { problem: "is damaged or incomplete, and read as far as it goes", path, kind: "damaged" };
          return;
        }
        const conversation = parse(element);
        const described = conversation === undefined ? undefined : describe(conversation);
        if (described === undefined) {
          const problem = problemOf(path, place, element, conversation);
          if (problem !== undefined) yield problem;
          continue;
        }
        const name = nameIn(places, described.id);
        places.set(name, place);
        yield partOf(name, described, element?.length ?? 0);
      }
    },
    *records({ name }) {
      // A container that was closed in between has to be listed anew, once.
      if (!places.has(name)) for (const _ of this.parts());
      const place = places.get(name);
      const conversation = place === undefined ? undefined : parse(cursor.at(place));
      if (conversation !== undefined) yield* records(conversation);
    },
    close: () => closeSync(file),
  };
}

const DAMAGE = Symbol("damage");

/** Tells where conversations end too soon. Throws where none could be read before the damage. */
function* upToDamage(conversations: Generator<Element, boolean>): Generator<Element | typeof DAMAGE> {
  let isFirst = true;
  for (;;) {
    let next: IteratorResult<Element, boolean>;
    try {
      next = conversations.next();
    } catch (error) {
      if (isFirst) throw error;
      yield DAMAGE;
      return;
    }
    if (next.done === true) {
      if (!next.value) yield DAMAGE;
      return;
    }
    yield next.value;
    isFirst = false;
  }
}

function openCursor(file: number): { at(place: number): Element } {
  let elements: Iterator<Element, boolean> | undefined;
  let next = 0;
  return {
    at(place) {
      if (elements === undefined || place < next) [elements, next] = [conversationsIn(file), 0];
      for (;;) {
        const { value, done } = elements.next();
        next += 1;
        if (done === true) return undefined;
        if (next > place) return value;
      }
    },
  };
}

function parse(element: Element): Fields | undefined {
  const value = element === undefined ? undefined : parseJson(element.toString("utf8"));
  return isFields(value) ? value : undefined;
}

/** A conversation that an export holds twice keeps its id, and its second part is numbered. */
function nameIn(places: ReadonlyMap<string, number>, id: string): string {
  let name = id;
  for (let nth = 2; places.has(name); nth += 1) name = `${id}~${nth}`;
  return name;
}

function partOf(name: string, { createdAt, updatedAt }: Described, bytes: number): FoundPart {
  return {
    name,
    revision: `${updatedAt ?? ""}:${bytes}`,
    bytes,
    ...(createdAt !== undefined && { createdAt }),
    ...(updatedAt !== undefined && { updatedAt }),
  };
}

function problemOf(
  path: string,
  place: number,
  element: Element,
  conversation: Fields | undefined,
): FindProblem | undefined {
  if (element === undefined)
    return { problem: `conversation ${place + 1} is too large to be read`, path, kind: "damaged" };
  return conversation === undefined
    ? { problem: `conversation ${place + 1} is no JSON`, path, kind: "damaged" }
    : undefined;
}
