import { isFields, nameOf, numberOf, textOf } from "../fields.ts";

/** What a reader must know of the lines before. Small however long the file is. */
export interface Memory {
  /** Lines so far. */
  records: number;
  /** The last line's uuid, and how many lines in a row had it. */
  uuid: string | undefined;
  repeats: number;
  version: string | undefined;
  /** The title that was told last: it is written again and again, so that it stands near the end of the file. */
  title: string | undefined;
  /** Where and when the session began is told. */
  isOpened: boolean;
  /** Where the session came from is told. */
  hasParent: boolean;
  /** What stands beside a subagent's transcript is told. */
  hasMeta: boolean;
}

/** Takes what an earlier reader left, and of anything else what fits. */
export function loadMemory(state: unknown): Memory {
  const fields = isFields(state) ? state : {};
  return {
    records: numberOf(fields.records) ?? 0,
    uuid: nameOf(fields.uuid),
    repeats: numberOf(fields.repeats) ?? 0,
    version: nameOf(fields.version),
    title: textOf(fields.title),
    isOpened: fields.isOpened === true,
    hasParent: fields.hasParent === true,
    hasMeta: fields.hasMeta === true,
  };
}
