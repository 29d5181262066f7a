/** What the root of a session tells, which is written in Protocol Buffers. */
export interface ChatRoot {
  /** Names of the messages, in order. */
  readonly messages: readonly string[];
  /** Address of the folder worked in. */
  readonly workspace?: string;
}

/** Field 1 names the messages by their hashes, field 9 is the folder. Reads as far as the bytes make sense. */
export function readRoot(bytes: Uint8Array): ChatRoot {
  const messages: string[] = [];
  let workspace: string | undefined;
  for (const { field, value } of fieldsIn(bytes)) {
    if (field === 1 && value.length === HASH_BYTES) messages.push(Buffer.from(value).toString("hex"));
    if (field === 9) workspace = Buffer.from(value).toString("utf8");
  }
  return { messages, ...(workspace?.includes("/") === true && { workspace }) };
}

const HASH_BYTES = 32;
/** Kinds of values: of a varint, of eight bytes, of a length and as many bytes, of four bytes. */
const [VARINT, EIGHT, BYTES, FOUR] = [0, 1, 2, 5];

function* fieldsIn(bytes: Uint8Array): Generator<{ readonly field: number; readonly value: Uint8Array }> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 53; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined) return Number.NaN;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    return Number.NaN;
  };
  while (at < bytes.length) {
    const tag = varint();
    const kind = tag % 8;
    if (kind === VARINT) varint();
    else if (kind === EIGHT) at += 8;
    else if (kind === FOUR) at += 4;
    else if (kind === BYTES) {
      const length = varint();
      // Also where the length is no number.
      if (!(at + length <= bytes.length)) return;
      yield { field: Math.floor(tag / 8), value: bytes.subarray(at, at + length) };
      at += length;
    } else return;
  }
}
