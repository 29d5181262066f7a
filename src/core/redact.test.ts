import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { REDACTION_NAMES, type RedactionOptions, redact } from "./redact.ts";
import { WORD_RULES } from "./redact-assignments.ts";
import { TOKEN_RULES } from "./redact-providers.ts";

// Secrets are put together from parts, so that scanners of repositories see none here.
const ALPHANUMERIC = "q7Rk2VtY9mXc4LpZ8wNd3HsB6jGf5TzQ1yKe0MvUaWxEiDoPrCuSbJhFnAgIlO";
const HEX = "9f3c7a1e5b8d2046e1a7c93b5d8f0264a7e3b91c5f8d0246b9e3a71c5d8f2064";

/** Text as random as a token, always the same. */
const random = (length: number): string => ALPHANUMERIC.repeat(9).slice(0, length);
const hex = (length: number): string => HEX.repeat(4).slice(0, length);

const JWT = [
  Buffer.from('{"alg":"HS256","typ":"JWT"}').toString("base64url"),
  Buffer.from('{"sub":"8842","iat":1767225600}').toString("base64url"),
  random(43),
].join(".");

describe("tokens of providers", () => {
  it.each([
    ["aws-key", "AKIA" + "IOSFODNN7" + "ABCDEFG"],
    ["aws-key", "ASIA" + "IOSFODNN7" + "ABCDEFG"],
    ["github-token", `ghp_${random(36)}`],
    ["github-token", `gho_${random(36)}`],
    ["github-token", `${"ghs_"}123_${JWT}`],
    ["github-token", `${"github_pat_"}${random(22)}_${random(59)}`],
    ["gitlab-token", `glpat-${random(20)}`],
    ["gitlab-token", `${"glpat-"}${random(27)}.01.${random(9)}`],
    ["gitlab-token", `glrt-${random(20)}`],
    ["slack-token", `${"xoxb-"}1234567890123-1234567890124-${random(24)}`],
    ["slack-token", `${"xapp-"}1-A012BCDEFGH-1234567890123-${hex(64)}`],
    ["anthropic-key", `${"sk-ant-"}api03-${random(93)}AA`],
    ["anthropic-key", `${"sk-ant-"}oat01-${random(86)}`],
    ["openrouter-key", `${"sk-or-"}v1-${hex(64)}`],
    ["openai-key", `${"sk-"}proj-${random(74)}`],
    ["openai-key", `${"sk-"}${random(20)}T3BlbkFJ${random(20)}`],
    ["api-key", `${"sk-"}${hex(32)}`],
    ["google-key", `${"AIza"}Sy${random(33)}`],
    ["google-secret", `GOCSPX-${random(28)}`],
    ["google-token", `ya29.${random(60)}`],
    ["stripe-key", `sk_live_${random(24)}`],
    ["stripe-key", `rk_test_${random(24)}`],
    ["webhook-secret", `whsec_${random(32)}`],
    ["npm-token", `npm_${random(36)}`],
    ["pypi-token", `${"pypi-"}AgEIcHlwaS5vcmc${random(60)}`],
    ["rubygems-key", `rubygems_${hex(48)}`],
    ["docker-token", `dckr_pat_${random(27)}`],
    ["hugging-face-token", `hf_${random(34)}`],
    ["replicate-token", `r8_${random(37)}`],
    ["groq-key", `gsk_${random(52)}`],
    ["xai-key", `xai-${random(80)}`],
    ["perplexity-key", `pplx-${random(48)}`],
    ["nvidia-key", `nvapi-${random(64)}`],
    ["tavily-key", `tvly-${random(32)}`],
    ["firecrawl-key", `fc-${hex(32)}`],
    ["langsmith-key", `${"lsv2_pt_"}${hex(32)}_${hex(10)}`],
    ["posthog-key", `phx_${random(43)}`],
    ["sendgrid-key", `${"SG."}${random(22)}.${random(43)}`],
    ["resend-key", `${"re_"}${random(8)}_${random(24)}`],
    ["mailgun-key", `key-${hex(32)}`],
    ["brevo-key", `${"xkeysib-"}${hex(64)}-${random(16)}`],
    ["twilio-key", `SK${hex(32)}`],
    ["discord-token", `${"MT"}${random(24)}.${random(6)}.${random(38)}`],
    ["digitalocean-token", `dop_v1_${hex(64)}`],
    ["vault-token", `hvs.${random(95)}`],
    ["databricks-token", `dapi${hex(32)}`],
    ["linear-key", `lin_api_${random(40)}`],
    ["notion-token", `${"ntn_"}12345678901${random(35)}`],
    ["notion-token", `secret_${random(43)}`],
    ["supabase-token", `sbp_${hex(40)}`],
    ["supabase-key", `${"sb_secret_"}${random(22)}_${random(8)}`],
    ["vercel-token", `vcp_${random(56)}`],
    ["netlify-token", `nfp_${random(36)}`],
    ["render-key", `rnd_${random(28)}`],
    ["heroku-key", `HRKU-AA${random(58)}`],
    ["cloudflare-token", `cfut_${random(48)}`],
    ["cloudflare-ca-key", `${"v1.0-"}${hex(24)}-${hex(146)}`],
    ["tailscale-key", `${"tskey-"}auth-${random(12)}-${random(32)}`],
    ["pulumi-token", `pul-${hex(40)}`],
    ["grafana-token", `${"glsa_"}${random(32)}_${hex(8)}`],
    ["sentry-token", `sntryu_${hex(64)}`],
    ["new-relic-key", `${"NRAK-"}${random(27).toUpperCase()}`],
    ["shopify-token", `shpat_${hex(32)}`],
    ["square-token", `sq0atp-${random(22)}`],
    ["airtable-token", `${"pat"}${random(14)}.${hex(64)}`],
    ["figma-token", `figd_${random(40)}`],
    ["postman-key", `${"PMAK-"}${hex(24)}-${hex(34)}`],
    ["doppler-token", `dp.pt.${random(43)}`],
    ["planetscale-token", `pscale_tkn_${random(43)}`],
    ["neon-key", `${"napi_"}${random(64).toLowerCase()}`],
    ["hubspot-token", `${"pat-na1-"}${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`],
    ["contentful-token", `CFPAT-${random(43)}`],
    ["atlassian-token", `ATATT3${random(186)}`],
    ["bitbucket-token", `ATBB${random(32)}`],
    ["artifactory-key", `AKCp${random(69)}`],
    ["alibaba-key", `LTAI${random(20)}`],
    ["sourcegraph-token", `sgp_${hex(40)}`],
    ["prefect-key", `pnu_${random(36)}`],
    ["age-key", `${"AGE-SECRET-KEY-1"}${random(58).toUpperCase()}`],
    ["onepassword-token", `${"ops_"}eyJ${random(260)}`],
    ["jwt", JWT],
  ])("%s", (name, secret) => {
    for (const [before, after] of SURROUNDINGS) {
      expect(redact(`${before}${secret}${after}`)).toEqual({
        text: `${before}[redacted:${name}]${after}`,
        counts: { [name]: 1 },
      });
    }
  });

  const SURROUNDINGS = [
    ["", ""],
    ["it says ", ", and more"],
    ["line\n", "\nline"],
    ["line\\n", "\\nline"],
    ["a%3D", "&b"],
    ["\u001b[32m", "\u001b[0m"],
    ["鍵は", "です"],
    ["(`", "`)"],
  ] as const;

  it.each([
    ["telegram-token", "bot ", `${"123456789:"}`, `AA${random(33)}`],
    ["terraform-token", "token ", random(14), `.atlasv1.${random(67)}`],
  ])("%s stands behind what only names it", (name, before, id, secret) => {
    expect(redact(`${before}${id}${secret}.`).text).toBe(`${before}${id}[redacted:${name}].`);
  });
});

describe("secrets by what stands before them", () => {
  const password = "kJ8mN2" + "pLq4";
  const token = random(32);
  const basic = Buffer.from(`deploy:${password}`).toString("base64");

  it.each([
    ["url-password", "postgres://app:", password, "@db.internal:5432/main"],
    ["url-password", "redis://:", password, "@cache/0"],
    ["url-password", "https://user:", "p4ss!word", "@host.example/path?x=1"],
    ["url-password", "mongodb+srv://u:", "a%40b", "@cluster0.example.net"],
    ["slack-webhook", "https://hooks.slack.com/services/", `T012ABCDE/B012ABCDE/${random(24)}`, "\n"],
    ["discord-webhook", "https://discord.com/api/webhooks/123456789012345678/", random(68), " "],
    ["url-signature", "https://a.blob.core.windows.net/c/f?sv=2024-01-01&sig=", `${random(43)}%3D`, "&se=1"],
    ["bearer-token", "Authorization: Bearer ", token, "\r\n"],
    ["bearer-token", "'authorization': 'bearer ", token, "'"],
    ["bearer-token", '\\"Authorization\\":\\"Bearer ', token, '\\"'],
    ["basic-auth", "Authorization: Basic ", basic, "\n"],
    ["token", "Authorization: Token ", hex(40), "\n"],
    ["password", "curl -sS -u deploy:", password, " https://host/"],
    ["password", "curl --user 'deploy:", password, "' https://host/"],
  ])("%s after %s", (name, before, secret, after) => {
    expect(redact(before + secret + after)).toEqual({
      text: `${before}[redacted:${name}]${after}`,
      counts: { [name]: 1 },
    });
  });

  it.each([
    ["a bearer token", "curl -H 'Authorization: Bearer ", token],
    ["an assignment", "curl -d 'password=", password],
    ["an option", "curl --token ", random(40)],
  ])("%s before the password of the same command goes too", (_, before, secret) => {
    const { text } = redact(`${before}${secret}' -u deploy:${password} https://host/`);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(password);
  });
});

describe("key blocks", () => {
  const BODY = [random(64), random(64), `${random(30)}==`];
  const block = (label: string, lineEnd: string): string =>
    [`-----${"BEGIN"} ${label}-----`, ...BODY, `-----END ${label}-----`].join(lineEnd);

  it.each(["RSA PRIVATE KEY", "EC PRIVATE KEY", "PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY"])(
    "%s goes whole",
    (label) => {
      expect(redact(`a\n${block(label, "\n")}\nb`).text).toBe("a\n[redacted:private-key]\nb");
    },
  );

  it.each([
    ["CR LF", "\r\n"],
    ["escaped line ends", "\\n"],
    ["line ends escaped twice", "\\\\n"],
    ["spaces", " "],
    ["line numbers", "\n    12→"],
    ["a quoted string a line", '\\n" +\n  "'],
    ["a comment", "\n# "],
    ["a diff", "\n-"],
  ])("is found with %s between its lines", (_, lineEnd) => {
    expect(redact(`a ${block("PRIVATE KEY", lineEnd)} b`).text).toBe("a [redacted:private-key] b");
  });

  it("is found with headers", () => {
    const body = `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${hex(32)}\n\n${BODY.join("\n")}`;
    expect(redact(`-----${"BEGIN"} RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----`).text).toBe(
      "[redacted:private-key]",
    );
  });

  it("is found in PGP armour", () => {
    const body = `Version: GnuPG v2\n\n${BODY.join("\n")}\n=aB3d`;
    expect(
      redact(`-----${"BEGIN"} PGP PRIVATE KEY BLOCK-----\n${body}\n-----END PGP PRIVATE KEY BLOCK-----`).text,
    ).toBe("[redacted:private-key]");
  });

  it("ends with its body where the last line is missing", () => {
    const cut = `-----${"BEGIN"} PRIVATE KEY-----\n${BODY.join("\n")}\nand so on`;
    expect(redact(cut).text).toBe("[redacted:private-key]\nand so on");
  });

  it.each([
    `grep -r "-----${"BEGIN"} RSA PRIVATE KEY-----" .`,
    `-----${"BEGIN"} PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----`,
    `-----${"BEGIN"} PUBLIC KEY-----\n${BODY.join("\n")}\n-----END PUBLIC KEY-----`,
    `-----${"BEGIN"} CERTIFICATE-----\n${BODY.join("\n")}\n-----END CERTIFICATE-----`,
  ])("leaves %j", (text) => {
    expect(redact(text).text).toBe(text);
  });
});

describe("assignments", () => {
  const token = random(24);
  const digest = hex(40);
  const aws = `${random(12)}/${random(10)}+${random(16)}`;
  const password = "hunter" + "2";

  it.each([
    ["password", "password: ", password, "\n"],
    ["password", 'password = "', password, '"'],
    ["password", "DB_PASSWORD=", "kJ8#mN2$" + "pL", "\nNEXT=1"],
    ["password", "export PGPASSWORD=", password, " psql"],
    ["password", "mysqldump --password ", "S3cret" + "Pass!", " db"],
    ["password", "mysqldump --password=", password, " db"],
    ["password", '{"password": "', password, '", "user": "a"}'],
    ["password", '{\\"password\\": \\"', password, '\\"}'],
    ["password", "Server=db;User Id=sa;Password=", "Str0ng" + "!Pass", ";Database=x"],
    ["password", "<password>", password, "</password>"],
    ["password", "connect(password='", password, "')"],
    ["password", "smtp_pass: '", "w8tR" + "k3!x", "'"],
    ["secret", "AWS_SECRET_ACCESS_KEY=", aws, "\n"],
    ["secret", "client_secret: ", token, "\n"],
    ["secret", "SESSION_SECRET='", hex(64), "'"],
    ["token", "GITHUB_TOKEN=", digest, "\n"],
    ["token", "token: ", token, "\n"],
    ["token", "--token ", token, " --verbose"],
    ["token", "//registry.example/:_authToken=", token, "\n"],
    ["token", "GET /v1?access_token=", token, "&page=2"],
    ["token", "auth_token: str = '", token, "'"],
    ["key", "API_KEY='", token, "'"],
    ["key", 'const apiKey: string = "', token, '";'],
    ["key", "X-Api-Key: ", digest, "\r\n"],
    ["key", 'os.environ["OPENAI_API_KEY"] = "', token, '"'],
    ["key", "'api_key' => '", token, "',"],
    ["key", "AccountName=a;AccountKey=", `${random(60)}+/${random(24)}==`, ";EndpointSuffix=x"],
    ["key", "apiKey := `", token, "`"],
    ["key", "ENCRYPTION_KEY_PROD=", hex(64), "\n"],
    ["key", "key=", `${random(43)}=`, "\n"],
  ])("%s in %s…", (kind, before, secret, after) => {
    const name = before.startsWith("AWS_SECRET") ? "key" : kind;
    expect(redact(before + secret + after)).toEqual({
      text: `${before}[redacted:${name}]${after}`,
      counts: { [name]: 1 },
    });
  });
});

describe("what stays", () => {
  const sha = hex(40);
  const uuid = "7b1d2c7e-6f0a-4d5e-9a51-0c2f6d1b8e34";

  it.each([
    // Paths and addresses
    "/home/ana/.config/gh/hosts.yml",
    "key: /etc/ssl/private/server-2024.key",
    "SSH_KEY=~/.ssh/id_ed25519",
    "credentials: C:\\Users\\ana\\creds1.json",
    "password_file=/run/secrets/db_password1",
    "secret: projects/12345/secrets/my-secret/versions/1",
    "https://user@github.com/org/repo.git",
    "git clone ssh://git@host:22/repo",
    "http://localhost:3000/@scope/name",
    `docker://alpine:3.18@sha256:${hex(64)}`,
    "token: https://example.com/oauth2/v1/token",
    // Hashes and ids
    `commit ${sha}`,
    `HEAD is now at ${sha.slice(0, 7)}`,
    `sha256:${hex(64)}`,
    `"integrity": "sha512-${random(86)}=="`,
    `etag: "${hex(32)}"`,
    `session ${uuid}`,
    `token: ${uuid}`,
    `cache_key = "${sha}"`,
    `cacheKey: "node-modules-${hex(12)}"`,
    `key: "${hex(32)}"`,
    `public_key = "${random(44)}"`,
    `"toolu_01${random(22)}"`,
    `"msg_01${random(22)}"`,
    `"req_011${random(21)}"`,
    // Values that come from elsewhere
    "const token = process.env.GITHUB_TOKEN;",
    'token = os.getenv("TOKEN_V2")',
    'api_key=os.environ["API_KEY_1"]',
    "Authorization: Bearer $TOKEN",
    `Authorization: Bearer \${GITHUB_TOKEN_1}`,
    "Authorization: Bearer <your-token>",
    `GITHUB_TOKEN: \${{ secrets.GITHUB_TOKEN }}`,
    "password: {{ vault_db_password1 }}",
    `postgres://app:\${DB_PASSWORD1}@db/main`,
    "postgres://app:$PGPASSWORD@db/main",
    "postgres://<user>:<password>@host",
    "PASSWORD=%DB_PASSWORD1%",
    "password=$(pass show db1)",
    // Stand-ins
    "API_KEY=xxxxxxxxxxxxxxxxxxxxxxxx",
    "API_KEY=your-api-key-1234",
    "token: '<your-token-1>'",
    "password: changeme1",
    "password=example123",
    'password: "test1234"',
    "secret: dummy-secret-12345678",
    "password: ********",
    "api_key: sk-...1234",
    "AKIA" + "IOSFODNN7" + "EXAMPLE",
    "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY",
    `ghp_${"x".repeat(36)}`,
    "postgres://postgres:postgres@localhost:5432/db",
    "postgres://user:password@localhost/db",
    "Authorization: Bearer REDACTED",
    // Code
    "token: string;",
    "password: str | None = None",
    "key: Vec<u8>,",
    "password=getPassword()",
    "password = get_password_v2(user1)",
    "connect(user=user1, password=password1)",
    "const secret = await loadSecretV2(region1);",
    "token == null",
    'if (token === "abc123def456ghi789") {}',
    'token != "abc123def456ghi789"',
    "secret = config.auth.secret2;",
    "let apiKey = settings.providers.openai.apiKey1",
    "keys.map(key => key.id)",
    "token => token.value1",
    'throw new Error("Invalid password: must have 8 characters")',
    "expect(secret).toBe(expectedSecret1)",
    "primary_key=True",
    "FOREIGN KEY (user_id) REFERENCES users(id)",
    "max_tokens: 4096",
    "tokenCount=12",
    "input_tokens: 123456789012",
    "nextPageToken: 'CAUQAA1234abcdEFGH5678'",
    '<li key="ArrowLeft">',
    `<Row key={\`row-\${id}\`} />`,
    'key="item-12345-abcdef"',
    "event.key === 'F12'",
    "i18n.t('settings.password.label1')",
    "password.error.tooShort1: At least 12 characters",
    ".token-1 { color: #a1b2c3; }",
    "--key-color: #ff00aa11;",
    "--- PASS: TestAES256Encrypt2Blocks (0.00s)",
    "PASSWORD_HASH_ALGORITHM=pbkdf2_sha256",
    "KeyboardInterrupt: key12",
    "monkey=banana12345678",
    "Basic authentication is off",
    "authorization = base64.decodebytes(value1)",
    "Authorization: AWS4-HMAC-SHA256 Credential=a/20260101/b",
    "Bearer authentication2 is on",
    "basic understanding of x509v3",
    "the token: it lasts 3600 seconds",
    // Already replaced
    "key=[redacted:aws-key]",
    "postgres://app:[redacted:url-password]@db",
    'password: "[redacted:password]"',
    "token: [REDACTED]",
  ])("%s", (text) => {
    expect(redact(text)).toEqual({ text, counts: {} });
  });

  it("keeps an image, as the same string", () => {
    const text = `data:image/png;base64,${Buffer.from(random(540).repeat(400)).toString("base64")}`;
    expect(redact(text).text).toBe(text);
  });
});

describe("redact", () => {
  it("counts each rule and keeps the text around", () => {
    const text = `a ${"ghp_"}${random(36)} b ${"ghp_"}${random(36)} c password='${"hunter"}2' d`;
    expect(redact(text)).toEqual({
      text: "a [redacted:github-token] b [redacted:github-token] c password='[redacted:password]' d",
      counts: { "github-token": 2, password: 1 },
    });
  });

  it("names a secret by the most specific rule and replaces it once", () => {
    expect(redact(`API_TOKEN=${"ghp_"}${random(36)}`).text).toBe("API_TOKEN=[redacted:github-token]");
    expect(redact(`Authorization: Bearer ${JWT}`).text).toBe("Authorization: Bearer [redacted:jwt]");
    expect(redact(`https://x:${"ghp_"}${random(36)}@github.com/a`).text).toBe(
      "https://x:[redacted:github-token]@github.com/a",
    );
  });

  it("lists the names it uses", () => {
    expect(REDACTION_NAMES).toContain("github-token");
    expect(REDACTION_NAMES).toContain("password");
    expect(REDACTION_NAMES).toEqual([...new Set(REDACTION_NAMES)].sort());
  });

  const fragment = fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.constantFrom("password", "token", "api_key", "_auth", "Bearer ", "Basic ", "Authorization", "curl -u a:", "--"),
    fc.constantFrom(
      "=",
      ":",
      ": ",
      " = ",
      "=>",
      ":=",
      " ",
      "\n",
      "\\n",
      '"',
      "'",
      "`",
      '\\"',
      "&",
      ";",
      ",",
      ".",
      "-",
      "_",
    ),
    fc.constantFrom(
      "ghp_",
      "sk-",
      "sk-ant-api03-",
      "AKIA",
      "eyJ",
      "xoxb-",
      "://u:",
      "@host",
      "?sig=",
      "[redacted:key]",
    ),
    fc.constantFrom(
      `-----${"BEGIN"} PRIVATE KEY-----`,
      "-----END PRIVATE KEY-----",
      JWT,
      random(64),
      "hunter2",
      "%3D",
      "+",
    ),
    fc.stringMatching(/^[A-Za-z0-9_+/=.-]{4,60}$/),
    fc.constantFrom(...WORD_RULES.flatMap(({ words }) => words)),
    fc.constantFrom(" -p", " -u a:", " -w ", "; sid=", "value: ", '","value":"', " || '", " is ", "login a password "),
  );

  it.each<[string, RedactionOptions]>([
    ["without a fingerprint", {}],
    ["with one", { fingerprint: () => "k7f2" }],
  ])("changes nothing the second time, %s", (_, options) => {
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 30 }), (fragments) => {
        const once = redact(fragments.join(""), options).text;
        expect(redact(once, options).text).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });

  it("cuts no character in two", () => {
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 30 }), (fragments) => {
        const text = Buffer.from(fragments.join("")).toString();
        const { text: after } = redact(text);
        expect(Buffer.from(after).toString()).toBe(after);
      }),
    );
  });

  it.each([
    "a",
    "-",
    "A1",
    "key=",
    "key:",
    'key="',
    "password: ",
    "--password ",
    "secret",
    "token=token:",
    `-----${"BEGIN"} `,
    `-----${"BEGIN"} PRIVATE KEY-----`,
    `-----${"BEGIN"} PRIVATE KEY-----${random(24)}+ + 1: 1: \n`,
    "1: PRIVATE KEY 1: ",
    "://",
    "://a:",
    "a://a:b@",
    "eyJ-",
    "eyJhbGciOiJIUzI1NiJ9.",
    "sk-ant-api03-",
    "ghs_",
    "xapp-1-A-1",
    "glpat-AAAA",
    "Bearer ",
    "Bearer a1",
    "Basic YTpi",
    "curl ",
    "curl -u a:",
    "Authorization: ",
    "?sig=",
    "&",
    "key=&amp;a",
    "\\",
    "\u001b[3",
    "é",
    "😀",
    "key {",
    "token: {\n",
    "key,\n",
    "password is ",
    "kind: Secret\ndata:\n a: AAAAAAAA\n",
    "data:\n  a: AAAAAAAA\n",
    "Cookie: session=",
    "cookie: a=b; ",
    "machine a login b ",
    "mysql -p",
    "echo 'a' | ",
    "Authorization: Digest ",
    "private-lines: 1\nAAAA\n",
    "mnemonic: abc abc abc ",
    "a:5432:b:c:",
    "a:b@tcp(",
    "config set a ",
  ])("takes a megabyte of %j", (part) => {
    const text = part.repeat(Math.ceil(1_000_000 / part.length));
    expect(redact(`password=${text}`).text.length).toBeGreaterThan(0);
    expect(redact(text).text.length).toBeGreaterThan(0);
  });

  it("takes a hundred thousand characters of every word and beginning that a rule looks for", () => {
    const words = new Set([
      ...WORD_RULES.flatMap((rule) => rule.words),
      ...TOKEN_RULES.flatMap((rule) => rule.prefixes),
    ]);
    for (const word of words) {
      for (const part of [word, `${word} `, `${word}A1b2`]) {
        const text = part.repeat(Math.ceil(100_000 / part.length));
        expect(redact(text).text.length).toBeGreaterThan(0);
      }
    }
  }, 30_000);
});
