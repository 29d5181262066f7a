/** A message of Google's protocol buffers, as the list of its fields in bytes. */
export type Message = readonly Uint8Array[];

/** A whole number: also a boolean or an enumeration. One below zero has 64 bits. */
export function int(field: number, value: number): Uint8Array {
  return Uint8Array.from([...varint(BigInt(field << 3)), ...varint(BigInt.asUintN(64, BigInt(value)))]);
}

/** A 32-bit floating point number. */
export function float(field: number, value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return join([Uint8Array.from(varint(BigInt((field << 3) | 5))), bytes]);
}

export function text(field: number, value: string): Uint8Array {
  return bytes(field, new TextEncoder().encode(value));
}

export function bytes(field: number, value: Uint8Array): Uint8Array {
  return join([Uint8Array.from([...varint(BigInt((field << 3) | 2)), ...varint(BigInt(value.length))]), value]);
}

export function message(field: number, fields: Message): Uint8Array {
  return bytes(field, join(fields));
}

export function join(parts: Message): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function varint(value: bigint): number[] {
  const digits: number[] = [];
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) digits.push(Number(rest & 0x7fn) | 0x80);
  return [...digits, Number(rest)];
}
