import { type Draw, drawFrom } from "./draw.ts";
import { PLAIN_FIELDS, SECRET_FIELDS, type SecretField } from "./fields.ts";
import { IN_PLACE } from "./in-place.ts";
import { LOOK_ALIKES } from "./look-alikes.ts";
import { AROUND_TOKENS, TOKENS } from "./tokens.ts";

/** A secret in what may stand around it. */
export interface Planted {
  readonly kind: string;
  readonly before: string;
  readonly secret: string;
  readonly after: string;
}

/** A text that must stay as it is. */
export interface LookAlike {
  readonly kind: string;
  readonly text: string;
}

/** Each token is met in this many surroundings, each place with this many secrets. */
const TOKENS_EACH = 4;
const PLACES_EACH = 2;
const LOOK_ALIKES_EACH = 2;

/** The same ones for the same seed. */
export function plantedSecrets(seed = 1): readonly Planted[] {
  const draw = drawFrom(seed);
  const tokens = Object.entries(TOKENS).flatMap(([kind, make]) =>
    times(TOKENS_EACH, () => {
      const [before, after] = AROUND_TOKENS[draw.number(AROUND_TOKENS.length)] ?? ["", ""];
      return { kind, before, secret: make(draw), after };
    }),
  );
  const inPlace = Object.entries(IN_PLACE).flatMap(([kind, places]) =>
    places.flatMap((place) =>
      times(PLACES_EACH, () => {
        const [before, secret, after] = place(draw);
        return { kind, before, secret, after };
      }),
    ),
  );
  return [...tokens, ...inPlace];
}

export function secretFields(seed = 1): readonly SecretField[] {
  const draw = drawFrom(seed + 1_000);
  return SECRET_FIELDS.flatMap((make) => times(PLACES_EACH, () => make(draw)));
}

export function lookAlikes(seed = 1): readonly LookAlike[] {
  const draw = drawFrom(seed + 2_000);
  const all = Object.entries(LOOK_ALIKES).flatMap(([kind, makers]) =>
    makers.flatMap((make) => times(LOOK_ALIKES_EACH, () => ({ kind, text: make(draw) }))),
  );
  const seen = new Set<string>();
  return all.filter(({ text }) => !seen.has(text) && seen.add(text) !== undefined);
}

export function plainFields(seed = 1): readonly unknown[] {
  const draw: Draw = drawFrom(seed + 3_000);
  return PLAIN_FIELDS.flatMap((make) => times(LOOK_ALIKES_EACH, () => make(draw)));
}

function times<T>(count: number, make: () => T): readonly T[] {
  return Array.from({ length: count }, make);
}
