import { isMixed, isPlaceholder, isStockPassword, isTemplate } from "./redact-values.ts";

interface Rule {
  readonly name: string;
  readonly check: (secret: string, before: string) => boolean;
  readonly source: string;
}

/** A secret that follows a word, which is looked for without regard to case. */
export interface WordRule extends Rule {
  /** In small letters, of three characters or more. No word of all the rules is the beginning of another. */
  readonly words: readonly string[];
  /** Sticky, from where the word begins. Group 1 is what stays, group 2 the secret. Linear in what it matches. */
  readonly pattern: RegExp;
  /** Whether the word stands within the secret or behind it: group 1, looked back for, and group 2 are then the secret. */
  readonly isWithin?: true;
  /** How many characters before the word belong to the secret; with 0 there is none. */
  readonly reach?: (text: string, at: number) => number;
  /** Global. Finds the secrets within group 2 of the pattern, where it may hold several; groups as above. */
  readonly each?: RegExp;
}

export const WITHIN_RULES: readonly WordRule[] = [
  {
    name: "url-password",
    words: ["@tcp(", "@unix("],
    isWithin: true,
    pattern: /(?<=(?<![^\s"'`=])[\w.-]{1,60}:([^\s"'`<>:]{1,100}))@(?:tcp|unix)\(/iy,
    check: (secret) => !isTemplate(secret) && !isStockPassword(secret),
    source: "Go MySQL driver: data source names",
  },
  {
    name: "azure-secret",
    words: Array.from("0123456789", (digit) => `${digit}q~`),
    isWithin: true,
    pattern:
      /(?<=(?:(?<![A-Za-z0-9_.~-])|(?<=\\[nrt]))([A-Za-z0-9_.~-]{3}))(\dQ~[A-Za-z0-9_.~-]{31,34})(?![A-Za-z0-9_.~-])/y,
    check: (secret) => isMixed(secret.replace("~", "")),
    source: "gitleaks: azure-ad-client-secret",
  },
  {
    name: "mailchimp-key",
    words: ["-us"],
    isWithin: true,
    pattern: /(?<=(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))([0-9a-f]{32}))(-us\d{1,2})(?![\w-])/y,
    check: (secret) => !isPlaceholder(secret),
    source: "gitleaks: mailchimp-api-key",
  },
  {
    name: "azure-key",
    words: ["jqqj99"],
    isWithin: true,
    pattern: /(?<=(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))([A-Za-z0-9]{52}))(JQQJ99[A-Za-z0-9]{18}[A-Za-z0-9+/]{7,8}={0,2})/y,
    check: (secret) => !isPlaceholder(secret),
    source: "Azure: identifiable keys",
  },
];
