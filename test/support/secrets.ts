// Secrets are put together from parts, so that scanners of repositories see none here.
const ALPHANUMERIC = "q7Rk2VtY9mXc4LpZ8wNd3HsB6jGf5TzQ1yKe0MvUaWxEiDoPrCuSbJhFnAgIlO";
const HEX = "9f3c7a1e5b8d2046";

/** A secret, and what has to stand around it to make it one. */
export interface Secret {
  readonly name: string;
  readonly secret: string;
  readonly text: string;
}

let state = 7;

/** Text as random as a token, no two alike, and the same in every run. */
function drawn(alphabet: string, length: number): string {
  let text = "";
  while (text.length < length) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += alphabet.charAt((state >>> 8) % alphabet.length);
  }
  return text;
}

const random = (length: number): string => drawn(ALPHANUMERIC, length);
const hex = (length: number): string => drawn(HEX, length);
const encoded = (text: string): string => Buffer.from(text).toString("base64url");

const JWT = `${encoded('{"alg":"HS256","typ":"JWT"}')}.${encoded('{"sub":"8842","iat":1767225600}')}.${random(43)}`;
const PASSWORD = "kJ8mN2" + "pLq4";

/** Tokens that are told by themselves. */
const TOKENS: Readonly<Record<string, string>> = {
  "age-key": `${"AGE-SECRET-KEY-1"}${random(58).toUpperCase()}`,
  "airtable-token": `${"pat"}${random(14)}.${hex(64)}`,
  "alibaba-key": `LTAI${random(20)}`,
  "anthropic-key": `${"sk-ant-"}api03-${random(93)}AA`,
  "api-key": `${"sk-"}${hex(32)}`,
  "artifactory-key": `AKCp${random(69)}`,
  "atlassian-token": `ATATT3${random(186)}`,
  "aws-key": `AKIA${"IOSFODNN7"}ABCDEFG`,
  "bitbucket-token": `ATBB${random(32)}`,
  "brevo-key": `${"xkeysib-"}${hex(64)}-${random(16)}`,
  "cloudflare-ca-key": `${"v1.0-"}${hex(24)}-${hex(146)}`,
  "cloudflare-token": `cfut_${random(48)}`,
  "contentful-token": `CFPAT-${random(43)}`,
  "databricks-token": `dapi${hex(32)}`,
  "digitalocean-token": `dop_v1_${hex(64)}`,
  "discord-token": `${"MT"}${random(24)}.${random(6)}.${random(38)}`,
  "docker-token": `dckr_pat_${random(27)}`,
  "doppler-token": `dp.pt.${random(43)}`,
  "figma-token": `figd_${random(40)}`,
  "firecrawl-key": `fc-${hex(32)}`,
  "github-token": `${"ghp_"}${random(36)}`,
  "gitlab-token": `glpat-${random(20)}`,
  "google-key": `${"AIza"}Sy${random(33)}`,
  "google-secret": `GOCSPX-${random(28)}`,
  "google-token": `ya29.${random(60)}`,
  "grafana-token": `${"glsa_"}${random(32)}_${hex(8)}`,
  "groq-key": `gsk_${random(52)}`,
  "heroku-key": `HRKU-AA${random(58)}`,
  "hubspot-token": `${"pat-na1-"}${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`,
  "hugging-face-token": `hf_${random(34)}`,
  jwt: JWT,
  "langsmith-key": `${"lsv2_pt_"}${hex(32)}_${hex(10)}`,
  "linear-key": `lin_api_${random(40)}`,
  "mailgun-key": `key-${hex(32)}`,
  "neon-key": `${"napi_"}${random(64).toLowerCase()}`,
  "netlify-token": `nfp_${random(36)}`,
  "new-relic-key": `${"NRAK-"}${random(27).toUpperCase()}`,
  "notion-token": `secret_${random(43)}`,
  "npm-token": `npm_${random(36)}`,
  "nvidia-key": `nvapi-${random(64)}`,
  "onepassword-token": `${"ops_"}eyJ${random(260)}`,
  "openai-key": `${"sk-"}proj-${random(74)}`,
  "openrouter-key": `${"sk-or-"}v1-${hex(64)}`,
  "perplexity-key": `pplx-${random(48)}`,
  "planetscale-token": `pscale_tkn_${random(43)}`,
  "posthog-key": `phx_${random(43)}`,
  "postman-key": `${"PMAK-"}${hex(24)}-${hex(34)}`,
  "prefect-key": `pnu_${random(36)}`,
  "pulumi-token": `pul-${hex(40)}`,
  "pypi-token": `${"pypi-"}AgEIcHlwaS5vcmc${random(60)}`,
  "render-key": `rnd_${random(28)}`,
  "replicate-token": `r8_${random(37)}`,
  "resend-key": `${"re_"}${random(8)}_${random(24)}`,
  "rubygems-key": `rubygems_${hex(48)}`,
  "sendgrid-key": `${"SG."}${random(22)}.${random(43)}`,
  "sentry-token": `sntryu_${hex(64)}`,
  "shopify-token": `shpat_${hex(32)}`,
  "slack-token": `${"xoxb-"}1234567890123-1234567890124-${random(24)}`,
  "sourcegraph-token": `sgp_${hex(40)}`,
  "square-token": `sq0atp-${random(22)}`,
  "stripe-key": `sk_live_${random(24)}`,
  "supabase-key": `${"sb_secret_"}${random(22)}_${random(8)}`,
  "supabase-token": `sbp_${hex(40)}`,
  "tailscale-key": `${"tskey-"}auth-${random(12)}-${random(32)}`,
  "tavily-key": `tvly-${random(32)}`,
  "twilio-key": `SK${hex(32)}`,
  "vault-token": `hvs.${random(95)}`,
  "vercel-token": `vcp_${random(56)}`,
  "webhook-secret": `whsec_${random(32)}`,
  "xai-key": `xai-${random(80)}`,
  "adobe-secret": `${"p8e-"}${random(32)}`,
  "aiven-password": `AVNS_${random(19)}`,
  "apify-token": `${"apify_api_"}${random(36)}`,
  "aws-token": `IQoJb3JpZ2luX2Vj${random(200)}`,
  "azure-key": `${random(52)}${"JQQJ99"}${random(4)}ACAAAAAAAAAAAAAZDO${random(4)}`,
  "azure-secret": `aB3${"8Q~"}${random(34)}`,
  "browserbase-key": `bb_live_${random(27)}`,
  "buildkite-token": `bkua_${hex(40)}`,
  "cerebras-key": `csk-${random(48).toLowerCase()}`,
  "circleci-token": `CCIPAT_${random(22)}_${hex(40)}`,
  "clickup-token": `pk_12345678_${random(32).toUpperCase()}`,
  "clojars-token": `CLOJARS_${hex(60)}`,
  "crates-token": `cio${random(32)}`,
  "duffel-token": `duffel_live_${random(43)}`,
  "dynatrace-token": `dt0c01.${random(24).toUpperCase()}.${random(64).toUpperCase()}`,
  "e2b-key": `e2b_${hex(40)}`,
  "easypost-key": `EZAK${random(54)}`,
  "facebook-token": `EAAC${random(150)}`,
  "fireworks-key": `fw_${random(24)}`,
  "flutterwave-key": `FLWSECK-${hex(32)}-X`,
  "fly-token": `fo1_${random(43)}`,
  "frameio-token": `fio-u-${random(64)}`,
  "harness-key": `${"pat."}${random(22)}.${random(24)}.${random(20)}`,
  "infracost-key": `ico-${random(32)}`,
  "jina-key": `jina_${hex(32)}${random(28)}`,
  "mailchimp-key": `${hex(32)}${"-us"}12`,
  "mapbox-token": `${"sk."}eyJ${random(60)}.${random(22)}`,
  "mongodb-key": `mdb_sa_sk_${random(40)}`,
  "nuget-key": `oy2${drawn("abcdefghijklmnopqrstuvwxyz234567", 43)}`,
  "octopus-key": `API-${random(26).toUpperCase()}`,
  "onepassword-key": `A3-${["6", "11", "5", "5", "5"].map((length) => drawn("ABCDEFGHJKLMNPQRSTVWXYZ23456789", Number(length))).join("-")}`,
  "open-vsx-token": `ovsxat_${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`,
  "openshift-token": `sha256~${random(43)}`,
  "password-hash": `$2b$12$${random(53)}`,
  "pinecone-key": `pcsk_${random(5)}_${random(63)}`,
  "readme-key": `rdme_${random(70).toLowerCase()}`,
  "runpod-key": `rpa_${random(40).toUpperCase()}`,
  "shippo-token": `shippo_live_${hex(40)}`,
  "sonar-token": `squ_${hex(40)}`,
  "together-key": `tgp_v1_${random(43)}`,
  "yandex-key": `AQVN${random(36)}`,
};

/** Secrets that are told by what stands around them: before, secret, after. */
const IN_CONTEXT: Readonly<Record<string, readonly [string, string, string]>> = {
  "basic-auth": ["Authorization: Basic ", Buffer.from(`deploy:${PASSWORD}`).toString("base64"), ""],
  "bearer-token": ["Authorization: Bearer ", random(32), ""],
  "discord-webhook": ["https://discord.com/api/webhooks/123456789012345678/", random(68), " "],
  key: ["API_KEY='", random(24), "'"],
  password: ["DB_PASSWORD=", "hunter" + "2Pw9xQ", " "],
  "private-key": [
    "",
    `-----${"BEGIN"} PRIVATE KEY-----\n${random(64)}\n${random(64)}\n${random(30)}==\n-----END PRIVATE KEY-----`,
    "",
  ],
  secret: ["client_secret: ", random(28), ""],
  "slack-webhook": ["https://hooks.slack.com/services/", `T012ABCDE/B012ABCDE/${random(24)}`, ""],
  "teams-webhook": [
    "https://contoso.webhook.office.com/webhookb2/",
    `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}@${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}/IncomingWebhook/${hex(32)}/x`,
    "",
  ],
  "telegram-token": [`bot ${"123456789:"}`, `AA${random(33)}`, ""],
  "terraform-token": [`token ${random(14)}`, `.atlasv1.${random(67)}`, ""],
  token: ["GITHUB_TOKEN=", hex(40), ""],
  "url-password": ["postgres://app:", PASSWORD, "@db.internal:5432/main"],
  cookie: ["Set-Cookie: session=", random(40), "; Path=/"],
  "recovery-words": [
    "mnemonic: ",
    "anchor basket canyon dolphin ember fabric gadget harbor island jungle kitten ladder",
    "",
  ],
  "totp-seed": ["otpauth://totp/Tide?secret=", drawn("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 32), ""],
  "url-signature": ["https://a.blob.core.windows.net/c/f?sv=2024-01-01&sig=", `${random(43)}%3D`, "&se=1"],
};

/** One for every name that a redaction can have. */
export const SECRETS: readonly Secret[] = [
  ...Object.entries(TOKENS).map(([name, secret]) => ({ name, secret, text: secret })),
  ...Object.entries(IN_CONTEXT).map(([name, [before, secret, after]]) => ({
    name,
    secret,
    text: `${before}${secret}${after}`,
  })),
];

export function secretNamed(name: string): Secret {
  const found = SECRETS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no secret ${name}`);
  return found;
}
