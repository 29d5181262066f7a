import { assignedKind } from "./redact-names.ts";
import type { WordRule } from "./redact-rules.ts";
import { countClasses, hasDigit, isPlaceholder, isStockPassword, isTemplate, looksRandom } from "./redact-values.ts";

const QUOTE = "\\\\{0,4}[\"']?";
const WORD = "([^\\s\"'`\\\\$<>|;]{4,200})";

/** Secrets on the command line, which no name stands before. */
export const COMMAND_RULES: readonly WordRule[] = [
  plain(
    "curl ",
    /(curl[ \t](?:(?!curl[ \t])(?:\\\n|[^\n])){0,300}?(?<=[ \t])(?:-u|--user|--proxy-user)[ =]?\\{0,4}["']?[^\s:"'$\\]{1,100}:)([^\s"'`$<>{}\\]{4,200})/y,
    "curl: --user",
  ),
  {
    name: "cookie",
    words: ["curl "],
    pattern:
      /(curl[ \t](?:(?!curl[ \t])(?:\\\n|[^\n])){0,300}?(?<=[ \t])(?:-b|--cookie)[ =]?\\{0,4}["']?)([^\n"'\\]{16,8192})/y,
    each: /((?:^|[;\s])[\w.%-]{1,80}=)([^;,\s]{16,4096})/g,
    check: (secret) => !isTemplate(secret) && !isPlaceholder(secret) && looksRandom(secret, 16, 0.1),
    source: "curl: --cookie",
  },
  command("sshpass ", "sshpass", `-p[ ]?${QUOTE}`, "sshpass(1)"),
  command("mysql|mariadb", "m(?:ysql|ariadb)[a-z-]{0,12}", `-p${QUOTE}`, "MySQL: connecting to the server"),
  command("mongo", "mongo[a-z]{0,12}", `-p[ ]${QUOTE}`, "mongosh: options"),
  command(
    "docker login |podman login |nerdctl login |helm registry login |skopeo login |buildah login |crane login |oras login |az login |oc login ",
    "[a-z]{2,8}(?: registry)? login",
    `-p[ =]${QUOTE}`,
    "Docker: docker login",
  ),
  command("redis-cli ", "redis-cli", `-a[ ]${QUOTE}`, "Redis: redis-cli"),
  command("ldap", "ldap[a-z]{1,12}", `-w[ ]?${QUOTE}`, "ldapsearch(1)"),
  command("smbclient |rpcclient ", "[a-z]{9}", `-U[ ]?${QUOTE}[\\w.\\\\/-]{1,60}%`, "smbclient(1)"),
  command("http -|https -", "https?", `(?:-a|--auth)[ =]${QUOTE}[\\w.@-]{1,60}:`, "HTTPie: authentication"),
  command("7z |7za |7zr ", "7z[ar]?", `-p${QUOTE}`, "7-Zip: switches"),
  command(
    "htpasswd ",
    "htpasswd",
    `-[a-zA-Z]*b[a-zA-Z]*[ ](?:[^\\s-]\\S{0,200}[ ])?[\\w.@-]{1,60}[ ]${QUOTE}`,
    "htpasswd(1)",
  ),
  command("oathtool ", "oathtool", `(?:-b|--base32)[ ]${QUOTE}`, "oathtool(1)"),
  command("vault login ", "vault login", QUOTE, "Vault: login"),
  plain(
    "-pass pass:|-passin pass:|-passout pass:",
    /(-pass(?:in|out)? pass:)([^\s"'`$<>|;]{4,200})/y,
    "openssl-passphrase-options(1)",
  ),
  plain(
    "sqlplus ",
    /(sqlplus(?:[ \t]-\w+){0,4}[ \t]\\{0,4}["']?[\w$#]{1,60}\/)([^\s"'`@$<>|;]{4,100})/iy,
    "SQL*Plus: starting",
  ),
  plain("jdbc:oracle:thin:", /(jdbc:oracle:thin:\w{1,60}\/)([^\s"'`@$<>|;]{4,100})/iy, "Oracle: JDBC URLs"),
  plain(
    "machine ",
    /(machine[ \t]+[\w.:-]{1,200}(?:\s|\\n){1,20}login[ \t]+\S{1,100}?(?:\s|\\n){1,20}(?:account[ \t]+\S{1,100}?(?:\s|\\n){1,20})?password[ \t]+)([^\s"'`\\]{4,200})/y,
    "ftp: the .netrc file",
  ),
  plain(
    "default login ",
    /(default login[ \t]+\S{1,100}(?:\s|\\n){1,20}password[ \t]+)([^\s"'`\\]{4,200})/y,
    "ftp: the .netrc file",
  ),
  plain(
    "echo ",
    /(echo[ \t](?:-n[ \t])?\\{0,4}["']?)([^\s"'`$\\|:]{4,100})(?=\\{0,4}["']?[ \t]?\|[ \t]?(?:sudo -S|docker login|podman login|gh auth|passwd|gpg|openssl|cryptsetup))/y,
    "sudo(8)",
  ),
  plain(
    "echo ",
    /(echo[ \t](?:-n[ \t])?\\{0,4}["']?[\w.-]{1,40}:)([^\s"'`$\\|]{4,100})(?=\\{0,4}["']?[ \t]?\|[ \t]?(?:sudo )?chpasswd)/y,
    "chpasswd(8)",
  ),
  plain(
    "convertto-securestring ",
    /(convertto-securestring[ \t](?:-string[ \t])?["'])([^\s"'`$]{4,200})/iy,
    "PowerShell: ConvertTo-SecureString",
  ),
  plain(
    "gh secret set ",
    /(gh secret set[ \t][^\n;|&]{0,100}?(?:-b|--body)[ =]\\{0,4}["']?)([^\s"'`$\\<>|;]{4,400})/y,
    "gh: secret set",
  ),
  {
    name: "secret",
    words: ["setx ", "setenv ", "set -g", "set -u", "set -x", "config set ", "configure set ", "config --global "],
    pattern:
      /((?:setx|setenv|set -[gUx]{1,3}|config(?:ure)? set|config --global)[ \t](?:[\w./@-]*:)?[\w./@-]{2,100}[ \t=]\\{0,4}["']?)([^\s"'`$\\<>|;]{7,400})/iy,
    check: isSet,
    source: "setx; csh: setenv; fish: set; aws, npm and git: config",
  },
];

/** The rule of a command whose secret follows an option; the pattern begins where the word does. */
function command(words: string, begins: string, option: string, source: string): WordRule {
  // Up to the option, on one line and within one command.
  const options = `(?:[ \\t](?:(?!${begins}[ \\t])(?:\\\\\\n|[^\\n;|&])){0,200}?)?[ \\t]`;
  const pattern = new RegExp(`(${begins}${options}${option})${WORD}`, "y");
  return { ...plain(words, pattern, source), name: words === "oathtool " ? "totp-seed" : "password" };
}

function plain(words: string, pattern: RegExp, source: string): WordRule {
  return { name: "password", words: words.split("|"), pattern, check: isTyped, source };
}

/** Whether a word of a command is a password, and not a stand-in or the name of a thing. */
function isTyped(secret: string, before: string): boolean {
  // A user cannot be the beginning of a mark.
  if (before.endsWith("[redacted:")) return false;
  const user = /([^\s"'=/]+)[:/%]$/.exec(before)?.[1] ?? "";
  if (isTemplate(secret) || isStockPassword(secret, user) || /^-|^[\d:.]+$|^[./~]/.test(secret)) return false;
  return hasDigit(secret) || countClasses(secret) >= 3;
}

function isSet(secret: string, before: string): boolean {
  const name = /([\w.-]+)[ \t=]\\{0,4}["']?$/.exec(before)?.[1] ?? "";
  return assignedKind(name, { text: secret, quoted: false, expression: false }) !== undefined;
}
