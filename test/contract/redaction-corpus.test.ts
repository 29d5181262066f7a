import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { mapStrings } from "../../src/core/map-strings.ts";
import { redact } from "../../src/core/redact.ts";
import { redactField } from "../../src/core/redact-field.ts";
import { lookAlikes, plainFields, plantedSecrets, secretFields } from "../support/secret-corpus/corpus.ts";
import { isReadable } from "../support/secret-corpus/readable.ts";

/**
 * What was reached. A number may only get better: `found` never lower, the others never higher. To write down what is
 * reached now, run `YORE_RAISE_RATCHET=1 npx vitest run test/contract/redaction-corpus.test.ts`, and say in the commit why.
 */
const RATCHET = fileURLToPath(new URL("../corpora/secrets/ratchet.json", import.meta.url));

/** Rules that only fit the secrets of one seed are no rules. */
const SEEDS = [1, 2, 3];

interface Ratchet {
  /** Of each kind of secret how many were planted, and how many of these left nothing readable behind. */
  readonly secrets: Readonly<Record<string, { readonly planted: number; readonly found: number }>>;
  /** Of each kind of look-alike how many were changed. Kinds of which none was are left out. */
  readonly falsePositives: Readonly<Record<string, number>>;
  /** Texts around a secret that were changed with it. */
  readonly spoilt: number;
}

const planted = SEEDS.flatMap(plantedSecrets);
const harmless = SEEDS.flatMap(lookAlikes);
const fields = SEEDS.flatMap(secretFields);
const plain = SEEDS.flatMap(plainFields);

const measured = measure();

describe("the corpus of secrets", () => {
  let held: Ratchet;

  beforeAll(() => {
    if (process.env.YORE_RAISE_RATCHET !== undefined || !existsSync(RATCHET))
      writeFileSync(RATCHET, `${JSON.stringify(measured, null, 2)}\n`);
    held = JSON.parse(readFileSync(RATCHET, "utf8"));
    process.stdout.write(report(measured));
  });

  it("is large enough to say something", () => {
    expect(plantedSecrets().length).toBeGreaterThanOrEqual(300);
    expect(Object.keys(measured.secrets).length).toBeGreaterThanOrEqual(40);
    expect(lookAlikes().length).toBeGreaterThanOrEqual(300);
  });

  it("is the one that the ratchet was set with", () => {
    const counts = ({ secrets }: Ratchet) => Object.entries(secrets).map(([kind, { planted }]) => [kind, planted]);
    expect(counts(measured)).toEqual(counts(held));
  });

  it("has as many secrets found of each kind as before", () => {
    const fewer = Object.entries(held.secrets)
      .map(([kind, { found }]) => ({ kind, before: found, now: measured.secrets[kind]?.found ?? 0 }))
      .filter(({ before, now }) => now < before);
    expect(fewer).toEqual([]);
  });

  it("has no more look-alikes changed of any kind than before", () => {
    const more = Object.entries(measured.falsePositives)
      .map(([kind, now]) => ({ kind, before: held.falsePositives[kind] ?? 0, now }))
      .filter(({ before, now }) => now > before);
    expect(more).toEqual([]);
  });

  it("has no more text spoilt around secrets than before", () => {
    expect(measured.spoilt).toBeLessThanOrEqual(held.spoilt);
  });
});

function measure(): Ratchet {
  const secrets: Record<string, { planted: number; found: number }> = {};
  const falsePositives: Record<string, number> = {};
  let spoilt = 0;
  const count = (kind: string, isFound: boolean): void => {
    secrets[kind] ??= { planted: 0, found: 0 };
    secrets[kind].planted += 1;
    if (isFound) secrets[kind].found += 1;
  };
  const changed = (kind: string): void => {
    falsePositives[kind] = (falsePositives[kind] ?? 0) + 1;
  };
  for (const { kind, before, secret, after } of planted) {
    const text = redact(before + secret + after).text;
    const isFound = !isReadable(secret, text, before, after);
    count(kind, isFound);
    if (isFound && !(text.startsWith(before) && text.endsWith(after))) spoilt += 1;
  }
  for (const { record, secret } of fields) {
    count("field of a record", !JSON.stringify(mapStrings(record, redactField)).includes(secret));
  }
  for (const { kind, text } of harmless) if (redact(text).text !== text) changed(kind);
  for (const record of plain) if (mapStrings(record, redactField) !== record) changed("field of a record");
  return { secrets, falsePositives, spoilt };
}

function report({ secrets, falsePositives, spoilt }: Ratchet): string {
  const all = Object.entries(secrets);
  const sum = (key: "planted" | "found") => all.reduce((total, [, one]) => total + one[key], 0);
  const missed = all.filter(([, { planted, found }]) => found < planted);
  const changes = Object.values(falsePositives).reduce((total, one) => total + one, 0);
  return [
    `secrets: ${sum("found")} of ${sum("planted")} found (${((100 * sum("found")) / sum("planted")).toFixed(1)} %), in ${all.length} kinds`,
    ...missed.map(([kind, { planted, found }]) => `  ${kind}: ${found} of ${planted}`),
    `look-alikes: ${changes} of ${harmless.length + plain.length} changed`,
    ...Object.entries(falsePositives).map(([kind, number]) => `  ${kind}: ${number}`),
    `texts spoilt around a secret: ${spoilt}`,
    "",
  ].join("\n");
}
