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
  /** Global. Finds the secrets within group 2 of the pattern, where it may hold several; groups as above. */
  readonly each?: RegExp;
}

/** A secret known by something within it or behind it. */
export interface ContextRule extends Rule {
  /** Literal that a text must contain for the pattern to be tried at all. */
  readonly hint: string;
  /** Global. Group 1 is what stays, group 2 the secret. */
  readonly pattern: RegExp;
}

export const CONTEXT_RULES: readonly ContextRule[] = [
  {
    name: "url-password",
    hint: "@tcp(",
    pattern: /((?<![^\s"'`=])[\w.-]{1,60}:)([^\s"'`<>:]{1,100})(?=@tcp\()/g,
    check: (secret, before) => !isTemplate(secret) && !isStockPassword(secret, before.slice(0, -1)),
    source: "Go MySQL driver: data source names",
  },
  {
    name: "azure-secret",
    hint: "Q~",
    pattern: /((?<![A-Za-z0-9_.~-]))([A-Za-z0-9_.~-]{3}\dQ~[A-Za-z0-9_.~-]{31,34})(?![A-Za-z0-9_.~-])/g,
    check: isAzureSecret,
    source: "gitleaks: azure-ad-client-secret",
  },
  {
    name: "azure-key",
    hint: "JQQJ99",
    pattern: /((?<![A-Za-z0-9]))([A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{18}[A-Za-z0-9+/]{7,8}={0,2})/g,
    check: (secret) => !isPlaceholder(secret),
    source: "Azure: identifiable keys",
  },
];

function isAzureSecret(secret: string): boolean {
  return isMixed(secret.replace("~", ""));
}
