import type { WordRule } from "./redact-rules.ts";
import { hasDigit, isPlaceholder, isStockPassword, isTemplate } from "./redact-values.ts";

/** Secrets in addresses. */
export const URL_RULES: readonly WordRule[] = [
  {
    name: "url-password",
    words: ["://"],
    pattern: /(:\/\/(?<=[A-Za-z0-9]:\/\/)[^\s/@:"'`<>\\[]{0,100}:)([^\s/"'`<>\\]{1,200})(?=@(?!sha\d)[\w[%.-])/y,
    check: (secret, before) => !isTemplate(secret) && !isStockPassword(secret, before.slice("://".length, -1)),
    source: "RFC 3986, section 3.2.1",
  },
  webhook(
    "slack-webhook",
    /(:\/\/hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/)([A-Za-z0-9]{4,20}(?:\/[A-Za-z0-9]{8,40}){2,3})/y,
    "Slack: incoming webhooks",
  ),
  webhook(
    "discord-webhook",
    /(:\/\/(?:[a-z]{1,8}\.)?discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{15,21}\/)([A-Za-z0-9_-]{40,100})/y,
    "Discord: webhook resource",
  ),
  webhook(
    "teams-webhook",
    /(:\/\/[a-z0-9-]{1,60}\.webhook\.office\.com\/webhookb2\/)([0-9a-f@-]{60,80}\/IncomingWebhook\/[0-9a-f]{32}[\w/-]{0,120})/y,
    "gitleaks: microsoft-teams-webhook",
  ),
  webhook(
    "webhook-secret",
    /(:\/\/hooks\.zapier\.com\/hooks\/catch\/)(\d{4,12}\/[a-z0-9]{5,12})/y,
    "Zapier: catch hooks",
  ),
  webhook(
    "webhook-secret",
    /(:\/\/maker\.ifttt\.com\/(?:use\/|trigger\/[\w-]{1,60}\/(?:json\/)?with\/key\/))([A-Za-z0-9_-]{20,60})/y,
    "IFTTT: webhooks",
  ),
  webhook(
    "webhook-secret",
    /(:\/\/open\.(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/(?:v2\/)?hook\/)([0-9a-f-]{32,36})/y,
    "Lark: custom bots",
  ),
  webhook(
    "webhook-secret",
    /(:\/\/qyapi\.weixin\.qq\.com\/cgi-bin\/webhook\/[a-z_]{4,20}\?key=)([0-9a-f-]{36})/y,
    "WeCom: group robots",
  ),
  webhook(
    "webhook-secret",
    /(:\/\/chat\.googleapis\.com\/v1\/spaces\/[^\s"'`<>]{1,200}?[?&]token=)([A-Za-z0-9_%-]{30,80})/y,
    "Google Chat: incoming webhooks",
  ),
  {
    name: "totp-seed",
    words: ["://"],
    pattern: /(:\/\/(?<=otpauth:\/\/)[^\s"'`<>]{0,200}?[?&]secret=)([A-Z2-7]{16,128})/iy,
    check: (secret) => !isPlaceholder(secret),
    source: "Key URI format of authenticator apps",
  },
  {
    name: "url-signature",
    words: ["sig=", "signature="],
    pattern: /(sig(?:nature)?=)([A-Za-z0-9%+/_~-]{40,1024}=?)/iy,
    check: (secret) => !isPlaceholder(secret) && hasDigit(secret),
    source: "Azure: shared access signatures; AWS and Google Cloud: signed URLs",
  },
];

function webhook(name: string, pattern: RegExp, source: string): WordRule {
  return { name, words: ["://"], pattern, check: (secret) => !isPlaceholder(secret), source };
}
