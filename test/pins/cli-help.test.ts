import { describe, expect, it } from "vitest";
import { commands } from "../../src/surfaces/cli/commands.ts";
import { runCli } from "../support/cli.ts";

/* Every help text, word for word, so that a change of the command line shows as a change here. */

const HELP: Readonly<Record<string, string>> = {
  "": `Usage: yore [command] [options]

The memory of your coding agents: every session on this machine, searchable.

Options:
  -V, --version  print the version
  --json         print JSON
  --no-color     print without colours
  -h, --help     show help

Commands:
  search         find what was said, done or decided
  show           print a session or one observation
  timeline       list what happened around an observation, a session or a date
  similar        find what means nearly the same as a session or an observation
  sessions       list sessions, the latest first
  projects       list projects, the latest first
  tags           list tags, the most used first
  context        print a session as a start for a fresh agent
  alias          give a session a name of its own
  tag            put tags on sessions
  untag          take tags off sessions
  note           write a note on a session
  pin            pin sessions that matter
  unpin          take the pin off sessions
  pins           list pinned sessions, the latest pin first
  collect        put sessions into a collection
  uncollect      take sessions out of a collection
  collections    list collections
  remember       save a decision, a preference or what was learned
  memories       list what was saved, and whether it still holds
  forget         hide sessions and memories, or list those that are hidden
  unforget       show again what was forgotten
  log            list what was put on sessions, saved and taken back
  undo           take back the last of these changes, or any one
  audit          list what agents asked over MCP
  why            say how something that was handed to an agent came about
  replay         print again what was handed to an agent, byte for byte
  index          read new history now
  watch          read history as it is written, until Ctrl-C
  import         read an export, such as that of ChatGPT, Claude.ai or \`yore export\`
  export         write sessions as JSON Lines or Markdown
  share          make one session into a page that opens anywhere
  backup         write everything into one file
  restore        make a lost or damaged store whole again, or put a backup in its place
  redact         take secrets out of what is stored
  purge          remove sessions for good
  enrich         have a model that you name write titles and summaries
  vectors        have another engine find other words for the same
  eval           measure how well search finds things in this history
  stats          count sessions, tokens, projects and files
  doctor         say what is wrong or at risk, and what to do
  install        connect the agents on this machine
  uninstall      take out of agents' settings what install put in
  hook           answer an event of an agent's session
  mcp            serve the memory to an agent over MCP

Examples:
  yore                          the state of memory, and what to do next
  yore search connection reset  find what was said or done
  yore show 7f3a9c2e            read a session
  yore help search              options and examples of a command

Environment:
  YORE_HOME  Folder for the store (default: ~/.yore).
  NO_COLOR   Set to anything to print without colours.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 nothing found.
`,
  search: `Usage: yore search [options] [query...]

Find what was said, done or decided in any session. All words must occur; if they never do together,
the answer says so and shows what comes close. "Quotes" make a phrase, -word leaves out what has the
word.

Arguments:
  query                words, phrases and filters such as project:yore or since:yesterday

Options:
  -n, --limit <count>  how many to list (default: 10)
  --offset <count>     how many to pass over first (default: 0)
  --project <project>  name, path or id of a project
  --agent <agent>      such as claude-code or codex
  --tag <tag>          sessions with this tag
  --branch <branch>    sessions on this Git branch
  --worktree <name>    sessions in this worktree: its path, or the last part of it
  --type <type>        kind of observation (choices: "decision", "bugfix", "feature", "refactor",
                       "discovery", "change", "preference", "note")
  --role <role>        who said it (choices: "human", "assistant", "tool", "system", "summary")
  --file <path>        about this file
  --collection <path>  in sessions of this collection, and of those below it
  --since <date>       from then on, such as 2026-11-30 or "last month"
  --until <date>       up to then
  --on <date>          on that day
  --as-of <date>       from what was held true then
  --no-subagents       leave out what subagents did
  --anywhere           give no preference to the project and branch of this folder
  --explain            say how the query was understood, what placed each hit, and what was left out
  --json               print JSON
  --no-color           print without colours
  -h, --help           show help

Examples:
  yore search connection reset                               both words
  yore search '"connection reset" -docker'                   a phrase, and a word that must not occur
  yore search migration --project shop --since 'last month'  in one project, lately
  yore search upload retry --explain                         why these hits, and why in this order
  yore search -- "--error-on-warnings"                       words that begin with two dashes go behind --
`,
  show: `Usage: yore show [options] <session>

Print a session, one observation or one memory as Markdown. Tool calls are folded to a line each.

Arguments:
  session              id, the first 8 or more characters of it, or alias; or the id of an
                       observation or memory

Options:
  -n, --limit <count>  how many messages to print (default: all)
  --offset <count>     how many messages to pass over first (default: 0)
  --role <role>        only messages of this role; can be repeated (human, assistant, tool, system,
                       summary)
  --full               tool calls and their results whole
  --everything         thinking and system notices too
  --json               print JSON
  --no-color           print without colours
  -h, --help           show help

Examples:
  yore show 7f3a9c2e                a session
  yore show 7f3a9c2e --role human   only what was asked
  yore show 7f3a9c2e --full | less  with all that tools were given and gave back
  yore show 3fk2m9                  an observation that search has found
`,
  timeline: `Usage: yore timeline [options]

List what happened around an observation, a session or a date, in the order of time. Without any:
the latest.

Options:
  --around <id>        around this observation, as search names it
  --session <session>  around this session: id, the first 8 or more characters of it, or alias
  --at <date>          around this day or moment, such as 2026-11-30 or 2026-11-30T14:30
  --before <count>     how many before (default: 5; without an anchor 10)
  --after <count>      how many after (default: 5)
  --project <project>  name, path or id of a project
  --agent <agent>      such as claude-code or codex
  --tag <tag>          sessions with this tag
  --branch <branch>    sessions on this Git branch
  --worktree <name>    sessions in this worktree: its path, or the last part of it
  --since <date>       from then on, such as 2026-11-30, 7d or 'last week'
  --until <date>       up to and including that day or minute
  --json               print JSON
  --no-color           print without colours
  -h, --help           show help

Examples:
  yore timeline                                        the latest observations
  yore timeline --at 2026-11-30 --project shop         one project around a day
  yore timeline --around 3fk2m9 --before 2 --after 10  what led to it, and what came of it
`,
  similar: `Usage: yore similar [options] <session>

Find what means nearly the same, whatever words it is said in: observations like an observation,
sessions like a session. Each has the cosine between both: 1 for the same, about 0 for what has
nothing to do with it.

Arguments:
  session              id, the first 8 or more characters of it, or alias; or the id of an
                       observation or memory

Options:
  -n, --limit <count>  how many to list (default: 10)
  --all                as many of other projects too, after those of its own
  --project <project>  name, path or id of a project
  --agent <agent>      such as claude-code or codex
  --tag <tag>          sessions with this tag
  --branch <branch>    sessions on this Git branch
  --worktree <name>    sessions in this worktree: its path, or the last part of it
  --since <date>       from then on, such as 2026-11-30, 7d or 'last week'
  --until <date>       up to and including that day or minute
  --type <type>        kind of observation (choices: "decision", "bugfix", "feature", "refactor",
                       "discovery", "change", "preference", "note")
  --file <path>        about this file
  --collection <path>  in sessions of this collection, and of those below it
  --no-subagents       leave out what subagents did
  --json               print JSON
  --no-color           print without colours
  -h, --help           show help

Examples:
  yore similar 3fk2m9                                     observations like one that search has found
  yore similar 7f3a9c2e --all                             sessions like this one, of other projects too
  yore similar 3fk2m9 --type bugfix --since 'last month'  only what was mended lately
`,
  sessions: `Usage: yore sessions [options]

List sessions, the latest first. Wherever a session is asked for, the first 8 characters of its id
will do, and so will its alias.

Options:
  -n, --limit <count>  how many to list (default: 20)
  --offset <count>     how many to pass over first (default: 0)
  --project <project>  name, path or id of a project
  --agent <agent>      such as claude-code or codex
  --tag <tag>          sessions with this tag
  --branch <branch>    sessions on this Git branch
  --worktree <name>    sessions in this worktree: its path, or the last part of it
  --since <date>       from then on, such as 2026-11-30, 7d or 'last week'
  --until <date>       up to and including that day or minute
  --collection <path>  sessions in this collection, and in those below it
  --pinned             pinned sessions
  --all                subagents' sessions too
  --full-ids           print ids uncut
  --json               print JSON
  --no-color           print without colours
  -h, --help           show help

Examples:
  yore sessions                                   the latest 20
  yore sessions --project shop --since 7d         one project's sessions of the last week
  yore sessions --agent codex --limit 100 --json  for a script
`,
  projects: `Usage: yore projects [options] [command]

List projects, the latest first. Worktrees and clones of one repository are one project.

Options:
  -n, --limit <count>                 how many to list (default: 20)
  --offset <count>                    how many to pass over first (default: 0)
  --project <project>                 name, path or id of a project
  --agent <agent>                     such as claude-code or codex
  --tag <tag>                         sessions with this tag
  --branch <branch>                   sessions on this Git branch
  --worktree <name>                   sessions in this worktree: its path, or the last part of it
  --since <date>                      from then on, such as 2026-11-30, 7d or 'last week'
  --until <date>                      up to and including that day or minute
  --long                              all that is known of each, such as its folders
  --json                              print JSON
  --no-color                          print without colours
  -h, --help                          show help

Commands:
  merge [options] <project> <into>    say that two are one
  split [options] <project> <folder>  make a folder of one a project of its own
  rename [options] <project> <name>   call one something else
  undo [options] [number]             take back the last of these, or one by its number
  history [options]                   list what was decided
  exclude [options] [place]           store nothing of one, or list what is excluded
  include [options] <place>           store it again

Examples:
  yore projects                                   the latest 20
  yore projects --agent codex --since 2026-01-01  where Codex worked this year
  yore projects --project shop --long             how one was identified, and its folders
  yore projects merge shop-old shop               say that two are one
`,
  "projects merge": `Usage: yore projects merge [options] <project> <into>

Say that two projects are one. What is worked in either later belongs to it too.

Options:
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

Examples:
  yore projects merge shop-old shop      the sessions of shop-old become sessions of shop
  yore projects merge 7b2k9xqa 3f8m1c0d  by id, where names are alike
`,
  "projects split": `Usage: yore projects split [options] <project> <folder>

Make what was worked in a folder, and below it, a project of its own.

Options:
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

Examples:
  yore projects split shop packages/api                by the end of the folder's path
  yore projects split shop /home/me/shop/packages/api  by the whole of it
`,
  "projects rename": `Usage: yore projects rename [options] <project> <name>

Call a project something else.

Options:
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

Examples:
  yore projects rename api 'shop API'  shown and found by that name
`,
  "projects undo": `Usage: yore projects undo [options] [number]

Take back the last merge, split or rename, or the one of that number. What was decided since stays.

Arguments:
  number      as \`yore projects history\` lists it

Options:
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

Examples:
  yore projects undo    the last one
  yore projects undo 3  one of before, as \`yore projects history\` lists it
`,
  "projects history": `Usage: yore projects history [options]

List what was decided about projects, oldest first.

Options:
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

Examples:
  yore projects history  merges, splits and renames, and which of them were undone
`,
  "projects exclude": `Usage: yore projects exclude [options] [place]

Store nothing any more of what is worked in a folder and below it, in a project, or in the clones of
a remote. In a folder and a remote, * stands for any part of a name and ** for any number of names.
What was stored before is hidden at once. Without a place, list what is excluded.

Options:
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

Examples:
  yore projects exclude ~/clients            a folder, with all that is below it
  yore projects exclude 'github.com/acme/*'  all repositories of an owner
  yore projects exclude shop                 a project, by its remote and its folders
  yore projects exclude                      what is excluded
`,
  "projects include": `Usage: yore projects include [options] <place>

Store again what is worked in a place that was excluded: as it is listed, or the last part of it.

Options:
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

Examples:
  yore projects include ~/clients  as \`yore projects exclude\` lists it
`,
  tags: `Usage: yore tags [options] [command]

List tags, the most used first.

Options:
  -n, --limit <count>            how many to list (default: 50)
  --offset <count>               how many to pass over first (default: 0)
  --project <project>            name, path or id of a project
  --agent <agent>                such as claude-code or codex
  --tag <tag>                    sessions with this tag
  --branch <branch>              sessions on this Git branch
  --worktree <name>              sessions in this worktree: its path, or the last part of it
  --since <date>                 from then on, such as 2026-11-30, 7d or 'last week'
  --until <date>                 up to and including that day or minute
  --json                         print JSON
  --no-color                     print without colours
  -h, --help                     show help

Commands:
  rename [options] <tag> <name>  call one something else

Examples:
  yore tags                    all tags with how many sessions have them
  yore tags --project shop     tags used in one project
  yore tags rename auth login  call one something else
`,
  context: `Usage: yore context [options] <session>

Print a session as Markdown to start a fresh agent with: prompts, answers and conclusions.

Arguments:
  session            id, the first 8 or more characters of it, or alias

Options:
  --budget <tokens>  how long it may be (default: 4000)
  --full             tool calls and their results too
  --json             print JSON
  --no-color         print without colours
  -h, --help         show help

Examples:
  yore context 7f3a9c2e                            condensed, at most 4,000 tokens
  claude "$(yore context 7f3a9c2e --budget 1000)"  hand it to a fresh agent
  yore context 7f3a9c2e --full > handoff.md        with tool calls, as a file
`,
  "tags rename": `Usage: yore tags rename [options] <tag> <name>

Call a tag something else, on every session that has it.

Options:
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

Examples:
  yore tags rename auth login  sessions with #auth have #login now
`,
  alias: `Usage: yore alias [options] <session> [name]

Give a session a name of its own, by which it can be named wherever a session is asked for. Without
a name: show it.

Arguments:
  session     id, the first 8 or more characters of it, or alias
  name        letters and digits, with . _ / - between them

Options:
  --remove    take the alias off
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

Examples:
  yore alias 7f3a9c2e auth-rework  from now on: yore show auth-rework
  yore alias auth-rework login     call it something else
  yore alias login --remove        no name any more
`,
  tag: `Usage: yore tag [options] <tag> <session...>

Put a tag, or several, on sessions. A tag is found with #tag or tag: in a search, and with --tag.

Arguments:
  tag         letters and digits, with . _ / - between them; several are separated by commas
  session     ids, the first 8 or more characters of them, or aliases

Options:
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

Examples:
  yore tag auth 7f3a9c2e                     one tag on one session
  yore tag auth,needs-review 7f3a9c2e login  two tags on two sessions
  yore search '#auth token'                  what was said of tokens in them
`,
  untag: `Usage: yore untag [options] <tag> <session...>

Take a tag, or several, off sessions, those that an agent put there itself too. They stay off.

Arguments:
  tag         one tag, or several separated by commas
  session     ids, the first 8 or more characters of them, or aliases

Options:
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

Examples:
  yore untag needs-review 7f3a9c2e login  from two sessions
`,
  note: `Usage: yore note [options] <session> [text]

Write a note on a session, in Markdown: one a session, with its history. Without a text: show it.

Arguments:
  session     id, the first 8 or more characters of it, or alias
  text        the note; - reads it from standard input

Options:
  --append    add the text to the note that is there
  --edit      write it in the editor that VISUAL or EDITOR names
  --remove    take the note off
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

Examples:
  yore note login 'Tokens live 15 minutes, see #412.'  in place of what was there
  git log --oneline -5 | yore note login - --append    from another program
  yore note login --edit                               in your editor
  yore note login                                      read it
  yore log login                                       what it was before
`,
  pin: `Usage: yore pin [options] <session...>

Pin sessions that matter; a pin can stand for a decision that was made there.

Arguments:
  session          ids, the first 8 or more characters of them, or aliases

Options:
  --decision <id>  the observation that the pin stands for, as search names it
  --json           print JSON
  --no-color       print without colours
  -h, --help       show help

Examples:
  yore pin 7f3a9c2e login           two sessions
  yore pin login --decision 3fk2m9  for what was decided there
  yore pins                         what is pinned
`,
  unpin: `Usage: yore unpin [options] <session...>

Take the pin off sessions.

Arguments:
  session     ids, the first 8 or more characters of them, or aliases

Options:
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

Examples:
  yore unpin login  one session
`,
  pins: `Usage: yore pins [options]

List pinned sessions, the latest pin first, with the decisions they stand for.

Options:
  -n, --limit <count>  how many to list (default: 50)
  --offset <count>     how many to pass over first (default: 0)
  --project <project>  name, path or id of a project
  --agent <agent>      such as claude-code or codex
  --tag <tag>          sessions with this tag
  --branch <branch>    sessions on this Git branch
  --worktree <name>    sessions in this worktree: its path, or the last part of it
  --since <date>       from then on, such as 2026-11-30, 7d or 'last week'
  --until <date>       up to and including that day or minute
  --json               print JSON
  --no-color           print without colours
  -h, --help           show help

Examples:
  yore pins                 everywhere
  yore pins --project shop  in one project
`,
  collect: `Usage: yore collect [options] <session...> <collection>

Put sessions into a collection, as files into a folder. A session can be in several.

Arguments:
  session     ids, the first 8 or more characters of them, or aliases

Options:
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

A collection is a path of up to eight names, such as work/api/auth, and stands last.

Examples:
  yore collect 7f3a9c2e login work/api/auth  two sessions
  yore sessions --collection work            what is in it, and in those below it
`,
  uncollect: `Usage: yore uncollect [options] <session...> <collection>

Take sessions out of a collection. An empty collection is gone.

Arguments:
  session     ids, the first 8 or more characters of them, or aliases

Options:
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

A collection is a path of up to eight names, such as work/api/auth, and stands last.

Examples:
  yore uncollect login work/api/auth  one session
`,
  collections: `Usage: yore collections [options] [command]

List collections with how many sessions are in each.

Options:
  -n, --limit <count>                   how many to list (default: 100)
  --offset <count>                      how many to pass over first (default: 0)
  --json                                print JSON
  --no-color                            print without colours
  -h, --help                            show help

Commands:
  rename [options] <collection> <path>  move one, with those below it

Examples:
  yore collections                              all of them
  yore sessions --collection work/api           what is in one
  yore collections rename work/api work/server  move one, with those below it
`,
  "collections rename": `Usage: yore collections rename [options] <collection> <path>

Give a collection another path, and with it those below it.

Options:
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

Examples:
  yore collections rename work/api work/server  work/api/auth is work/server/auth then
`,
  forget: `Usage: yore forget [options] [session...]

Forget sessions and memories: they, and subagents of sessions, are shown, counted and found nowhere
any more, also when all history is read anew. Nothing is deleted, so that \`yore unforget\` can take
it back.

Arguments:
  session              ids, the first 8 or more characters of them, or aliases; or ids of memories

Options:
  --reason <text>      why, for those who read the list later
  --list               show what is forgotten, the latest first
  -n, --limit <count>  how many to list (default: 50)
  --offset <count>     how many to pass over first (default: 0)
  --json               print JSON
  --no-color           print without colours
  -h, --help           show help

Examples:
  yore forget 7f3a9c2e --reason 'customer data'  one session
  yore forget k3v9m2x7q0ab                       a memory that no longer holds
  yore forget --list                             all that are forgotten
  yore unforget 7f3a9c2e                         take it back
`,
  unforget: `Usage: yore unforget [options] <session...>

Show sessions and memories again that were forgotten.

Arguments:
  session     ids, the first 8 or more characters of them, or aliases; or ids of memories

Options:
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

Examples:
  yore unforget 7f3a9c2e  one session, as \`yore forget --list\` names it
`,
  log: `Usage: yore log [options] [session]

List what was put on sessions and taken off, by people and by agents, the latest first: aliases,
tags, notes, pins, collections, memories, sessions that were forgotten.

Arguments:
  session              only of this one: id, the first 8 or more characters of it, or alias; or the
                       id of a memory

Options:
  -n, --limit <count>  how many to list (default: 20)
  --offset <count>     how many to pass over first (default: 0)
  --json               print JSON
  --no-color           print without colours
  -h, --help           show help

Examples:
  yore log               the latest 20 changes
  yore log login --json  all that was changed on one session, whole texts of its notes too
  yore undo 12           take one back
`,
  audit: `Usage: yore audit [options]

List what agents asked over MCP, the latest first: when, by which client, with which tool, for which
sessions, and what came of it. Of what was sent and answered, only the length is known.

Options:
  --tool <name>        calls of this tool, such as search
  --client <name>      calls of clients with this in their name
  --since <date>       from then on, such as 2026-11-30, 7d or 'last week'
  --failed             only those that failed or were refused
  -n, --limit <count>  how many to list (default: 50)
  --offset <count>     how many to pass over first (default: 0)
  --json               print JSON
  --no-color           print without colours
  -h, --help           show help

Examples:
  yore audit                        the latest 50 calls
  yore audit --failed --since 7d    what went wrong in a week
  yore audit --client codex --json  what Codex asked, for a script
`,
  why: `Usage: yore why [options] [id]

Say how something that was handed to an agent came about: who asked what, how it was understood,
which observations were weighed and by which signals, and why some were left out. Of an observation:
where it comes from, whether it stands, and which receipts show it. Without an argument: the latest
receipts.

Arguments:
  id                   id of a receipt, as it stands at the end of what was handed out, or of an
                       observation or memory

Options:
  -n, --limit <count>  how many to list (default: 20)
  --offset <count>     how many to pass over first (default: 0)
  --json               print JSON
  --no-color           print without colours
  -h, --help           show help

Examples:
  yore why                  what was handed out lately
  yore why r-3fk2m9x7q0     how one of these came about
  yore why k3v9m2x7q0ab     where an observation comes from
  yore replay r-3fk2m9x7q0  what the agent was given
`,
  replay: `Usage: yore replay [options] <receipt>

Print exactly what was handed to an agent, with nothing added. Refused where a secret was taken out
of it since, or where it shows a session that is forgotten or excluded now.

Arguments:
  receipt     its id, as it stands at the end of what was handed out, or the beginning of it

Options:
  -h, --help  show help

Examples:
  yore replay r-3fk2m9x7q0              what the agent was given
  yore replay r-3fk2m9x7q0 | sha256sum  to compare it
  yore why r-3fk2m9x7q0                 how it came about
`,
  undo: `Usage: yore undo [options] [number]

Take back the last change to aliases, tags, notes, pins, collections, memories and what is
forgotten, whoever made it, or the one of that number. What was changed again since stays. An undo
can be undone by its own number.

Arguments:
  number      as \`yore log\` lists it

Options:
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

Examples:
  yore undo     the last change
  yore undo 12  one of before
`,
  index: `Usage: yore index [options]

Read new history now. Not needed as a rule: every command that reads catches up first.

Options:
  --rebuild   read everything again; what the agents have deleted since is kept
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

Examples:
  yore index            read what is new
  yore index --rebuild  read everything again; nothing is lost by it
`,
  import: `Usage: yore import [options] <paths...>

Read files that agents do not keep by themselves: the data export of Claude.ai or ChatGPT (a ZIP
file, a folder or a JSON file), or what \`yore export\` wrote elsewhere. Importing again adds what is
new; what stands on your sessions stays.

Arguments:
  paths       files or folders

Options:
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

Examples:
  yore import ~/Downloads/chatgpt-export.zip  the conversations in an export
  yore import history.jsonl.gz                sessions of another machine, by \`yore export\`
  yore import notes/.specstory                the histories in a folder
`,
  export: `Usage: yore export [options] [session]

Write sessions, with all that is known of them and what someone put on them: as JSON Lines, which
\`yore import\` takes on another machine, or as Markdown to read. One session with its subagents,
those of a project, or all.

Arguments:
  session              id, the first 8 or more characters of it, or alias; without it all sessions

Options:
  --project <project>  only sessions of this project: its name, path or id
  --format <format>    default: jsonl, or what the name of the file says (choices: "jsonl",
                       "markdown")
  -o, --output <path>  a file, gzipped if its name ends in .gz; or a folder (default: standard
                       output)
  --json               print JSON
  --no-color           print without colours
  -h, --help           show help

Examples:
  yore export -o history.jsonl.gz                everything, for another machine
  yore export --project tide -o tide.jsonl       one project
  yore export 7f3a9c2e --format markdown | less  read one session
  yore export --format markdown -o notes/        a file for each session
`,
  share: `Usage: yore share [options] <session>

Make one session into a page of HTML that opens in any browser, without a network. Secrets are left
out once more, and your home folder is written as ~. Read it before you pass it on.

Arguments:
  session              id, the first 8 or more characters of it, or alias

Options:
  -o, --output <file>  file to write (default: standard output)
  --everything         thinking and system notices too
  --json               print JSON
  --no-color           print without colours
  -h, --help           show help

Examples:
  yore share 7f3a9c2e -o session.html  a page to pass on
`,
  backup: `Usage: yore backup [options] [file]

Write the store, the archive and the plain-text files into one file, while everything else goes on.
The key that marks secrets is left out. \`yore restore --from\` brings it back.

Arguments:
  file        where to; a folder gets a file with the date (default: backups in the folder of the
              store)

Options:
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

Examples:
  yore backup                      beside the store
  yore backup /media/disk/yore.db  somewhere else
`,
  restore: `Usage: yore restore [options]

Make the store whole again from the archive, the plain-text files and the agents' files; or put a
backup in its place. A damaged store is moved aside first, never deleted.

Options:
  --from <file>  a file that \`yore backup\` wrote
  --yes          with --from: also where there is a history; it is moved aside, never deleted
  --json         print JSON
  --no-color     print without colours
  -h, --help     show help

Examples:
  yore restore                             after yore.db was lost or damaged
  yore restore --from /media/disk/yore.db  on a new machine, or into an empty folder
`,
  redact: `Usage: yore redact [options]

Take secrets out of everything that is stored: by the rules of this version, and what you name. What
you name is kept as a rule, so that it does not come back from the agents' own files. It cannot be
undone.

Options:
  --pattern <regex...>  what must go, as a regular expression, or as one between slashes with flags:
                        /x/i
  --text-file <file>    what must go as it stands, a line each; - reads it from standard input
  --dry-run             change nothing, and count what would be replaced
  --json                print JSON
  --no-color            print without colours
  -h, --help            show help

Examples:
  yore redact --dry-run                  what the rules of now would still find
  yore redact --text-file -              type or pipe what must go: no other program sees it
  yore redact --pattern 'ACME-[0-9]{6}'  whatever looks like that; do not write a secret itself here
`,
  purge: `Usage: yore purge [options] [sessions...]

Remove sessions for good: from the store, the mirror, the archive and the record of calls, with
their subagents. They are not read again from the agent's own files, which stay. Shows what would
go, and asks. It cannot be undone; \`yore forget\` can.

Arguments:
  sessions             ids, the first 8 or more characters of them, or aliases; none finishes what
                       was begun

Options:
  --project <project>  all sessions of a project: its name, path or id
  --yes                do not ask
  --json               print JSON
  --no-color           print without colours
  -h, --help           show help

Examples:
  yore purge 7f3a9c2e               one session
  yore purge --project old-client   all that was worked in one project
  yore purge 7f3a9c2e --yes --json  from a script
`,
  enrich: `Usage: yore enrich [options] [program...]

Have a model that you name write titles and summaries of sessions, the latest first. Sends what was
asked and concluded in them, redacted, to that model and nowhere else; no other command asks a
model. What a person or the agent called a session stays. Without an engine: what was written so
far.

Arguments:
  program              behind --: what to start with --engine command; it is asked on standard input

Options:
  --engine <engine>    what answers (choices: "anthropic", "openai-compatible", "command")
  --model <model>      its name, as the engine calls it; with --drop: only what this one wrote
  --url <address>      address of the API, such as http://127.0.0.1:11434/v1
  --key-env <name>     variable that holds the key of the API
  --budget <tokens>    stop before more are used, in and out (default: 100,000)
  -n, --limit <count>  at most so many sessions
  --project <project>  name, path or id of a project
  --agent <agent>      such as claude-code or codex
  --tag <tag>          sessions with this tag
  --branch <branch>    sessions on this Git branch
  --worktree <name>    sessions in this worktree: its path, or the last part of it
  --since <date>       from then on, such as 2026-11-30, 7d or 'last week'
  --until <date>       up to and including that day or minute
  --refresh            also sessions that went on since they were enriched
  --timeout <seconds>  how long to wait for one answer (default: 120)
  --dry-run            send nothing, and say how much would be sent
  --yes                do not ask
  --drop               remove all that models wrote
  --json               print JSON
  --no-color           print without colours
  -h, --help           show help

Examples:
  yore enrich --engine anthropic --model claude-haiku-4-5 --since 7d                       key in ANTHROPIC_API_KEY
  yore enrich --engine openai-compatible --url http://127.0.0.1:11434/v1 --model llama3.2  such as Ollama
  yore enrich --engine command -- claude -p                                                an agent of yours, without its terminal
  yore enrich --drop                                                                       as if it had never been
`,
  vectors: `Usage: yore vectors [options]

Have another engine make the vectors by which search finds other words for the same, the latest
sessions first: a sentence model on this machine, or an endpoint that you name. It works while this
command runs, can be stopped at any time, and goes on the next time; searches are answered by it
from then on. Without an engine: what is covered.

Options:
  --engine <engine>    what makes vectors; static: the table that comes with Yore (choices:
                       "static", "minilm", "openai-compatible")
  --model <model>      of openai-compatible: its name, as the API calls it
  --url <address>      address of the API, such as http://127.0.0.1:11434/v1
  --key-env <name>     variable that holds the key of the API
  -n, --limit <count>  at most so many observations
  --budget <tokens>    send no more to an endpoint (estimated)
  --timeout <seconds>  how long to wait for one answer (default: 120)
  --dry-run            make none, and say how many would be made
  --yes                do not ask before texts are sent
  --use <engine>       have searches answered by an engine that made vectors before (choices:
                       "static", "minilm", "openai-compatible", "off")
  --drop [engine]      remove the vectors of an engine, or all
  --json               print JSON
  --no-color           print without colours
  -h, --help           show help

Examples:
  yore vectors                                                                                      what is covered
  yore vectors --engine minilm                                                                      says what to install, where it is not
  yore vectors --engine openai-compatible --url http://127.0.0.1:11434/v1 --model nomic-embed-text  such as Ollama
  yore vectors --use static                                                                         as it was before
`,
  eval: `Usage: yore eval [options]

Measure how well search finds things in your own history, beside plain BM25 and a plain search of
the transcripts. Questions are found in the history, together with their answers; what quotes a
question may not help to answer it. Nothing is sent anywhere, and nothing in the store is changed.
Texts of sessions are printed only where you ask for them.

Options:
  -n, --questions <count>  at most so many questions (default: 200)
  --compare <what>         with an earlier run that was saved, or with a setting: subagents=on,
                           subagents=off
  --save <file>            write the figures as JSON, for --compare
  --misses                 list the questions that search found no answer to among its first five
  --show                   list all questions, and where each was found
  --no-baselines           ask search alone
  --json                   print JSON
  --no-color               print without colours
  -h, --help               show help

Examples:
  yore eval                                       how well does search do here?
  yore eval --save before.json                    keep the figures, without texts
  yore eval --compare before.json --no-baselines  what has changed since?
  yore eval --misses -n 50                        what is not found?
`,
  stats: `Usage: yore stats [options]

Count sessions, messages and tokens, by agent, model, day, project and file.

Options:
  --project <project>  name, path or id of a project
  --agent <agent>      such as claude-code or codex
  --tag <tag>          sessions with this tag
  --branch <branch>    sessions on this Git branch
  --worktree <name>    sessions in this worktree: its path, or the last part of it
  --since <date>       from then on, such as 2026-11-30, 7d or 'last week'
  --until <date>       up to and including that day or minute
  --json               print JSON
  --no-color           print without colours
  -h, --help           show help

Examples:
  yore stats                                   everything
  yore stats --since 2026-11-01 --agent codex  Codex in November
  yore stats --project shop --json             for a script
`,
  doctor: `Usage: yore doctor [options]

Say what is wrong or at risk, worst first, and what to do about it. Starts what agents are told to
start, to see whether it works. Ends with 1 if something is wrong.

Options:
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

Examples:
  yore doctor         findings, the store and each agent's history
  yore doctor --json  the same for a script
`,
  install: `Usage: yore install [options] [agents...]

Connect agents: the tools over MCP, and where the agent has them, hooks that give a session its
start and read what was said. Without names, all agents that are found on this machine. Shows what
would change, and asks. What was there before is kept, and \`yore uninstall\` puts it back.

Arguments:
  agents         such as claude-code, codex or gemini-cli; one that is named is connected even if it
                 is not found

Options:
  --dry-run      show what would change, and change nothing
  --yes          do not ask
  --tool-recall  recall also before a tool edits a file or runs a command
  --print        print a block of JSON for an agent that is not known here, and change nothing
  --json         print JSON
  --no-color     print without colours
  -h, --help     show help

Examples:
  yore install --dry-run          what would change, for every agent that is found
  yore install                    the same, and asks whether to do it
  yore install claude-code codex  these two only
  yore install --print            what to copy into the settings of any other agent
`,
  uninstall: `Usage: yore uninstall [options] [agents...]

Take out of agents' settings what \`yore install\` put in. A file that nobody changed since gets every
byte back that it had; of others only our part goes. The store stays as it is.

Arguments:
  agents      without names, all agents that are connected

Options:
  --dry-run   show what would change, and change nothing
  --yes       do not ask
  --json      print JSON
  --no-color  print without colours
  -h, --help  show help

Examples:
  yore uninstall --dry-run  what would be taken out
  yore uninstall cursor     one agent
`,
  watch: `Usage: yore watch [options]

Read history as the agents write it, until Ctrl-C. Of several that watch one store, one works and
the others wait to take over. Not needed as a rule: every command that reads catches up first.

Options:
  -h, --help  show help

Examples:
  yore watch  keep the store up to date
`,
  hook: `Usage: yore hook [options] <event>

Answer an event of an agent's session. The agent calls this by itself, with JSON on standard input.
Ends with 0, whatever happens.

Arguments:
  event            SessionStart, UserPromptSubmit, PreToolUse, Stop and others, or the agent's own
                   name

Options:
  --agent <agent>  which agent calls: claude-code, codex, gemini-cli, copilot-cli, opencode, cursor
                   or qwen-code
  --tool-recall    tell what is known before a tool is used, as YORE_TOOL_RECALL=1 does
  -h, --help       show help

Examples:
  yore hook SessionStart --agent claude-code < event.json  what a session would be told
`,
  mcp: `Usage: yore mcp [options]

Serve the memory to an agent over MCP, on standard input and output. The agent starts this by
itself.

Options:
  --toolset <set>  which tools to offer (default: all) (choices: "all", "core")
  --read-only      offer nothing that writes
  -h, --help       show help

Examples:
  claude mcp add --scope user yore -- yore mcp  connect Claude Code
  codex mcp add yore -- yore mcp                connect Codex
`,
  remember: `Usage: yore remember [options] <text>

Save a decision, a preference or what was learned, for every agent to find. It belongs to the
project of the folder it is saved in, unless another one is named, or it takes the place of another
memory: then project, type and tags are those of that.

Arguments:
  text                 what to remember, in Markdown; - reads it from standard input

Options:
  --type <type>        what kind it is (default: note) (choices: "decision", "bugfix", "feature",
                       "refactor", "discovery", "change", "preference", "note")
  --title <title>      default: the first line of the text
  --project <project>  name, path or id of a project
  --file <place>       what it is about: a path, path#symbol or path:12-30; can be repeated
  --tag <tag>          can be repeated
  --supersedes <id>    a memory that it takes the place of; can be repeated
  --evidence <id>      an observation that it stands on, as search names it; can be repeated
  --session <session>  the session in which it was said: id, prefix or alias
  --from <date>        it holds from then on
  --until <date>       it holds up to and including then
  --json               print JSON
  --no-color           print without colours
  -h, --help           show help

Examples:
  yore remember 'Tokens live 15 minutes.' --type decision            in the project of this folder
  yore remember 'Retries are capped here.' --file src/http.ts#retry  about a function: \`yore memories\` says when it changed
  yore remember 'Tokens live an hour.' --supersedes k3v9m2           in place of what was decided before
  git log -1 --format=%B | yore remember - --tag release             from another program
`,
  memories: `Usage: yore memories [options]

List what was saved on purpose and holds, the latest first, with whether the files it is about still
say the same: fresh, moved, changed, gone or unknown.

Options:
  --project <project>  name, path or id of a project
  --type <type>        what kind it is (choices: "decision", "bugfix", "feature", "refactor",
                       "discovery", "change", "preference", "note")
  --tag <tag>          with this tag
  --as-of <date>       what was held true then
  --all                those that were superseded or forgotten, or do not hold now, too
  -n, --limit <count>  how many to list (default: 50)
  --offset <count>     how many to pass over first (default: 0)
  --json               print JSON
  --no-color           print without colours
  -h, --help           show help

Examples:
  yore memories --project shop --type decision  the decisions of a project
  yore memories --as-of 2026-06-01              as they stood then
  yore show k3v9m2x7q0ab                        one of them, with what it took the place of
`,
};

describe("help", () => {
  it.each(Object.entries(HELP))("yore %s --help", async (name, text) => {
    expect((await runCli([...name.split(" ").filter(Boolean), "--help"])).stdout).toBe(text);
  });

  it("is pinned for every command", () => {
    const whole = Object.keys(HELP).filter((name) => !name.includes(" "));
    expect(whole.sort()).toEqual(["", ...commands.map(({ name }) => name)].sort());
  });
});
