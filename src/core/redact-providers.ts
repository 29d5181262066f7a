import { hasDigit, isEncodedKey, isJwt, isMixed, isPlaceholder } from "./redact-values.ts";

/**
 * A provider's token, known by how it begins and by the length and alphabet of the rest.
 *
 * It is looked for only inside runs of `[A-Za-z0-9_.-]` of `SHORTEST_TOKEN` characters or more, where a prefix
 * follows something that is not a letter or digit, and it must not be followed by one.
 */
export interface TokenRule {
  readonly name: string;
  /** Literal beginnings of two characters or more. Nothing else makes the pattern be tried. */
  readonly prefixes: readonly string[];
  /** Sticky. Takes time linear in what it matches. */
  readonly pattern: RegExp;
  /** Whether the match is a real token. */
  readonly check: (token: string) => boolean;
  /** Who made the shape known. */
  readonly source: string;
}

/** No token of the table is shorter. The scan looks at every such character only, so a higher value is faster. */
export const SHORTEST_TOKEN = 20;

export const TOKEN_RULES: readonly TokenRule[] = [
  token("aws-key", "AKIA", /AKIA[A-Z0-9]{16}/y, "AWS IAM: unique identifiers"),
  token("aws-key", "ASIA ABIA ACCA", /A(?:SIA|BIA|CCA)[A-Z0-9]{16}/y, "AWS IAM: unique identifiers", hasDigit),
  token(
    "aws-token",
    "IQoJb3JpZ2lu FwoGZXIvYXdz",
    /(?:IQoJb3JpZ2lu|FwoGZXIvYXdz)[A-Za-z0-9+/%_-]{100,}={0,2}/y,
    "AWS STS: tokens begin alike",
  ),
  token("aws-key", "ABSK", /ABSK[A-Za-z0-9+/]{80,}={0,2}/y, "Amazon Bedrock: API keys"),
  token("github-token", "ghp_ gho_ ghu_ ghr_", /gh[pour]_[A-Za-z0-9]{36,}/y, "GitHub: authentication, token formats"),
  token("github-token", "ghs_", /ghs_[A-Za-z0-9._-]{36,}/y, "GitHub changelog 2026-05-15, stateless tokens"),
  token("github-token", "github_pat_", /github_pat_[A-Za-z0-9_]{36,}/y, "GitHub: authentication, token formats"),
  token(
    "gitlab-token",
    "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt-",
    /gl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[A-Za-z0-9_-]{20,}(?:\.[A-Za-z0-9]{2,12}(?![A-Za-z0-9])){0,2}/y,
    "GitLab: token overview, prefixes",
  ),
  token("gitlab-token", "GR1348941", /GR1348941[A-Za-z0-9_-]{20,}/y, "GitLab: token overview, prefixes"),
  token(
    "slack-token",
    "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xox",
    /xox(?:[a-eoprs]|e\.xox[bp])-[A-Za-z0-9-]{15,}/y,
    "Slack: token types",
    hasDigit,
  ),
  token("slack-token", "xapp-", /xapp-\d-[A-Z0-9]+-\d+-[A-Za-z0-9]{16,}/y, "Slack: token types"),
  token("anthropic-key", "sk-ant-", /sk-ant-[a-z]{2,8}\d{2}-[A-Za-z0-9_-]{32,}/y, "gitleaks: anthropic-api-key"),
  token("openrouter-key", "sk-or-", /sk-or-v\d-[0-9a-f]{48,}/y, "OpenRouter: authentication"),
  token(
    "openai-key",
    "sk-proj- sk-svcacct- sk-admin- sk-None- sk-service-",
    /sk-(?:proj|svcacct|admin|None|service)-[A-Za-z0-9_-]{32,}/y,
    "gitleaks: openai-api-key",
    hasDigit,
  ),
  token("openai-key", "sk-", /sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}/y, "gitleaks: openai-api-key"),
  token("api-key", "sk-", /sk-(?:lf-)?[A-Za-z0-9]{24,}|sk-lf-[0-9a-f-]{36}/y, "OpenAI-compatible services", hasDigit),
  token("google-key", "AIza", /AIza[A-Za-z0-9_-]{35}/y, "Google Cloud: API keys"),
  token("google-secret", "GOCSPX-", /GOCSPX-[A-Za-z0-9_-]{28}/y, "GitHub: secret scanning patterns"),
  token("google-token", "ya29.", /ya29\.[A-Za-z0-9_-]{30,}/y, "Google: OAuth 2.0 access tokens", hasDigit),
  token(
    "stripe-key",
    "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_",
    /[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,}/y,
    "Stripe: API keys",
  ),
  token("webhook-secret", "whsec_", /whsec_[A-Za-z0-9+/]{24,}={0,2}/y, "Stripe and Standard Webhooks", hasDigit),
  token("npm-token", "npm_", /npm_[A-Za-z0-9]{36}/y, "GitHub blog 2021: npm token format"),
  token("pypi-token", "pypi-AgE", /pypi-AgE[A-Za-z0-9_-]{50,}/y, "PyPI: API tokens, macaroons"),
  token("rubygems-key", "rubygems_", /rubygems_[0-9a-f]{48}/y, "RubyGems: API key prefix"),
  token("docker-token", "dckr_pat_ dckr_oat_", /dckr_[po]at_[A-Za-z0-9_-]{27,}/y, "Docker: access tokens"),
  token("hugging-face-token", "hf_ api_org_", /(?:hf|api_org)_[A-Za-z0-9]{34}/y, "Hugging Face: access tokens"),
  token("replicate-token", "r8_", /r8_[A-Za-z0-9]{37}/y, "Replicate: HTTP API"),
  token("groq-key", "gsk_", /gsk_[A-Za-z0-9]{52}/y, "gitleaks: groq-api-key"),
  token("xai-key", "xai-", /xai-[A-Za-z0-9]{70,}/y, "GitHub: secret scanning patterns"),
  token("perplexity-key", "pplx-", /pplx-[A-Za-z0-9]{40,}/y, "gitleaks: perplexity-api-key"),
  token("nvidia-key", "nvapi-", /nvapi-[A-Za-z0-9_-]{60,}/y, "NVIDIA: API catalog"),
  token("tavily-key", "tvly-", /tvly-(?:dev-|prod-)?[A-Za-z0-9_-]{28,}/y, "Tavily: API keys", hasDigit),
  token("firecrawl-key", "fc-", /fc-[0-9a-f]{32}/y, "Firecrawl: API keys"),
  token("langsmith-key", "lsv2_pt_ lsv2_sk_", /lsv2_[ps][tk]_[0-9a-f]{32}_[0-9a-f]{10}/y, "gitleaks: langsmith"),
  token("posthog-key", "phx_", /phx_[A-Za-z0-9]{40,}/y, "PostHog: personal API keys"),
  token("sendgrid-key", "SG.", /SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}/y, "SendGrid: API keys"),
  token("resend-key", "re_", /re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}/y, "Resend: API keys", hasDigit),
  token("mailgun-key", "key-", /key-[0-9a-f]{32}/y, "gitleaks: mailgun-private-api-token"),
  token("brevo-key", "xkeysib-", /xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}/y, "gitleaks: sendinblue-api-token"),
  token("twilio-key", "SK", /SK[0-9a-f]{32}/y, "Twilio: API keys"),
  token(
    "telegram-token",
    "AA",
    /(?<=(?<!\d)\d{8,10}:)AA[A-Za-z0-9_-]{33}/y,
    "Telegram: Bot API, authorizing your bot",
    hasDigit,
  ),
  // The first part is the account's decimal id in Base64, hence these beginnings and no others.
  token(
    "discord-token",
    "MT Mj Mz ND NT Nj Nz OD OT",
    /[MNO][A-Za-z0-9]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}/y,
    "Discord: reference, authentication",
  ),
  token("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", /do[opr]_v1_[0-9a-f]{64}/y, "DigitalOcean: API tokens"),
  token("vault-token", "hvs. hvb. hvr.", /hv[sbr]\.[A-Za-z0-9_-]{24,}/y, "HashiCorp Vault: tokens", hasDigit),
  // What stands before the prefix only names the token.
  token("terraform-token", ".atlasv1.", /\.atlasv1\.[A-Za-z0-9_=-]{60,}/y, "gitleaks: hashicorp-tf-api-token"),
  token("databricks-token", "dapi", /dapi[0-9a-f]{32}(?:-\d)?/y, "gitleaks: databricks-api-token"),
  token("linear-key", "lin_api_ lin_oauth_", /lin_(?:api|oauth)_[A-Za-z0-9]{40,}/y, "Linear: API keys"),
  token("notion-token", "ntn_", /ntn_[A-Za-z0-9]{40,}/y, "Notion changelog 2024-09-25"),
  token("notion-token", "secret_", /secret_[A-Za-z0-9]{43}/y, "Notion: internal integration secrets", hasDigit),
  token("supabase-token", "sbp_", /sbp_(?:v0_|oauth_)?[0-9a-f]{40}/y, "Supabase: Management API"),
  token("supabase-key", "sb_secret_", /sb_secret_[A-Za-z0-9_-]{20,}/y, "Supabase: API keys", hasDigit),
  token(
    "vercel-token",
    "vcp_ vci_ vca_ vcr_ vck_",
    /vc[piark]_[A-Za-z0-9_-]{24,}/y,
    "Vercel changelog: new token formats and secret scanning",
    hasDigit,
  ),
  token("netlify-token", "nfp_ nfc_ nfo_ nfb_ nfu_", /nf[pcobu]_[A-Za-z0-9]{36,}/y, "Netlify: access tokens"),
  token("render-key", "rnd_", /rnd_[A-Za-z0-9]{28,}/y, "Render: API keys", hasDigit),
  token("heroku-key", "HRKU-AA", /HRKU-AA[A-Za-z0-9_-]{58}/y, "gitleaks: heroku-api-key-v2"),
  token("cloudflare-token", "cfk_ cfut_ cfat_", /cf(?:k|ut|at)_[A-Za-z0-9_-]{40,}/y, "Cloudflare: token formats"),
  token("cloudflare-ca-key", "v1.0-", /v1\.0-[0-9a-f]{24}-[0-9a-f]{146}/y, "gitleaks: cloudflare-origin-ca-key"),
  token("tailscale-key", "tskey-", /tskey-[a-z]{3,10}-[A-Za-z0-9]{8,}-[A-Za-z0-9]{16,}/y, "Tailscale: key prefixes"),
  token("pulumi-token", "pul-", /pul-[0-9a-f]{40}/y, "gitleaks: pulumi-api-token"),
  token("grafana-token", "glsa_", /glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}/y, "Grafana: service account tokens"),
  token("grafana-token", "glc_", /glc_[A-Za-z0-9+/]{32,}={0,2}/y, "gitleaks: grafana-cloud-api-token", hasDigit),
  token("sentry-token", "sntryu_", /sntryu_[0-9a-f]{64}/y, "Sentry: auth tokens"),
  token("sentry-token", "sntrys_eyJ", /sntrys_eyJ[A-Za-z0-9+/=_-]{60,}/y, "Sentry: auth tokens"),
  token("new-relic-key", "NRAK-", /NRAK-[A-Z0-9]{27}/y, "New Relic: API keys"),
  token(
    "shopify-token",
    "shpat_ shpca_ shppa_ shpss_",
    /shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/y,
    "Shopify: access tokens",
  ),
  token("square-token", "sq0atp- sq0csp-", /sq0(?:atp|csp)-[A-Za-z0-9_-]{22,43}/y, "Square: access tokens"),
  token("airtable-token", "pat", /pat[A-Za-z0-9]{14}\.[0-9a-f]{64}/y, "Airtable: personal access tokens"),
  token("figma-token", "figd_", /figd_[A-Za-z0-9_-]{36,}/y, "Figma: personal access tokens", hasDigit),
  token("postman-key", "PMAK-", /PMAK-[0-9a-f]{24}-[0-9a-f]{34}/y, "gitleaks: postman-api-token"),
  token("doppler-token", "dp.", /dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{40,}/y, "Doppler: token formats"),
  token("planetscale-token", "pscale_", /pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,}/y, "gitleaks: planetscale"),
  token("neon-key", "napi_", /napi_[a-z0-9]{40,}/y, "Neon: API keys", hasDigit),
  token(
    "hubspot-token",
    "pat-na pat-eu",
    /pat-(?:na|eu)\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/y,
    "HubSpot: tokens",
  ),
  token("contentful-token", "CFPAT-", /CFPAT-[A-Za-z0-9_-]{43}/y, "Contentful: personal access tokens"),
  token("atlassian-token", "ATATT3", /ATATT3[A-Za-z0-9_=-]{100,}/y, "gitleaks: atlassian-api-token"),
  token("bitbucket-token", "ATBB", /ATBB[A-Za-z0-9]{28,}/y, "Bitbucket: app passwords", hasDigit),
  token("artifactory-key", "AKCp", /AKCp[A-Za-z0-9]{69}/y, "gitleaks: artifactory-api-key"),
  token("alibaba-key", "LTAI", /LTAI[A-Za-z0-9]{20}/y, "gitleaks: alibaba-access-key-id", hasDigit),
  token("sourcegraph-token", "sgp_", /sgp_(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}/y, "Sourcegraph: access tokens"),
  token("prefect-key", "pnu_", /pnu_[A-Za-z0-9]{36}/y, "gitleaks: prefect-api-token"),
  token("age-key", "AGE-SECRET-KEY-1", /AGE-SECRET-KEY-1[A-Z0-9]{58}/y, "age: format specification"),
  token("onepassword-token", "ops_eyJ", /ops_eyJ[A-Za-z0-9+/_-]{200,}={0,3}/y, "1Password: service accounts"),
  token(
    "google-token",
    "00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 0g",
    /(?<=(?<![A-Za-z0-9])1\/\/)0[0-9a-g][A-Za-z0-9_-]{40,}/y,
    "Google: OAuth 2.0 refresh tokens",
  ),
  token("pinecone-key", "pcsk_", /pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{50,}/y, "Pinecone: API keys"),
  token("api-key", "sk_", /sk_[0-9a-f]{48}/y, "ElevenLabs: API keys"),
  token("together-key", "tgp_v1_", /tgp_v1_[A-Za-z0-9_-]{40,}/y, "Together: API keys"),
  token("cerebras-key", "csk-", /csk-[a-z0-9]{48}/y, "Cerebras: API keys", hasDigit),
  token("fireworks-key", "fw_", /fw_[A-Za-z0-9]{22,24}/y, "Fireworks: API keys", isMixed),
  token("jina-key", "jina_", /jina_[0-9a-f]{32}[A-Za-z0-9_-]{20,}/y, "Jina: API keys"),
  token("apify-token", "apify_api_", /apify_api_[A-Za-z0-9]{36}/y, "Apify: API tokens"),
  token("e2b-key", "e2b_", /e2b_[0-9a-f]{40}/y, "E2B: API keys"),
  token("browserbase-key", "bb_live_", /bb_live_[A-Za-z0-9_-]{27}/y, "Browserbase: API keys"),
  token("runpod-key", "rpa_", /rpa_[A-Z0-9]{40,}[a-z0-9]{0,8}/y, "RunPod: API keys"),
  token("facebook-token", "EAAM EAAC EAAG EAAB", /EAA[A-Z][A-Za-z0-9]{100,}/y, "gitleaks: facebook-page-access-token"),
  token(
    "mapbox-token",
    "sk.eyJ",
    /sk\.eyJ[A-Za-z0-9_-]{40,}\.[A-Za-z0-9_-]{20,}/y,
    "Mapbox: access tokens, secret scope",
  ),
  token("square-token", "EAAA", /EAAA[A-Za-z0-9_-]{60}/y, "gitleaks: square-access-token", isMixed),
  token("crates-token", "cio", /cio[A-Za-z0-9]{32}/y, "crates.io: API tokens", isMixed),
  token("nuget-key", "oy2", /oy2[a-z2-7]{43}/y, "NuGet: API keys", hasDigit),
  token("artifactory-key", "cmVmd", /cmVmd[A-Za-z0-9]{59}/y, "gitleaks: artifactory-reference-token"),
  token("fly-token", "fo1_", /fo1_[A-Za-z0-9_-]{43}/y, "gitleaks: flyio-access-token"),
  token("fly-token", "fm1a_ fm1r_ fm2_", /fm(?:1[ar]|2)_[A-Za-z0-9+/]{100,}={0,3}/y, "gitleaks: flyio-access-token"),
  token("aiven-password", "AVNS_", /AVNS_[A-Za-z0-9_-]{19}/y, "Aiven: service passwords"),
  token(
    "dynatrace-token",
    "dt0c01. dt0s01. dt0s02.",
    /dt0[cs]0[12]\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}/y,
    "Dynatrace: token format",
  ),
  token("sonar-token", "squ_ sqp_ sqa_", /sq[upa]_[0-9a-f]{40}/y, "SonarQube: token types"),
  token("buildkite-token", "bkua_", /bkua_[0-9a-f]{40}/y, "Buildkite: API access tokens"),
  token("circleci-token", "CCIPAT_ CCIPRJ_", /CCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[0-9a-f]{40}/y, "CircleCI: API tokens"),
  token("clickup-token", "pk_", /pk_\d{4,10}_[A-Z0-9]{32}/y, "ClickUp: personal tokens"),
  token("octopus-key", "API-", /API-[A-Z0-9]{26}/y, "gitleaks: octopus-deploy-api-key", hasDigit),
  token("readme-key", "rdme_", /rdme_[a-z0-9]{70}/y, "gitleaks: readme-api-token"),
  token("shippo-token", "shippo_", /shippo_(?:live|test)_[0-9a-f]{40}/y, "gitleaks: shippo-api-token"),
  token("duffel-token", "duffel_", /duffel_(?:test|live)_[A-Za-z0-9_-]{43}/y, "gitleaks: duffel-api-token"),
  token("easypost-key", "EZAK EZTK", /EZ[AT]K[A-Za-z0-9]{54}/y, "gitleaks: easypost-api-token"),
  token(
    "flutterwave-key",
    "FLWSECK_TEST- FLWSECK-",
    /FLWSECK(?:_TEST)?-[A-Za-z0-9]{32}-X/y,
    "gitleaks: flutterwave-secret-key",
  ),
  token("frameio-token", "fio-u-", /fio-u-[A-Za-z0-9_=-]{64}/y, "gitleaks: frameio-api-token"),
  token("infracost-key", "ico-", /ico-[A-Za-z0-9]{32}/y, "gitleaks: infracost-api-token", hasDigit),
  token(
    "harness-key",
    "pat. sat.",
    /[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}/y,
    "gitleaks: harness-api-key",
  ),
  token("clojars-token", "CLOJARS_", /CLOJARS_[0-9a-z]{60}/y, "gitleaks: clojars-api-token"),
  token("yandex-key", "AQVN", /AQVN[A-Za-z0-9_-]{35,38}/y, "gitleaks: yandex-api-key", isMixed),
  token("open-vsx-token", "ovsxat_", /ovsxat_[0-9a-f-]{36}/y, "Open VSX: access tokens"),
  token("mongodb-key", "mdb_sa_sk_", /mdb_sa_sk_[A-Za-z0-9_-]{40}/y, "MongoDB Atlas: service accounts"),
  token(
    "onepassword-key",
    "A3-",
    /A3-[A-Z0-9]{6}(?:-[A-Z0-9]{11}|-[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}/y,
    "gitleaks: 1password-secret-key",
  ),
  token("adobe-secret", "p8e-", /p8e-[A-Za-z0-9]{32}/y, "gitleaks: adobe-client-secret", hasDigit),
  token("grafana-token", "eyJrIjoi", /eyJrIjoi[A-Za-z0-9]{70,400}={0,3}/y, "gitleaks: grafana-api-key"),
  token(
    "private-key",
    "LS0tLS1CRUdJTi",
    /LS0tLS1CRUdJTi[A-Za-z0-9+/]{40,}={0,2}/y,
    "RFC 7468, in Base64",
    isEncodedKey,
  ),
  // Bounded, or "eyJ-eyJ-…" would be read to its end from every hyphen.
  token("jwt", "eyJ", /eyJ[A-Za-z0-9_-]{8,400}(?:\.[A-Za-z0-9_-]*){2,4}/y, "RFC 7519, RFC 7516", isJwt),
];

function token(
  name: string,
  prefixes: string,
  pattern: RegExp,
  source: string,
  check: (token: string) => boolean = () => true,
): TokenRule {
  return { name, prefixes: prefixes.split(" "), pattern, source, check: (text) => !isPlaceholder(text) && check(text) };
}
