import * as z from "zod";
import { once } from "../../core/once.ts";
import type { Clock } from "../../core/time.ts";
import type { Trace } from "../../core/trace.ts";
import type { Yore } from "../../service/yore.ts";
import { parseArguments } from "./arguments.ts";
import type { Paging } from "./cursor.ts";
import { asObjectSchema, type ObjectSchema } from "./schema.ts";

/** What a handler may use. One is made for every call. */
export interface ToolContext {
  readonly yore: Yore;
  readonly clock: Clock;
  readonly timeZone?: string;
  /** A fresh unpredictable word for the fence of one reply. */
  readonly nonce: () => string;
  /** Cursors of this tool. */
  readonly paging: Paging;
  /** Native ids under which the session that asks may be known. */
  readonly currentSessions: readonly string[];
  /** Folder that the client works in, where it is known. */
  readonly folder?: string;
  /** Name of the client, as whose words changes stand in the history. */
  readonly client: string;
  /** Told the id of each session that the call is about, for the record of calls. */
  readonly about: (session: string) => void;
  /** Told how the reply came about, for its receipt. */
  readonly explain: (trace: Trace) => void;
}

export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export const READS: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Writes that only add, and that done twice are done once. */
export const ADDS: Annotations = { ...READS, readOnlyHint: false };

/** Writes that may take something off, or put something else in its place. */
export const CHANGES: Annotations = { ...ADDS, destructiveHint: true };

export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Annotations;
  /** Words by which a client that loads tools on demand finds this one. */
  readonly searchHint: string;
  /** Its replies end with the id of their receipt, by which they can be traced. */
  readonly isRecall?: boolean;
  /** Asks such a client to keep the tool loaded. */
  readonly alwaysLoad?: boolean;
  /** Arguments that work, shown when others did not. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** A tool as the server, the command line and the reference page see it, whatever its arguments are. */
export interface Tool extends ToolDefinition {
  /** As advertised. Built on first use, since building schemas costs more than the rest of the start. */
  readonly schema: () => ObjectSchema;
  /** Checks the arguments and runs the tool. Expected failures are `YoreError`. */
  readonly call: (rawArguments: unknown, context: ToolContext) => Promise<string>;
}

export function define<Shape extends z.ZodRawShape>(
  tool: ToolDefinition & {
    readonly input: () => z.ZodObject<Shape, z.core.$strict>;
    /** Curated text; stored text in it stands in a fence. */
    readonly handler: (input: z.output<z.ZodObject<Shape, z.core.$strict>>, context: ToolContext) => Promise<string>;
  },
): Tool {
  const { input, handler, ...definition } = tool;
  const validator = once(input);
  const schema = once(() => asObjectSchema(z.toJSONSchema(validator(), { io: "input" })));
  return {
    ...definition,
    schema,
    call: async (rawArguments, context) =>
      handler(parseArguments(tool.name, validator(), schema(), rawArguments), context),
  };
}
