import { observationId } from "../core/ids.ts";
import { decisionTitle, type Growth, type Opening, observationTitle, place } from "../core/observation.ts";
import { isOwnTool } from "../core/own-tools.ts";
import { cutPieces, placeOf } from "../core/pieces.ts";
import type { FileTouch, ObservationType, Part, Role } from "../core/session.ts";
import { cutTraits, decidesFirst, openingTraits, type Traits, typeOf, withMessage } from "../core/traits.ts";
import { identifierParts, indexable } from "../core/words.ts";
import type { ObservationDraft, OpenObservation, Piece } from "../store/store.ts";

/** What observations are derived from. `uid` is the stored message's. */
export interface DerivableMessage {
  readonly uid: Uint8Array;
  readonly seq: number;
  readonly role: Role;
  readonly part: Part;
  readonly at?: number;
  readonly text: string;
  readonly tool?: string;
  readonly isError?: boolean;
  readonly files?: readonly FileTouch[];
  readonly commands?: readonly string[];
  readonly branch?: string;
}

export interface DerivationContext {
  readonly agent: string;
  readonly session: string;
  /** Latest time so far; messages without a time of their own are dated by it. */
  readonly lastAt: number;
  readonly branch?: string;
  readonly open?: OpenObservation;
  /** First message of the open observation, asked for when its title may have to change. */
  readonly opening: () => Promise<Opening>;
}

/** An observation while messages join it. */
interface Draft {
  id?: number;
  publicId: string;
  firstSeq: number;
  lastSeq: number;
  part: number;
  at: number;
  endedAt: number;
  type: ObservationType;
  traits: Traits;
  title?: string;
  chars: number;
  branch?: string;
  files: FileTouch[];
  pieces: Piece[];
  first: Opening | undefined;
}

/**
 * Cuts messages, in order of `seq`, into observations; the first ones may join the open observation.
 *
 * Depends only on the messages and on what is open, so that deriving as messages arrive equals deriving at once.
 */
export async function deriveObservations(
  context: DerivationContext,
  messages: readonly DerivableMessage[],
): Promise<ObservationDraft[]> {
  const drafts: Draft[] = [];
  let current = context.open === undefined ? undefined : resume(context.open);
  let lastAt = context.lastAt;
  for (const message of messages) {
    lastAt = Math.max(lastAt, message.at ?? lastAt);
    const where = place(
      { role: message.role, part: message.part, chars: message.text.length },
      grownTo(message, current),
    );
    if (where === "outside") continue;
    const last = current;
    if (where !== "join" || last === undefined) {
      if (where === "part" && last !== undefined) {
        await settle(last, cutTraits(last.traits), context);
        if (drafts.at(-1) !== last) drafts.push(last);
      }
      current = begin(context, message, message.at ?? lastAt, where === "part" ? last : undefined, last?.traits ?? 0);
    } else {
      await settle(last, withMessage(last.traits, message), context, message);
    }
    if (current === undefined) continue;
    if (drafts.at(-1) !== current) drafts.push(current);
    join(current, message, message.at ?? lastAt);
  }
  return drafts.map(({ first: _, ...draft }) => draft);
}

/** A message's place is told by its number, since others may have been taken back from between. */
function grownTo(message: DerivableMessage, draft: Draft | undefined): Growth | undefined {
  return draft && { part: draft.part, chars: draft.chars, messages: message.seq - draft.firstSeq };
}

/** `whole` is the part before it, of the same turn; `before` are the traits of the observation before it, of whatever turn. */
function begin(
  context: DerivationContext,
  message: DerivableMessage,
  at: number,
  whole: Draft | undefined,
  before: Traits,
): Draft {
  const branch = message.branch ?? context.branch;
  const traits = openingTraits(message, before, whole !== undefined);
  const type = typeOf(traits);
  return {
    publicId: observationId(context.agent, context.session, message.uid),
    firstSeq: message.seq,
    lastSeq: message.seq,
    part: whole === undefined ? 1 : whole.part + 1,
    at,
    endedAt: at,
    type,
    traits,
    title: (type === "decision" ? decisionTitle(message) : undefined) ?? observationTitle(message),
    chars: 0,
    files: [],
    pieces: [],
    first: message,
    ...(branch !== undefined && { branch }),
  };
}

/** Takes on new traits. A decision is called what was decided; what turns out to be none is called by its beginning. */
async function settle(
  draft: Draft,
  traits: Traits,
  context: DerivationContext,
  message?: DerivableMessage,
): Promise<void> {
  if (traits === draft.traits) return;
  const was = draft.type;
  const decides = decidesFirst(draft.traits, traits);
  draft.traits = traits;
  draft.type = typeOf(traits);
  if (draft.type === "decision") {
    const title = decides && message !== undefined ? decisionTitle(message) : undefined;
    if (title !== undefined) draft.title = title;
  } else if (was === "decision") draft.title = observationTitle(draft.first ?? (await context.opening()));
}

function resume(open: OpenObservation): Draft {
  return {
    id: open.id,
    publicId: "",
    firstSeq: open.firstSeq,
    lastSeq: open.firstSeq + open.messages - 1,
    part: open.part,
    // Of an open observation the store keeps its beginning, and the later of two ends.
    at: 0,
    endedAt: 0,
    type: open.type,
    traits: open.traits,
    chars: open.chars,
    files: [],
    pieces: [],
    first: undefined,
  };
}

function join(draft: Draft, message: DerivableMessage, at: number): void {
  const position = message.seq - draft.firstSeq;
  draft.lastSeq = message.seq;
  draft.endedAt = Math.max(draft.endedAt, at);
  draft.chars += message.text.length;
  if (message.files !== undefined) draft.files.push(...message.files);
  if (message.tool !== undefined && isOwnTool(message.tool)) return;
  draft.pieces.push(...piecesOf(message, position));
}

/** A message for the word index; `position` is its place within the observation. */
export function piecesOf(
  { role, part, text }: Pick<DerivableMessage, "role" | "part" | "text">,
  position: number,
): Piece[] {
  const at = placeOf(role, part);
  if (at === undefined) return [];
  return cutPieces(at, text).map((piece, index) => ({
    message: position,
    piece: index,
    place: at,
    text: indexable(piece),
    parts: identifierParts(piece),
  }));
}
