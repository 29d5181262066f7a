import { random, zipf } from "./random.mjs";

/** English as it holds sentences together, the most frequent first. */
const GLUE =
  `the to a and is in it of that for i this on with be not you we are as have can if so but or do at by an from let
  was now need should all will just which when no use what me there they then how also been has would up out like
  more into its only one any does my here some your them so see where about other after before because make get
  sure still than too could these want both same each over work first next why while without already instead back
  actually right below between new old two yes ok please again under very well might maybe every even since most
  through whether during those being having until though such own once done`.split(/\s+/);

/** What programmers talk about, the most frequent first. */
const TRADE =
  `test file code error function run line type change add fix return check value call path name update read tests
  build data server config key user output command module import version state request message class string list
  query table log number cache set write default branch commit field option process client event index api response
  method object case result create handle failing missing table schema array parse load page session token limit
  store database service handler service deploy docker package script source input queue worker thread lock timeout
  retry stream buffer socket proxy header cookie route endpoint payload json yaml migration column row cursor
  transaction rollback connection pool driver kernel memory leak heap stack frame pointer struct trait enum generic
  interface union closure callback promise async await hook effect component render layout style button form modal
  dialog theme icon label locale translation unicode encoding regex match pattern token parser lexer syntax tree node
  edge graph vertex path search sort filter merge diff patch conflict rebase stash tag release changelog license
  readme docs example snippet template fixture mock stub spy assert expect coverage snapshot flaky timeout pipeline
  workflow runner artifact secret vault permission role policy scope grant login logout password hash salt cipher
  signature certificate domain subnet gateway balancer replica shard partition backup restore cluster region tenant
  quota billing invoice payment refund order cart product price currency discount customer account profile avatar
  upload download thumbnail image video audio codec bitrate frame latency throughput bandwidth percentile histogram
  counter gauge metric trace span alert incident pager dashboard chart axis legend tooltip canvas shader texture mesh
  camera light shadow physics collision sprite tile level score player enemy inventory quest scheduler cron job batch
  chunk offset checkpoint watermark lag consumer producer topic broker offset schema registry avro proto grpc rest
  graphql resolver mutation subscription fragment directive plugin extension manifest bundle loader compiler linker
  optimizer inline unroll vector register opcode bytecode interpreter garbage collector finalizer weak reference`.split(
    /\s+/,
  );

const VERBS =
  `get set load save parse build read write find create update remove apply resolve handle validate format render
  fetch send open close start stop init reset merge split encode decode compute check ensure register dispatch emit
  collect schedule flush prune normalize sanitize migrate restore attach detach wrap`.split(/\s+/);
const NOUNS =
  `user session token config cache store query request response message event file path buffer stream index record
  schema field value state node tree edge graph page route handler worker queue job task batch chunk offset cursor
  lock timer client server socket header cookie payload project account profile order invoice price item list map
  range window frame layout theme label error result report metric trace span policy role scope key secret hash
  snapshot fixture template plugin module bundle`.split(/\s+/);
const TAILS =
  `by id from to with for all async sync once safe raw cached default options params context info data count size
  limit name type kind status level`.split(/\s+/);
const FOLDERS = `src lib app core server client api web cmd internal pkg services components hooks utils store tests
  scripts models routes views domain adapters`.split(/\s+/);
const ENDINGS = ["ts", "ts", "ts", "tsx", "js", "py", "go", "rs", "java", "sql", "md", "json", "yaml", "css"];
const CODES = ["TS", "E", "ERR_", "SQLSTATE ", "CVE-2024-", "HTTP ", "RUSTC E0", "PY-", "GH-", "OPS-"];
const ERRNOS = `ENOENT EACCES ECONNREFUSED ECONNRESET EADDRINUSE EPIPE ETIMEDOUT ENOSPC EMFILE EEXIST SIGKILL SIGSEGV
  NullPointerException TypeError RangeError KeyError IndexError DeadlockDetected OutOfMemoryError`.split(/\s+/);

const STARTS =
  `b br c ch cl cr d dr f fl fr g gl gr h j k kl l m n p pl pr qu r s sc sh sk sl sm sn sp st str t th tr v w
  wh y z`.split(/\s+/);
const VOWELS = `a e i o u ai ea ee oa oo ou ie au`.split(/\s+/);
const CLOSES = `b ck d f g ld ll m mp n nd ng nt p r rd rk rm rn rt s sh sk ss st t th x`.split(/\s+/);

/** Words beyond the common ones: names, jargon, what one project says and others do not. */
const RARE = 60_000;

/** @typedef {import("./random.mjs").Random} Random */

/**
 * The words of a language of our own, with the frequencies of a real one.
 *
 * @typedef {object} Vocabulary
 * @property {(chance: Random) => string} glue
 * @property {(chance: Random) => string} trade
 * @property {(chance: Random) => string} rare
 * @property {(chance: Random) => string} identifier
 * @property {(chance: Random) => string} path
 * @property {(chance: Random) => string} code An error code or the name of an exception.
 */

/** @returns {Vocabulary} */
export function vocabulary() {
  const chance = random("vocabulary");
  const rareWords = [...new Set(Array.from({ length: RARE * 2 }, () => coined(chance)))].slice(0, RARE);
  const glueRank = zipf(GLUE.length, 0.95);
  const tradeWords = [...new Set(TRADE)];
  const tradeRank = zipf(tradeWords.length, 1.05, 6);
  const rareRank = zipf(rareWords.length, 0.85, 10);
  const verbRank = zipf(VERBS.length, 0.7);
  const nounRank = zipf(NOUNS.length, 0.7);
  const noun = (from) => NOUNS[nounRank(from)];
  const rare = (from) => rareWords[rareRank(from)];

  return {
    glue: (from) => GLUE[glueRank(from)],
    trade: (from) => tradeWords[tradeRank(from)],
    rare,
    identifier(from) {
      const parts = [VERBS[verbRank(from)], from.chance(0.3) ? rare(from) : noun(from)];
      if (from.chance(0.6)) parts.push(noun(from));
      if (from.chance(0.3)) parts.push(from.pick(TAILS));
      const style = from.next();
      if (style < 0.55) return camel(parts);
      if (style < 0.8) return parts.join("_");
      if (style < 0.9) return capital(camel(parts.slice(1)));
      return parts.slice(1).join("_").toUpperCase();
    },
    path(from) {
      const folders = Array.from({ length: 1 + from.below(3) }, () =>
        from.chance(0.6) ? from.pick(FOLDERS) : from.chance(0.5) ? noun(from) : rare(from),
      );
      const name = from.chance(0.5) ? `${noun(from)}-${noun(from)}` : `${rare(from)}_${noun(from)}`;
      return `${folders.join("/")}/${name}.${from.pick(ENDINGS)}`;
    },
    code: (from) => (from.chance(0.5) ? from.pick(ERRNOS) : `${from.pick(CODES)}${1_000 + from.below(9_000)}`),
  };
}

function coined(chance) {
  const syllables = chance.chance(0.35) ? 1 : chance.chance(0.7) ? 2 : 3;
  let word = "";
  for (let at = 0; at < syllables; at++) {
    word += chance.pick(STARTS) + chance.pick(VOWELS);
    if (at === syllables - 1 || chance.chance(0.3)) word += chance.pick(CLOSES);
  }
  return word;
}

function camel(parts) {
  return parts[0] + parts.slice(1).map(capital).join("");
}

function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
